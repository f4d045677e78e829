package dev.sluice.gateway.target;

import dev.sluice.core.model.Operation;
import java.util.EnumMap;
import java.util.Map;

/** How long operations took of late, each kind as a moving average. */
final class ServiceTimes {
  /** A new value counts for one part in 2^3. */
  private static final int WEIGHT_BITS = 3;

  private final Map<Operation, Average> averages = new EnumMap<>(Operation.class);

  private static final class Average {
    long nanos;
  }

  ServiceTimes() {
    for (Operation operation : Operation.values()) {
      averages.put(operation, new Average());
    }
  }

  void took(Operation operation, long nanos) {
    Average average = averages.get(operation);
    if (average != null) {
      average.nanos += (nanos - average.nanos) >> WEIGHT_BITS;
    }
  }

  long averageNanos(Operation operation) {
    Average average = averages.get(operation);
    return average == null ? 0 : average.nanos;
  }
}
