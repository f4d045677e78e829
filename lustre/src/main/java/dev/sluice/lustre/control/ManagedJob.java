package dev.sluice.lustre.control;

import dev.sluice.core.model.JobId;
import dev.sluice.lustre.LustreJobId;
import dev.sluice.lustre.stats.JobActivity;
import dev.sluice.lustre.tbf.JobPattern;
import org.jspecify.annotations.Nullable;

/** What is known of a job that was active not long ago. */
final class ManagedJob {
  final LustreJobId id;
  final JobId shown;
  final JobPattern pattern;

  /** What it did in the last period; null where it did nothing. */
  @Nullable JobActivity activity;

  int idlePeriods;
  long nodes = 1;
  boolean heldBack;

  /** Over how many partitions its rate is divided. */
  int partitions = 1;

  long wantedRpcs;

  /** What AdapTBF gave it for the period that begins. */
  double granted;

  /** The same as a rate; for an idle job, what it may begin with. */
  double grantedPerSecond;

  ManagedJob(LustreJobId id, JobPattern pattern) {
    this.id = id;
    this.shown = id.shown();
    this.pattern = pattern;
  }

  boolean isActive() {
    return activity != null;
  }

  long rpcs() {
    return activity == null ? 0 : activity.rpcs();
  }
}
