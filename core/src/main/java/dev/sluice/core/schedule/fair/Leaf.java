package dev.sluice.core.schedule.fair;

import dev.sluice.core.model.Flow;
import dev.sluice.core.model.JobId;
import dev.sluice.core.schedule.JobTable;
import dev.sluice.core.schedule.RequestQueue;
import dev.sluice.core.schedule.anticipation.Absence;
import dev.sluice.core.schedule.anticipation.ReturningJob;
import dev.sluice.core.schedule.terms.Terms;
import org.jspecify.annotations.Nullable;

/** The share of one job, with its requests in the order in which they came. */
final class Leaf extends Share implements JobTable.Row, ReturningJob<Leaf> {
  private final JobId job;

  /** By which it was placed in the tree. */
  Flow flow;

  final RequestQueue queue = new RequestQueue();

  /** When it comes back from having nothing queued; null where nobody asks. */
  @Nullable Absence<Leaf> absence;

  @Nullable Terms<Leaf> terms;

  /** The reconfiguration that last named the job. */
  long namedBy;

  Leaf(Flow flow, Group parent, long weight) {
    super(parent, weight);
    this.job = flow.job();
    this.flow = flow;
  }

  @Override
  public JobId job() {
    return job;
  }

  @Override
  public RequestQueue queue() {
    return queue;
  }

  @Override
  public @Nullable Terms<Leaf> terms() {
    return terms;
  }

  @Override
  public void setTerms(@Nullable Terms<Leaf> terms) {
    this.terms = terms;
  }

  @Override
  public @Nullable Absence<Leaf> absence() {
    return absence;
  }

  @Override
  public void setAbsence(Absence<Leaf> absence) {
    this.absence = absence;
  }

  @Override
  public boolean isBacklogged() {
    return ReturningJob.super.isBacklogged();
  }

  @Override
  public String toString() {
    return "job " + job;
  }
}
