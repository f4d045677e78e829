package dev.sluice.load.play;

import dev.sluice.core.model.Operation;
import dev.sluice.sim.scenario.Workload;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Sends requests as they were recorded. Which target each went to is up to the server here: all
 * reads are of one file and all writes to another.
 */
final class PlayedReplay implements PlayedWorkload {
  private final Workplace place;
  private final List<Workload.TraceLine> lines;
  private final MetadataCalls calls;
  private final Map<Operation, FileStream> streams = new EnumMap<>(Operation.class);

  PlayedReplay(Workplace place, Workload.Replay workload) {
    this.place = place;
    this.calls = new MetadataCalls(place);
    this.lines = new ArrayList<>(workload.lines());
    lines.sort(Comparator.comparingLong(Workload.TraceLine::atNanos));
    for (Workload.TraceLine line : lines) {
      if (!movesData(line)) {
        MetadataCalls.check(line.operation(), place);
      }
    }
  }

  private static boolean movesData(Workload.TraceLine line) {
    return line.operation() == Operation.READ || line.operation() == Operation.WRITE;
  }

  @Override
  public void prepare() throws IOException {
    calls.prepare();
    Map<Operation, Double> bytes = new EnumMap<>(Operation.class);
    for (Workload.TraceLine line : lines) {
      if (movesData(line)) {
        bytes.merge(line.operation(), (double) line.bytes(), Double::sum);
      }
    }
    for (Map.Entry<Operation, Double> entry : bytes.entrySet()) {
      Operation operation = entry.getKey();
      streams.put(operation, place.createStream(operation.text(), operation, entry.getValue()));
    }
  }

  @Override
  public boolean play(Stage stage) throws IOException {
    long startNanos = stage.time().nowNanos();
    for (Workload.TraceLine line : lines) {
      if (!stage.time().sleepUntil(startNanos + line.atNanos())) {
        return false;
      }
      if (movesData(line) && line.bytes() > 0) {
        FileStream stream = Objects.requireNonNull(streams.get(line.operation()));
        stage.requests().sendNow(() -> stream.request(line.bytes()));
      } else if (!movesData(line)) {
        stage.requests().sendNow(() -> calls.call(line.operation()));
      }
    }
    stage.requests().awaitAll();
    return true;
  }
}
