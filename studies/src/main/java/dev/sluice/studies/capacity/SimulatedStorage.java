package dev.sluice.studies.capacity;

import dev.sluice.core.model.Operation;
import dev.sluice.core.model.OperationClass;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.LongToDoubleFunction;

/** Serves requests as a {@link StorageModel} says, first come, first served. */
final class SimulatedStorage {
  private static final long SECOND = 1_000_000_000L;
  private static final long CACHED_NANOS = 200_000;

  private final StorageModel model;
  private final LongToDoubleFunction speed;
  private final SplittableRandom random;
  private final long[] freeAtNanos;

  private final SlicedLimit limit = new SlicedLimit();

  private double cachedBytes;
  private long cachedAtNanos;

  private long wanderSecond = -1;
  private double wandered = 1;

  SimulatedStorage(StorageModel model, LongToDoubleFunction speed, long seed) {
    this.model = model;
    this.speed = speed;
    this.random = new SplittableRandom(seed);
    this.freeAtNanos = new long[model.channels()];
  }

  /** How fast it is at an instant, as a part of full speed. */
  double speed(long nowNanos) {
    return speed.applyAsDouble(nowNanos) * (1 - neighbour(nowNanos));
  }

  private double neighbour(long nowNanos) {
    return model.neighbourEveryNanos() > 0 && nowNanos / model.neighbourEveryNanos() % 2 == 1
        ? model.neighbourPart()
        : 0;
  }

  private double wander(long nowNanos) {
    long second = nowNanos / SECOND;
    if (model.wander() > 0 && second != wanderSecond) {
      wanderSecond = second;
      wandered = 1 + model.wander() * (2 * random.nextDouble() - 1);
    }
    return wandered;
  }

  /** Takes a request in; answers when it is done. */
  long serve(Operation operation, long bytes, long nowNanos) {
    boolean metadata = operation.operationClass() != OperationClass.DATA;
    boolean write = operation == Operation.WRITE;
    long under =
        model.networkNanos() == 0
            ? 0
            : Math.round(model.networkNanos() * (1 + model.networkSpread() * random.nextDouble()));
    double speedNow = speed(nowNanos) * wander(nowNanos);
    if (write && model.cacheBytes() > 0) {
      return under + cached(bytes, speedNow, nowNanos);
    }
    int channel = 0;
    for (int i = 1; i < freeAtNanos.length; i++) {
      if (freeAtNanos[i] < freeAtNanos[channel]) {
        channel = i;
      }
    }
    // What a limit holds back is not slower behind it.
    double speedBehind = model.limitBytesPerSecond() > 0 ? 1 : speedNow;
    double nanos = model.serviceNanos(metadata, write, bytes) / speedBehind * spread();
    long start = Math.max(passed(bytes, nowNanos), freeAtNanos[channel]);
    long end = standing(start, Math.round(nanos));
    freeAtNanos[channel] = end;
    return end + under;
  }

  /** When a request that comes now is let pass. */
  private long passed(long bytes, long nowNanos) {
    return model.limitBytesPerSecond() == 0
        ? nowNanos
        : limit.pass(bytes, model.limitBytesPerSecond() * speed(nowNanos), nowNanos);
  }

  /** A service time's factor, 1 in the mean. */
  private double spread() {
    double sigma = model.serviceSpread();
    return sigma == 0 ? 1 : Math.exp(sigma * random.nextGaussian() - sigma * sigma / 2);
  }

  /** When so much work is done that begins here, with the times in which all stands still. */
  private long standing(long startNanos, long nanos) {
    if (model.stallEveryNanos() == 0) {
      return startNanos + nanos;
    }
    long now = startNanos;
    long left = nanos;
    while (true) {
      long inCycle = now % model.stallEveryNanos();
      long works = model.stallEveryNanos() - model.stallNanos();
      if (inCycle >= works) {
        now += model.stallEveryNanos() - inCycle;
      } else if (left <= works - inCycle) {
        return now + left;
      } else {
        left -= works - inCycle;
        now += works - inCycle;
      }
    }
  }

  private long cached(long bytes, double speedNow, long nowNanos) {
    double drain = model.bytesPerSecond() / model.writeDearness() * speedNow / 1e9;
    cachedBytes = Math.max(0, cachedBytes - (nowNanos - cachedAtNanos) * drain);
    cachedAtNanos = nowNanos;
    // What a request takes besides its bytes it takes when it leaves the cache.
    cachedBytes += bytes + model.operationNanos() * drain / speedNow;
    double over = cachedBytes - model.cacheBytes();
    return nowNanos + CACHED_NANOS + (over > 0 ? Math.round(over / drain) : 0);
  }

  /** How many channels would be free. */
  long idleChannels(long nowNanos) {
    return Arrays.stream(freeAtNanos).filter(free -> free <= nowNanos).count();
  }
}
