package dev.sluice.core.policy.welcome;

import dev.sluice.core.model.JobId;
import dev.sluice.core.policy.Cluster;
import dev.sluice.core.policy.StateCodec;
import dev.sluice.core.policy.StateReader;
import dev.sluice.core.policy.StateWriter;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** Writes since when each job is there, so that a restart makes nobody new. */
final class WelcomeCodec implements StateCodec<Welcome.Guests> {
  @Override
  public String name() {
    return "welcome";
  }

  @Override
  public void write(Welcome.Guests guests, StateWriter out) {
    new TreeMap<>(guests.sinceNanos())
        .forEach((job, since) -> out.line("guest").job(job).whole(since));
  }

  @Override
  public Welcome.Guests read(StateReader in, Cluster cluster) {
    Map<JobId, Long> sinceNanos = new HashMap<>();
    while (in.nextIs("guest")) {
      in.line("guest");
      sinceNanos.put(in.job(), in.whole(0, Long.MAX_VALUE));
    }
    return new Welcome.Guests(sinceNanos);
  }
}
