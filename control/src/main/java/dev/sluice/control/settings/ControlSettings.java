package dev.sluice.control.settings;

import java.util.List;

/**
 * All that holds at one instant, as far as nodes are concerned: schedules are resolved, history is
 * left out. Whoever keeps policies and limits hands these out; the controller asks for them once a
 * cycle, so that a change holds within one.
 *
 * @param revision differs between any two settings that differ, so that a change is noticed
 * @param resources what is divided among jobs; no two about the same calls or bytes
 * @param limits what single jobs and users may not exceed, however much there is
 */
public record ControlSettings(long revision, List<SharedResource> resources, List<Limit> limits) {
  /** Nothing is divided and nobody limited. */
  public static final ControlSettings NONE = new ControlSettings(0, List.of(), List.of());

  public ControlSettings {
    resources = List.copyOf(resources);
    limits = List.copyOf(limits);
    long different = resources.stream().map(SharedResource::key).distinct().count();
    if (different < resources.size()) {
      throw new IllegalArgumentException("a resource is there twice: " + resources);
    }
  }
}
