package dev.sluice.core.schedule.registry;

import dev.sluice.core.model.Target;
import dev.sluice.core.schedule.RequestScheduler;
import dev.sluice.core.schedule.SchedulerKind;
import dev.sluice.core.schedule.ShareTree;
import dev.sluice.core.schedule.fair.FairScheduler;
import dev.sluice.core.schedule.fifo.FifoScheduler;
import dev.sluice.core.schedule.iosets.IoSetsScheduler;
import dev.sluice.core.schedule.mlwdf.MlwdfScheduler;
import dev.sluice.core.schedule.sojourn.SojournScheduler;
import dev.sluice.core.schedule.tbf.TbfScheduler;
import dev.sluice.core.schedule.themis.ThemisScheduler;

/** Makes schedulers by kind, the same for simulation and for every data plane. */
public final class Schedulers {
  private Schedulers() {}

  /** A new scheduler for a target, which knows no job yet, with all jobs side by side. */
  public static RequestScheduler create(SchedulerKind kind, Target target) {
    return create(kind, target, ShareTree.flat());
  }

  /**
   * A new scheduler for a target, which knows no job yet.
   *
   * @param tree who divides with whom, for schedulers that divide by weight
   */
  public static RequestScheduler create(SchedulerKind kind, Target target, ShareTree tree) {
    return switch (kind) {
      case FIFO -> new FifoScheduler();
      case TBF -> new TbfScheduler(target);
      case FAIR -> new FairScheduler(target.unit(), tree);
      case IOSETS -> new IoSetsScheduler(target);
      case MLWDF -> new MlwdfScheduler(target);
      case SOJOURN -> new SojournScheduler(target, tree);
      case THEMIS -> new ThemisScheduler(tree);
    };
  }
}
