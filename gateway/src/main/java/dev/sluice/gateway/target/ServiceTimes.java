package dev.sluice.gateway.target;

import dev.sluice.core.model.Operation;
import java.util.EnumMap;
import java.util.Map;

/** How long operations waited for the storage of late, each kind as a moving average. */
final class ServiceTimes {
  /** A new value counts for one part in 2^3. */
  private static final int WEIGHT_BITS = 3;

  /** No value counts for more: one thread that lost the processor makes no slow storage. */
  private static final long COUNTED_NANOS_MAX = 2_000_000;

  /** What copying a byte takes on a busy machine, whatever the storage. */
  private static final long COPY_NANOS_PER_BYTE = 1;

  private final Map<Operation, Average> averages = new EnumMap<>(Operation.class);

  private static final class Average {
    long nanos;
  }

  ServiceTimes() {
    for (Operation operation : Operation.values()) {
      averages.put(operation, new Average());
    }
  }

  void took(Operation operation, long nanos, long movedBytes) {
    Average average = averages.get(operation);
    if (average != null) {
      long waited = Math.clamp(nanos - movedBytes * COPY_NANOS_PER_BYTE, 0, COUNTED_NANOS_MAX);
      average.nanos += (waited - average.nanos) >> WEIGHT_BITS;
    }
  }

  long averageNanos(Operation operation) {
    Average average = averages.get(operation);
    return average == null ? 0 : average.nanos;
  }
}
