package dev.sluice.lustre.control;

import dev.sluice.core.model.JobId;
import dev.sluice.lustre.LustreJobId;
import dev.sluice.lustre.stats.JobActivity;
import dev.sluice.lustre.tbf.JobPattern;
import org.jspecify.annotations.Nullable;

/** What is known of a job that was active not long ago. */
final class ManagedJob {
  private static final double UNCOUNTED_PART = 0.1;

  final LustreJobId id;
  final JobId shown;
  final JobPattern pattern;

  /** What it did in the last period; null where it did nothing. */
  @Nullable JobActivity activity;

  /** What the rule that held for it lets pass, on all partitions that serve it. */
  double letPass;

  /** Whether that rule is its own. */
  boolean hasRule;

  /** Whether it is, and matched somebody's requests. */
  boolean ruleMatched;

  /** What it was served without being counted, in parts of what it is judged by. */
  double uncountedPart;

  /** The same in requests. */
  double uncounted;

  int idlePeriods;
  long nodes = 1;
  boolean heldBack;
  boolean wasHeldBack;

  /** Over how many partitions its rate is divided. */
  int partitions = 1;

  long wantedRpcs;

  /** What was decided that it may have for the period that begins. */
  double granted;

  /** The same as a rate; for an idle job, what it may begin with. */
  double grantedPerSecond;

  /** What its rule is to let pass, on all its partitions. */
  double perSecond;

  /** Whether it has a rule only to see whether it sends requests that nobody counts. */
  boolean suspected;

  ManagedJob(LustreJobId id, JobPattern pattern) {
    this.id = id;
    this.shown = id.shown();
    this.pattern = pattern;
  }

  /** Whether it did something, or so much that nobody counts that it is worth speaking of. */
  boolean isActive() {
    return activity != null || uncounted >= Math.max(1, UNCOUNTED_PART * letPass);
  }

  /** All that it was served, counted or not. */
  double served() {
    return rpcs() + uncounted;
  }

  long rpcs() {
    return activity == null ? 0 : activity.rpcs();
  }
}
