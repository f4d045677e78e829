package dev.sluice.sim.storage;

import dev.sluice.core.model.JobId;
import dev.sluice.core.schedule.SchedulerKind;
import dev.sluice.core.schedule.ShareTree;
import dev.sluice.sim.engine.EventQueue;
import dev.sluice.sim.scenario.FileLayout;
import dev.sluice.sim.scenario.TargetSpec;
import java.util.ArrayList;
import java.util.List;

/** All targets of a simulation, and where files lie on them. */
public final class SimStorage {
  private final List<SimTarget> targets = new ArrayList<>();
  private final Placement placement;

  /**
   * @param tree who divides with whom, for schedulers that divide by weight
   * @param watchesCadences whether to find out how often each job does I/O on each target
   */
  public SimStorage(
      List<TargetSpec> specs,
      SchedulerKind kind,
      ShareTree tree,
      boolean watchesCadences,
      long seed,
      long sampleNanos,
      EventQueue events) {
    for (TargetSpec spec : specs) {
      targets.add(new SimTarget(spec, kind, tree, watchesCadences, seed, sampleNanos, events));
    }
    placement = new Placement(specs);
  }

  /** Makes a file; answers its job's accounts on the targets it lies on, in the stripes' order. */
  public List<JobOnTarget> createFile(JobId job, FileLayout layout, long bytes) {
    List<JobOnTarget> stripes = new ArrayList<>();
    for (int target : placement.place(layout, bytes)) {
      stripes.add(targets.get(target).account(job));
    }
    return stripes;
  }

  /** The job's account on the target with this name. */
  public JobOnTarget account(JobId job, String target) {
    return targets.get(placement.named(target)).account(job);
  }

  public List<SimTarget> targets() {
    return targets;
  }
}
