package dev.sluice.control.settings;

import dev.sluice.core.policy.guarantee.Promises;
import java.util.List;

/**
 * All that holds at one instant, as far as nodes are concerned: schedules are resolved, history is
 * left out. Whoever keeps policies and limits hands these out; the controller asks for them once a
 * cycle, so that a change holds within one.
 *
 * @param revision differs between any two settings that differ, so that a change is noticed
 * @param resources what is divided among jobs; no two about the same calls or bytes
 * @param limits what single jobs and users may not exceed, however much there is
 * @param promises what gateways are to keep on their targets
 */
public record ControlSettings(
    long revision, List<SharedResource> resources, List<Limit> limits, Promises promises) {
  /** Nothing is divided and nobody limited. */
  public static final ControlSettings NONE = new ControlSettings(0, List.of(), List.of());

  /** Nobody was promised anything. */
  public ControlSettings(long revision, List<SharedResource> resources, List<Limit> limits) {
    this(revision, resources, limits, Promises.NONE);
  }

  public ControlSettings {
    resources = List.copyOf(resources);
    limits = List.copyOf(limits);
    long different = resources.stream().map(SharedResource::key).distinct().count();
    if (different < resources.size()) {
      throw new IllegalArgumentException("a resource is there twice: " + resources);
    }
  }
}
