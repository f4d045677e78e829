package dev.sluice.core.policy;

import dev.sluice.core.model.Target;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The targets that a policy decides about. One for a policy that treats each target alone. */
public record Cluster(List<Target> targets) {
  public Cluster {
    targets = List.copyOf(targets);
    if (targets.isEmpty()) {
      throw new IllegalArgumentException("a cluster has at least one target");
    }
    Set<String> names = new HashSet<>();
    for (Target target : targets) {
      if (!names.add(target.name())) {
        throw new IllegalArgumentException("two targets are called " + target.name());
      }
    }
  }

  public static Cluster of(Target target) {
    return new Cluster(List.of(target));
  }

  /** The only target. */
  public Target only() {
    if (targets.size() != 1) {
      throw new IllegalArgumentException(
          "this policy treats each target alone and was given " + targets.size());
    }
    return targets.getFirst();
  }
}
