package dev.sluice.core.policy.adaptbf;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Rate;
import dev.sluice.core.policy.Cluster;
import dev.sluice.core.policy.StateCodec;
import dev.sluice.core.policy.StateReader;
import dev.sluice.core.policy.StateWriter;
import dev.sluice.core.policy.adaptbf.AdapTbfState.Dormant;
import java.util.ArrayList;
import java.util.List;

/** Writes the records, and what was allocated last; they mean the same under any settings. */
final class AdapTbfCodec implements StateCodec<AdapTbfState> {
  static final AdapTbfCodec INSTANCE = new AdapTbfCodec();

  private static final String BOOKS = "books";
  private static final String ACTIVE = "active";
  private static final String IDLE = "idle";

  /** Twice the largest, so that all sums of two fit. */
  private static final long TOKENS_MAX = 1L << 61;

  /** {@link AdapTbfState#checkInvariants} refuses more. */
  private static final double REMAINDER_MAX = 2;

  private AdapTbfCodec() {}

  @Override
  public String name() {
    return AdapTbfFactory.NAME;
  }

  @Override
  public void write(AdapTbfState state, StateWriter out) {
    out.line(BOOKS).whole(state.carriedNanotokens).whole(state.writtenOffTokens);
    for (int i = 0; i < state.jobs.length; i++) {
      out.line(ACTIVE)
          .job(state.jobs[i])
          .whole(state.records[i])
          .whole(state.allocated[i])
          .real(state.remainders[i]);
    }
    for (int i = 0; i < state.dormant.jobs.length; i++) {
      out.line(IDLE)
          .job(state.dormant.jobs[i])
          .whole(state.dormant.records[i])
          .whole(state.dormant.idleSinceNanos[i]);
    }
  }

  private record Active(JobId job, long recordTokens, long allocated, double remainder) {}

  private record Idle(JobId job, long recordTokens, long sinceNanos) {}

  @Override
  public AdapTbfState read(StateReader in, Cluster cluster) {
    in.line(BOOKS);
    long carriedNanotokens = in.whole(0, Rate.NANOS_PER_SECOND - 1);
    long writtenOffTokens = tokens(in);
    List<Active> active = new ArrayList<>();
    while (in.nextIs(ACTIVE)) {
      in.line(ACTIVE);
      active.add(
          new Active(
              in.job(),
              tokens(in),
              in.whole(0, TOKENS_MAX),
              in.real(-REMAINDER_MAX, REMAINDER_MAX)));
    }
    List<Idle> idle = new ArrayList<>();
    while (in.nextIs(IDLE)) {
      in.line(IDLE);
      idle.add(new Idle(in.job(), tokens(in), in.whole(Long.MIN_VALUE, Long.MAX_VALUE)));
    }
    AdapTbfState state =
        new AdapTbfState(
            cluster.only(),
            carriedNanotokens,
            ascending(active.stream().map(Active::job).toArray(JobId[]::new)),
            active.stream().mapToLong(Active::recordTokens).toArray(),
            active.stream().mapToLong(Active::allocated).toArray(),
            active.stream().mapToDouble(Active::remainder).toArray(),
            new Dormant(
                ascending(idle.stream().map(Idle::job).toArray(JobId[]::new)),
                idle.stream().mapToLong(Idle::recordTokens).toArray(),
                idle.stream().mapToLong(Idle::sinceNanos).toArray()),
            writtenOffTokens);
    state.checkInvariants();
    return state;
  }

  private static long tokens(StateReader in) {
    return in.whole(-TOKENS_MAX, TOKENS_MAX);
  }

  private static JobId[] ascending(JobId[] jobs) {
    for (int i = 1; i < jobs.length; i++) {
      if (jobs[i - 1].compareTo(jobs[i]) >= 0) {
        throw new IllegalArgumentException(
            "jobs must ascend without repetition: " + jobs[i - 1] + ", " + jobs[i]);
      }
    }
    return jobs;
  }
}
