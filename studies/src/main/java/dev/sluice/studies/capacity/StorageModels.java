package dev.sluice.studies.capacity;

import static dev.sluice.studies.capacity.StorageModel.MICRO;
import static dev.sluice.studies.capacity.StorageModel.MILLI;

import dev.sluice.studies.capacity.StorageModel.Load;
import java.util.List;

/** Storages that differ in what makes a capacity hard to find. */
final class StorageModels {
  private static final long SECOND = 1_000_000_000L;
  private static final long KIB = 1 << 10;
  private static final long MIB = 1 << 20;
  private static final Load READS = new Load(256 * KIB, 0, 0);
  private static final Load WRITES = new Load(256 * KIB, 1, 0);
  private static final Load BOTH = new Load(256 * KIB, 0.5, 0);
  private static final Load SMALL = new Load(4 * KIB, 0.3, 0);
  private static final Load LARGE = new Load(MIB, 0.5, 0);
  private static final Load NAMES = new Load(4 * KIB, 0.5, 0.8);
  private static final Load ALL_KINDS = new Load(64 * KIB, 0.4, 0.4);

  private StorageModels() {}

  static List<StorageModel> all() {
    return List.of(
        StorageModel.of("a disk", 1, 100, LARGE),
        StorageModel.of("a disk, small requests", 1, 150, SMALL).operations(4 * MILLI, 5 * MILLI),
        StorageModel.of("a disk that seeks", 1, 150, READS)
            .operations(3 * MILLI, 5 * MILLI)
            .spread(0.5),
        StorageModel.of("a disk with a write cache", 1, 100, WRITES).writes(1, 64 * MIB),
        StorageModel.of("an array with a large cache", 1, 200, WRITES).writes(1, 1_024 * MIB),
        StorageModel.of("an array of 4", 4, 400, BOTH),
        StorageModel.of("an array of 10", 10, 300, READS).operations(MILLI, 2 * MILLI).spread(0.3),
        StorageModel.of("an array of 32", 32, 400, READS)
            .operations(5 * MILLI, 5 * MILLI)
            .spread(0.2),
        StorageModel.of("flash, small requests", 8, 500, SMALL).operations(2 * MILLI, 2 * MILLI),
        StorageModel.of("flash whose writes are dear", 4, 300, BOTH).writes(3, 0),
        StorageModel.of("flash that collects garbage", 4, 300, BOTH)
            .stalls(3 * SECOND, 300 * MILLI),
        StorageModel.of("a shared array", 4, 300, READS).neighbour(0.06, 7 * SECOND),
        StorageModel.of("a noisy disk", 1, 100, READS).spread(1),
        StorageModel.of("a disk whose speed wanders", 1, 100, READS).wanders(0.1),
        StorageModel.of("far away", 2, 200, READS).network(10 * MILLI, 0),
        StorageModel.of("far away, with jitter", 2, 200, READS).network(5 * MILLI, 3),
        StorageModel.of("slow names", 2, 200, NAMES).operations(500 * MICRO, 4 * MILLI).spread(0.3),
        StorageModel.of("all kinds of requests", 4, 200, ALL_KINDS)
            .operations(MILLI, 3 * MILLI)
            .writes(2, 0),
        StorageModel.of("a slow disk", 1, 20, READS),
        StorageModel.of("a shared array with jitter and stalls", 6, 200, BOTH)
            .operations(MILLI, 2 * MILLI)
            .spread(0.4)
            .network(MILLI, 2)
            .stalls(2 * SECOND, 100 * MILLI),
        StorageModel.of("a disk that Linux limits", 2, 400, WRITES)
            .operations(MILLI, 2 * MILLI)
            .spread(0.3)
            .limited(40),
        StorageModel.of("an array that Linux limits", 8, 1_000, LARGE)
            .operations(MILLI, 2 * MILLI)
            .spread(0.3)
            .limited(200));
  }
}
