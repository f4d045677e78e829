package dev.sluice.core.policy.welcome;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.policy.Cluster;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.policy.Observation;
import dev.sluice.core.policy.PolicyContract;
import dev.sluice.core.policy.PolicyFactory;
import dev.sluice.core.policy.Step;
import java.util.List;
import org.junit.jupiter.api.Test;

class WelcomeTest extends PolicyContract {
  private static final long SECOND_NANOS = 1_000_000_000;
  private static final Target TARGET = new Target("t", 100, TokenUnit.OPERATIONS);

  @Override
  protected PolicyFactory factory() {
    return new WelcomeFactory();
  }

  @Test
  void whoIsNewWeighsMoreForAWhile() {
    Welcome policy = new Welcome(4, 2 * SECOND_NANOS);
    Step<Welcome.Guests> first =
        policy.decide(policy.initialState(Cluster.of(TARGET)), seen(1, "a"));
    Step<Welcome.Guests> later = policy.decide(first.next(), seen(3, "a", "b"));
    assertThat(first.allocation().on("t").weight(0)).isEqualTo(4);
    assertThat(later.allocation().on("t").weight(0)).as("of a, who is known").isEqualTo(1);
    assertThat(later.allocation().on("t").weight(1)).as("of b, who is new").isEqualTo(4);

    Step<Welcome.Guests> withoutA = policy.decide(later.next(), seen(4, "b"));
    Step<Welcome.Guests> back = policy.decide(withoutA.next(), seen(5, "a", "b"));
    assertThat(back.allocation().on("t").weight(0)).as("of a, who was away").isEqualTo(4);
    assertThat(back.allocation().on("t").weight(1)).as("of b, who stayed").isEqualTo(1);
  }

  private static Observation seen(long second, String... jobs) {
    return Observation.of(
        TARGET,
        second * SECOND_NANOS,
        SECOND_NANOS,
        List.of(jobs).stream().map(job -> JobDemand.of(job, 1, 10)).toList());
  }
}
