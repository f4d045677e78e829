package dev.sluice.sim.workload;

import dev.sluice.core.model.Operation;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/** Operations to draw from by weight. */
final class OperationMix {
  private final Operation[] operations;

  /** The sum of the weights up to and with each operation. */
  private final int[] weightsUpTo;

  OperationMix(Map<Operation, Integer> weights) {
    Map<Operation, Integer> ordered = new TreeMap<>(weights);
    ordered.values().removeIf(weight -> weight == 0);
    operations = ordered.keySet().toArray(Operation[]::new);
    weightsUpTo = new int[operations.length];
    int sum = 0;
    for (int i = 0; i < operations.length; i++) {
      sum = Math.addExact(sum, weights.getOrDefault(operations[i], 0));
      weightsUpTo[i] = sum;
    }
    if (sum < 1) {
      throw new IllegalArgumentException("a mix of operations has weights that are not all 0");
    }
  }

  static OperationMix only(Operation operation) {
    return new OperationMix(Map.of(operation, 1));
  }

  Operation draw(SimProcess process) {
    if (operations.length == 1) {
      return operations[0];
    }
    int drawn = process.draw(weightsUpTo[weightsUpTo.length - 1]);
    int index = Arrays.binarySearch(weightsUpTo, drawn + 1);
    return operations[index >= 0 ? index : -index - 1];
  }
}
