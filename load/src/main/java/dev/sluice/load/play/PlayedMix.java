package dev.sluice.load.play;

import dev.sluice.core.model.Operation;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** Operations to draw from by weight, as the simulator draws them. */
final class PlayedMix {
  private final Map<Operation, Integer> weights;
  private final int sum;

  PlayedMix(Map<Operation, Integer> weights) {
    this.weights = new TreeMap<>(weights);
    this.weights.values().removeIf(weight -> weight == 0);
    this.sum = this.weights.values().stream().reduce(0, Math::addExact);
    if (sum < 1) {
      throw new IllegalArgumentException("a mix of operations has weights that are not all 0");
    }
  }

  Set<Operation> operations() {
    return weights.keySet();
  }

  Operation draw(SplittableRandom random) {
    int left = weights.size() == 1 ? 0 : random.nextInt(sum);
    for (Map.Entry<Operation, Integer> entry : weights.entrySet()) {
      left -= entry.getValue();
      if (left < 0) {
        return entry.getKey();
      }
    }
    throw new IllegalStateException("the weights sum up to more than their sum");
  }
}
