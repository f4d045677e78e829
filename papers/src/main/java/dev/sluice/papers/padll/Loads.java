package dev.sluice.papers.padll;

import dev.sluice.core.model.Operation;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.sim.engine.Seeds;
import java.util.List;
import java.util.function.LongFunction;

/** What is limited in sections V-A and V-B, scaled down so that it can be replayed one by one. */
final class Loads {
  /** One request stands for so many metadata operations. */
  private static final long METADATA_SCALE = 100;

  private static final int METADATA_HOLDS_SECONDS = 6 * 60;

  private static final long MEBIBYTES = 1L << 20;

  /** Requests of data are large, and so few that none need stand for others. */
  private static final long BENCHMARK_BYTES = 4 * MEBIBYTES;

  private static final long SAMPLE_BYTES = MEBIBYTES;

  /** Parts of all operations in the paper's trace; the rest of the four is renames. */
  private static final double OPENS = 0.145;

  private static final double GETATTRS = 0.479;
  private static final double CLOSES = 0.2175;

  private Loads() {}

  /** The opens of the trace. */
  static LimitedLoad open(long seed) {
    return metadata(
        "open",
        "operation=open",
        new CurveLoad(LoadCurve.drawn(seed), OPENS / METADATA_SCALE, _ -> Operation.OPEN),
        10_000,
        20_000,
        8_000,
        14_000,
        30_000,
        12_000);
  }

  /** The getattrs of the trace. */
  static LimitedLoad getattr(long seed) {
    return metadata(
        "getattr",
        "operation=getattr",
        new CurveLoad(LoadCurve.drawn(seed), GETATTRS / METADATA_SCALE, _ -> Operation.GETATTR),
        25_000,
        70_000,
        30_000,
        50_000,
        90_000,
        45_000);
  }

  /** The whole trace: opens, closes, getattrs and renames mixed. */
  static LimitedLoad metadata(long seed) {
    long mix = Seeds.named(seed, "mix of metadata operations");
    return metadata(
        "metadata",
        "class=metadata",
        new CurveLoad(
            LoadCurve.drawn(seed),
            1.0 / METADATA_SCALE,
            number -> operation(Seeds.uniform(mix, number))),
        50_000,
        150_000,
        70_000,
        100_000,
        180_000,
        90_000);
  }

  private static Operation operation(double uniform) {
    if (uniform < GETATTRS) {
      return Operation.GETATTR;
    }
    if (uniform < GETATTRS + CLOSES) {
      return Operation.CLOSE;
    }
    return uniform < GETATTRS + CLOSES + OPENS ? Operation.OPEN : Operation.RENAME;
  }

  private static LimitedLoad metadata(
      String name, String match, LimitedReplay.Load load, Integer... perSecond) {
    List<Long> limits = List.of(perSecond).stream().map(rate -> rate / METADATA_SCALE).toList();
    return new LimitedLoad(
        name,
        load,
        new LimitedReplay.Limits(match, TokenUnit.OPERATIONS, limits, METADATA_HOLDS_SECONDS),
        METADATA_SCALE);
  }

  /** A benchmark that reads as fast as it can, 2 GiB/s or so. */
  static LimitedLoad read(long seed) {
    return data(
        "read",
        "operation=read",
        new UnsteadyLoad(
            Seeds.named(seed, "reads"), 480, 2_048 * MEBIBYTES, Operation.READ, BENCHMARK_BYTES),
        60,
        1_536,
        512,
        2_560,
        1_024,
        768,
        2_048,
        1_280,
        3_072);
  }

  /** A benchmark that writes as fast as it can, 1.5 GiB/s or so. */
  static LimitedLoad write(long seed) {
    return data(
        "write",
        "operation=write",
        new UnsteadyLoad(
            Seeds.named(seed, "writes"), 480, 1_536 * MEBIBYTES, Operation.WRITE, BENCHMARK_BYTES),
        60,
        1_024,
        512,
        2_048,
        768,
        1_792,
        640,
        1_536,
        2_560);
  }

  /** A training that reads its samples, 300 MiB/s or so. */
  static LimitedLoad data(long seed) {
    return data(
        "data",
        "class=data",
        new UnsteadyLoad(
            Seeds.named(seed, "samples"), 1_800, 300 * MEBIBYTES, Operation.READ, SAMPLE_BYTES),
        5 * 60,
        200,
        400,
        150,
        350,
        600,
        250);
  }

  private static LimitedLoad data(
      String name,
      String match,
      LimitedReplay.Load load,
      int holdsSeconds,
      Integer... mebibytesPerSecond) {
    List<Long> limits = List.of(mebibytesPerSecond).stream().map(rate -> rate * MEBIBYTES).toList();
    return new LimitedLoad(
        name, load, new LimitedReplay.Limits(match, TokenUnit.BYTES, limits, holdsSeconds), 1);
  }

  /** A part of the trace. */
  private record CurveLoad(LoadCurve curve, double part, LongFunction<Operation> operations)
      implements LimitedReplay.Load {
    @Override
    public int seconds() {
      return LoadCurve.SECONDS;
    }

    @Override
    public int requests(int second) {
      return (int) curve.operations(part, second);
    }

    @Override
    public Operation operation(long number) {
      return operations.apply(number);
    }

    @Override
    public long bytes() {
      return 0;
    }
  }

  /** One kind of request at a rate that differs by up to a quarter from second to second. */
  private record UnsteadyLoad(
      long seed, int seconds, long bytesPerSecond, Operation only, long bytes)
      implements LimitedReplay.Load {
    private static final double DEVIATION = 0.25;

    @Override
    public int requests(int second) {
      double factor = 1 + DEVIATION * (2 * Seeds.uniform(seed, second) - 1);
      return (int) (factor * bytesPerSecond / bytes);
    }

    @Override
    public Operation operation(long number) {
      return only;
    }
  }
}
