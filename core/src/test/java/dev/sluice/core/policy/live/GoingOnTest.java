package dev.sluice.core.policy.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.policy.Cluster;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.policy.Observation;
import dev.sluice.core.policy.Policy;
import dev.sluice.core.policy.PolicyControl;
import dev.sluice.core.policy.PolicyFactory;
import dev.sluice.core.policy.Settings;
import dev.sluice.core.policy.adaptbf.AdapTbf;
import dev.sluice.core.policy.adaptbf.AdapTbfState;
import dev.sluice.core.policy.registry.PolicyRegistry;
import dev.sluice.core.schedule.Shares;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a policy has learnt survives a change of its targets' capacities. */
class GoingOnTest {
  private static final long SECOND = 1_000_000_000L;

  private static Cluster capable(long tokensPerSecond) {
    return Cluster.of(target(tokensPerSecond));
  }

  private static Target target(long tokensPerSecond) {
    return new Target("t", tokensPerSecond, TokenUnit.OPERATIONS);
  }

  static List<PolicyFactory> policies() {
    return PolicyRegistry.all();
  }

  /** What a target can serve while nobody wants anything of it makes no difference later. */
  @ParameterizedTest
  @MethodSource("policies")
  void aCapacityThatComesBackChangesNothing(PolicyFactory factory) {
    PolicyControl<?> one = control(factory, capable(1_000));
    PolicyControl<?> other = control(factory, capable(1_000));
    for (int period = 0; period < 30; period++) {
      one.decide(seen(period, 1_000));
      one.decide(nobody(period, 1_000));
      other.decide(seen(period, 1_000));
      other.decide(nobody(period, 500));
      assertThat(text(other.shares("t"))).isEqualTo(text(one.shares("t")));
    }
  }

  @ParameterizedTest
  @MethodSource("policies")
  void whatIsDecidedNextIsAboutTheCapacityThatIsThere(PolicyFactory factory) {
    PolicyControl<?> control = control(factory, capable(1_000));
    control.decide(seen(0, 1_000));
    control.decide(seen(1, 10));
    Shares shares = control.shares("t");
    double limited = 0;
    for (int i = 0; i < shares.size(); i++) {
      limited += shares.isLimited(i) ? shares.tokensPerSecond(i) : 0;
    }
    assertThat(limited).isLessThanOrEqualTo(10 + 1e-6);
  }

  @Test
  void adapTbfStillKnowsWhoHasLent() {
    AdapTbf policy = new AdapTbf(100 * SECOND);
    AdapTbfState state = policy.initialState(capable(1_000));
    List<JobDemand> jobs = List.of(JobDemand.of("greedy", 1, 2_000), JobDemand.of("modest", 1, 10));
    for (int period = 1; period < 5; period++) {
      state =
          policy.decide(state, Observation.of(target(1_000), period * SECOND, SECOND, jobs)).next();
    }
    long lent = state.record(JobId.of("modest"));
    assertThat(lent).isPositive();
    Observation slower = Observation.of(target(600), 5 * SECOND, SECOND, List.of());
    assertThat(policy.decide(state, slower).next().record(JobId.of("modest"))).isEqualTo(lent);
    Target another = new Target("u", 600, TokenUnit.OPERATIONS);
    Observation elsewhere = Observation.of(another, 5 * SECOND, SECOND, List.of());
    assertThat(policy.decide(state, elsewhere).next().record(JobId.of("modest"))).isZero();
  }

  private static PolicyControl<?> control(PolicyFactory factory, Cluster cluster) {
    return control(factory.create(new Settings(factory.info(), Map.of())), cluster);
  }

  private static <S> PolicyControl<S> control(Policy<S> policy, Cluster cluster) {
    return PolicyControl.of(policy, cluster);
  }

  private static Observation nobody(int period, long tokensPerSecond) {
    long nowNanos = (period + 1) * SECOND + SECOND / 2;
    return Observation.of(target(tokensPerSecond), nowNanos, SECOND, List.of());
  }

  private static Observation seen(int period, long tokensPerSecond) {
    List<JobDemand> jobs = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      jobs.add(JobDemand.of("job" + i, i + 1, 100L * ((i + period) % 7)));
    }
    return Observation.of(target(tokensPerSecond), (period + 1) * SECOND, SECOND, jobs);
  }

  private static List<String> text(Shares shares) {
    List<String> text = new ArrayList<>();
    for (int i = 0; i < shares.size(); i++) {
      text.add(shares.job(i) + " " + shares.rate(i) + " " + shares.weight(i));
    }
    return text;
  }
}
