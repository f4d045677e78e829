package dev.sluice.core.policy.rivals;

import dev.sluice.core.model.JobId;
import dev.sluice.core.policy.Cluster;
import dev.sluice.core.policy.StateCodec;
import dev.sluice.core.policy.StateReader;
import dev.sluice.core.policy.StateWriter;
import java.util.HashMap;
import java.util.Map;

/** Writes how many decisions there were, and in how many of them each application did I/O. */
record RuleThrottlingCodec(String name) implements StateCodec<RuleThrottling.State> {
  private static final String DECISIONS = "decisions";
  private static final String APPLICATION = "application";

  @Override
  public void write(RuleThrottling.State state, StateWriter out) {
    out.line(DECISIONS).whole(state.decisions());
    state
        .appearances()
        .counts()
        .forEach((application, count) -> out.line(APPLICATION).job(application).whole(count));
  }

  @Override
  public RuleThrottling.State read(StateReader in, Cluster cluster) {
    long decisions = in.line(DECISIONS).whole(0, Long.MAX_VALUE);
    Map<JobId, Long> counts = new HashMap<>();
    while (in.nextIs(APPLICATION)) {
      in.line(APPLICATION);
      JobId application = in.job();
      // Nobody is in more decisions than there were, but several jobs may be of one application.
      if (counts.put(application, in.whole(1, Long.MAX_VALUE >> 1)) != null) {
        throw new IllegalArgumentException("application " + application + " is there twice");
      }
    }
    return new RuleThrottling.State(decisions, Appearances.of(counts));
  }
}
