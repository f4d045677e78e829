package dev.sluice.core.policy.rivals;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.core.linear.PackingSolvers;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.policy.Cluster;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.policy.Observation;
import dev.sluice.core.policy.PolicyFactory;
import dev.sluice.core.policy.PolicyInfo;
import dev.sluice.core.policy.Settings;
import dev.sluice.core.policy.progress.Decisions;
import dev.sluice.core.policy.progress.JobsOnTargets;
import dev.sluice.core.policy.progress.ProgressPolicyContract;
import dev.sluice.core.policy.progress.ShareBasis;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class RivalsTest {
  /** An instance with every property that the paper's text states of its figure 5. */
  private static final Map<String, List<String>> FIGURE_5 =
      Map.of(
          "t1", List.of("A", "B"), "t2", List.of("A", "C", "D", "E"), "t3", List.of("A", "C", "D"));

  private static PolicyFactory named(String name) {
    return RivalFactory.all(PackingSolvers.BUILT_IN).stream()
        .filter(factory -> factory.info().name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @Nested
  class Pofs extends ProgressPolicyContract {
    @Override
    protected PolicyFactory factory() {
      return named("pofs");
    }

    /** Waste on target 3 for all and on target 1 for A. */
    @Test
    void figure5() {
      Decisions decided = Decisions.of(factory(), Map.of(), FIGURE_5);
      assertThat(decided.rates())
          .isEqualTo(Map.of("A", 0.25, "B", 0.5, "C", 0.25, "D", 0.25, "E", 0.25));
      assertThat(decided.tokens("t1")).isEqualTo(Map.of("A", 500L, "B", 500L));
      assertThat(decided.tokens("t3")).isEqualTo(Map.of("A", 333L, "C", 333L, "D", 333L));
    }
  }

  @Nested
  class Bsip extends ProgressPolicyContract {
    @Override
    protected PolicyFactory factory() {
      return named("bsip");
    }

    @Test
    void figure5() {
      Decisions decided = Decisions.of(factory(), Map.of(), FIGURE_5);
      assertThat(decided.rates())
          .isEqualTo(Map.of("A", 0.25, "B", 0.5, "C", 0.25, "D", 0.25, "E", 0.25));
      assertThat(decided.tokens("t1")).isEqualTo(Map.of("A", 250L, "B", 500L));
      assertThat(decided.tokens("t3")).isEqualTo(Map.of("A", 250L, "C", 250L, "D", 250L));
    }

    @Test
    void nodesMayWeigh() {
      Decisions decided =
          Decisions.of(
              factory(),
              Map.of("weights", "nodes"),
              Map.of("t1", List.of("A"), "t2", List.of("A", "B")),
              Map.of("A", 3L, "B", 1L));
      assertThat(decided.rates()).isEqualTo(Map.of("A", 0.75, "B", 0.25));
    }
  }

  @Nested
  class MaxMin extends ProgressPolicyContract {
    @Override
    protected PolicyFactory factory() {
      return named("maxmin");
    }

    @Test
    void figure5() {
      Decisions decided = Decisions.of(factory(), Map.of(), FIGURE_5);
      assertThat(decided.rates())
          .isEqualTo(Map.of("A", 0.25, "B", 0.75, "C", 0.25, "D", 0.25, "E", 0.25));
    }
  }

  @Nested
  class Mbw extends ProgressPolicyContract {
    @Override
    protected PolicyFactory factory() {
      return named("mbw");
    }

    /** Fills everything and gives E nothing. */
    @Test
    void figure5() {
      Map<String, Double> rates = Decisions.of(factory(), Map.of(), FIGURE_5).rates();
      assertThat(rate(rates, "E")).isZero();
      assertThat(rate(rates, "A") + rate(rates, "B")).isEqualTo(1, within(1e-9));
      assertThat(rate(rates, "A") + rate(rates, "C") + rate(rates, "D")).isEqualTo(1, within(1e-9));
    }
  }

  @Nested
  class Tsa extends ProgressPolicyContract {
    @Override
    protected PolicyFactory factory() {
      return named("tsa");
    }

    @Test
    void onlyTheSmallAreThrottled() {
      Map<String, Double> rates = throttled(factory());
      assertThat(rate(rates, "small")).isEqualTo(0.45, within(1e-9));
      assertThat(rate(rates, "large")).isEqualTo(0.55, within(1e-9));
    }
  }

  @Nested
  class Esa extends ProgressPolicyContract {
    @Override
    protected PolicyFactory factory() {
      return named("esa");
    }

    @Test
    void theSmallAreNotThrottled() {
      Map<String, Double> rates = throttled(factory());
      assertThat(rate(rates, "small")).isEqualTo(0.5, within(1e-9));
      assertThat(rate(rates, "large")).isEqualTo(0.5, within(1e-9));
    }

    @Test
    void theLargeAreThrottledWhereTheyAreInTheWay() {
      Map<String, Double> rates =
          Decisions.of(
                  factory(),
                  Map.of(),
                  Map.of("t1", List.of("small", "large"), "t2", List.of("small")),
                  Map.of("small", 1L, "large", 8L))
              .rates();
      assertThat(rate(rates, "large")).isEqualTo(0.45, within(1e-9));
      assertThat(rate(rates, "small")).isEqualTo(0.55, within(1e-9));
    }
  }

  /** As the prototype of GIFT's authors: all the others share what the victims lose. */
  @Test
  void whatVictimsLoseIsSharedAlike() {
    Map<String, Double> rates =
        Decisions.of(
                named("tsa"),
                Map.of("growth", "alike"),
                Map.of("t1", List.of("small", "large", "other"), "t2", List.of("small", "large")),
                Map.of("small", 1L, "large", 9L, "other", 9L))
            .rates();
    assertThat(rate(rates, "small")).isEqualTo(0.3, within(1e-9));
    assertThat(rate(rates, "large")).isEqualTo(0.35, within(1e-9));
    assertThat(rate(rates, "other")).isEqualTo(0.35, within(1e-9));
  }

  /** Who has as many nodes as the average is small: all are, where all are alike. */
  @Test
  void whoIsAverageIsSmall() {
    Map<String, List<String>> both = Map.of("t1", List.of("A", "B"), "t2", List.of("B"));
    Map<String, Long> alike = Map.of("A", 4L, "B", 4L);
    Map<String, Double> small = Decisions.of(named("tsa"), Map.of(), both, alike).rates();
    assertThat(rate(small, "A")).isEqualTo(0.45, within(1e-9));
    Map<String, Double> large = Decisions.of(named("esa"), Map.of(), both, alike).rates();
    assertThat(rate(large, "A")).isEqualTo(0.5, within(1e-9));
  }

  @Test
  void howFarTheyAreThrottledIsSet() {
    Map<String, List<String>> both = Map.of("t1", List.of("A", "B"), "t2", List.of("B"));
    Map<String, Double> rates =
        Decisions.of(named("tsa"), Map.of("threshold", "0.4"), both).rates();
    assertThat(rate(rates, "A")).isEqualTo(0.3, within(1e-9));
    assertThat(rate(rates, "B")).isEqualTo(0.7, within(1e-9));
  }

  @Test
  void whatCanBeSetAndIsNeededIsWhatARivalGoesBy() {
    List<String> byRule = List.of("weights", "threshold", "growth", "solver");
    Map<String, List<String>> parameters =
        Map.of(
            "pofs", List.of("weights"),
            "bsip", List.of("weights"),
            "maxmin", List.of("weights"),
            "mbw", List.of("weights", "solver"),
            "tsa", byRule,
            "esa", byRule,
            "tmf", byRule,
            "rnd", List.of("weights", "threshold", "growth", "seed", "solver"));
    List<PolicyFactory> all = RivalFactory.all(PackingSolvers.BUILT_IN);
    assertThat(all)
        .extracting(factory -> factory.info().name())
        .hasSameElementsAs(parameters.keySet());
    for (PolicyFactory factory : all) {
      PolicyInfo info = factory.info();
      List<String> settings = parameters.getOrDefault(info.name(), List.of());
      assertThat(info.parameters())
          .as(info.name())
          .extracting(PolicyInfo.Parameter::name)
          .contains("lending")
          .filteredOn(name -> !name.equals("lending"))
          .isEqualTo(settings);
      assertThat(info.needs().contains(PolicyInfo.Need.NODES))
          .as("%s goes by nodes", info.name())
          .isEqualTo(Set.of("tsa", "esa").contains(info.name()));
      assertThat(info.description().contains("without coupons"))
          .as("%s is gift without coupons", info.name())
          .isEqualTo(parameters.getOrDefault(info.name(), List.of()).contains("threshold"));
      assertThat(info.source().contains("of our own"))
          .as(info.name())
          .isEqualTo(info.name().equals("maxmin"));
    }
  }

  @Test
  void theRuleAndWhoGetsWhatOthersLoseAreTold() {
    Map<String, List<String>> both = Map.of("t1", List.of("A", "B"), "t2", List.of("B"));
    assertThat(Decisions.of(named("tsa"), Map.of(), both).summary())
        .contains("; jobs with no more nodes than the average may be throttled; ")
        .doesNotEndWith("; ");
    assertThat(Decisions.of(named("rnd"), Map.of("growth", "alike"), both).summary())
        .endsWith(
            "; a coin says for each job whether it may be throttled; what they lose is shared"
                + " fairly by the others, target by target");
  }

  @Test
  void whatIsRememberedIsKeptByRulesThatGoByItAndStaysWhereTheCapacityChanges() {
    for (PolicyFactory factory : RivalFactory.all(PackingSolvers.BUILT_IN)) {
      String name = factory.info().name();
      assertThat(factory.create(new Settings(factory.info(), Map.of())).codec() != null)
          .as("%s keeps something over a restart", name)
          .isEqualTo(Set.of("tmf", "rnd").contains(name));
    }
    PolicyFactory factory = named("tmf");
    RuleThrottling policy = (RuleThrottling) factory.create(new Settings(factory.info(), Map.of()));
    long second = 1_000_000_000L;
    Target slow = new Target("t", 1_000, TokenUnit.BYTES);
    Target fast = new Target("t", 2_000, TokenUnit.BYTES);
    RuleThrottling.State before =
        policy
            .decide(
                policy.initialState(Cluster.of(slow)),
                Observation.of(slow, second, second, List.of(JobDemand.of("a", 1, 5))))
            .next();
    RuleThrottling.State after =
        policy.decide(before, Observation.of(fast, 2 * second, second, List.of())).next();
    assertThat(after.decisions()).isEqualTo(2);
    assertThat(after.appearances().of(JobId.of("a"))).isEqualTo(1);
  }

  /** Who appeared once is forgotten when there are too many; what is older counts half. */
  @Test
  void ofTooManyApplicationsThoseAreForgottenThatAppearedOnce() {
    Map<JobId, Long> counts = new HashMap<>();
    counts.put(JobId.of("often"), 5L);
    counts.put(JobId.of("twice"), 2L);
    for (int i = counts.size(); i < 99_999; i++) {
      counts.put(JobId.of("once" + i), 1L);
    }
    Appearances most = Appearances.of(counts).with(alone("new"));
    assertThat(most.counts()).hasSize(100_000);
    assertThat(most.of(JobId.of("new"))).isEqualTo(1);
    assertThat(most.with(alone("twice")).of(JobId.of("twice"))).isEqualTo(3);
    assertThat(most.with(alone("another")).counts())
        .isEqualTo(Map.of(JobId.of("often"), 2L, JobId.of("twice"), 1L));
  }

  private static JobsOnTargets alone(String job) {
    long second = 1_000_000_000L;
    return new JobsOnTargets(
        Observation.of(
            new Target("t", 1_000, TokenUnit.BYTES),
            second,
            second,
            List.of(JobDemand.of(job, 1, 5))),
        ShareBasis.GIVEN);
  }

  /** The small job stands in the way of the large one, which is on two targets. */
  private static Map<String, Double> throttled(PolicyFactory factory) {
    return Decisions.of(
            factory,
            Map.of(),
            Map.of("t1", List.of("small", "large"), "t2", List.of("large")),
            Map.of("small", 1L, "large", 8L))
        .rates();
  }

  @Nested
  class Tmf extends ProgressPolicyContract {
    @Override
    protected PolicyFactory factory() {
      return named("tmf");
    }

    @Test
    void whoAppearedMoreOftenIsThrottled() {
      Map<String, List<String>> both = Map.of("t1", List.of("A", "B"), "t2", List.of("B"));
      List<Decisions> decided =
          Decisions.sequence(
              factory(),
              Map.of(),
              List.of(Map.of("t1", List.of("A"), "t2", List.of()), both, both));
      assertThat(rate(decided.get(1).rates(), "A")).isEqualTo(0.45, within(1e-9));
    }
  }

  @Nested
  class Rnd extends ProgressPolicyContract {
    @Override
    protected PolicyFactory factory() {
      return named("rnd");
    }

    @Test
    void theCoinFallsBothWaysAndTheSeedDecidesHow() {
      Map<String, List<String>> both = Map.of("t1", List.of("A", "B"), "t2", List.of("B"));
      List<Map<String, List<String>>> steps = Collections.nCopies(40, both);
      List<Double> one = ratesOfA(steps, "1");
      assertThat(ratesOfA(steps, "1")).isEqualTo(one);
      assertThat(ratesOfA(steps, "2")).isNotEqualTo(one);
      assertThat(one.stream().filter(rate -> rate < 0.46).count()).isBetween(8L, 32L);
    }

    private List<Double> ratesOfA(List<Map<String, List<String>>> steps, String seed) {
      return Decisions.sequence(factory(), Map.of("seed", seed), steps).stream()
          .map(step -> rate(step.rates(), "A"))
          .toList();
    }
  }

  private static double rate(Map<String, Double> rates, String job) {
    return rates.getOrDefault(JobId.of(job).toString(), Double.NaN);
  }
}
