package dev.sluice.core.policy.rivals;

import dev.sluice.core.linear.PackingSolver;
import dev.sluice.core.linear.PackingSolvers;
import dev.sluice.core.policy.Policy;
import dev.sluice.core.policy.PolicyFactory;
import dev.sluice.core.policy.PolicyInfo;
import dev.sluice.core.policy.PolicyInfo.Need;
import dev.sluice.core.policy.PolicyInfo.Parameter;
import dev.sluice.core.policy.Settings;
import dev.sluice.core.policy.progress.Lending;
import dev.sluice.core.policy.progress.ShareBasis;
import dev.sluice.core.schedule.SchedulerKind;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Registers GIFT's rivals, one for each of {@link Rival}. */
public final class RivalFactory implements PolicyFactory {
  private static final long PERIOD_NANOS = 10_000_000_000L;
  private static final String GIFT =
      "Patel, Garg and Tiwari, GIFT (FAST 2020), where it is compared with";

  private static final Parameter WEIGHTS =
      new Parameter(
          "weights",
          "given",
          "by what a target is shared: given (alike where no weights are given), nodes or"
              + " processes");
  private static final Parameter THRESHOLD =
      new Parameter("threshold", "0.1", "the part of its fair rate that a job may lose");
  private static final Parameter GROWTH =
      new Parameter(
          "growth",
          "program",
          "who gets what others lose: program (whoever brings the highest bandwidth, as in gift) or"
              + " alike (all the others their fair part, as in the prototype of gift's authors)");
  private static final Parameter SEED =
      new Parameter("seed", "1", "other coins for another number");

  private final Rival rival;
  private final PackingSolvers solvers;

  private RivalFactory(Rival rival, PackingSolvers solvers) {
    this.rival = rival;
    this.solvers = solvers;
  }

  /** All of them, with these to solve their linear programs. */
  public static List<PolicyFactory> all(PackingSolvers solvers) {
    List<PolicyFactory> all = new ArrayList<>();
    for (Rival rival : Rival.values()) {
      all.add(new RivalFactory(rival, solvers));
    }
    return all;
  }

  private enum Rival {
    POFS(
        "pofs",
        "each target is shared fairly by itself",
        "Per-target fair share: every target is divided among the jobs on it. A job that writes to"
            + " several moves as fast as the slowest of them, and the rest of its shares is wasted."
            + " The baseline of the paper."),
    BSIP(
        "bsip",
        "every job has what its most contended target allows",
        "Basic synchronous progress: on all its targets a job gets its fair share of the most"
            + " contended one. Nothing is given that cannot be used, and gaps remain elsewhere."),
    MAXMIN(
        "maxmin",
        "bsip, and its gaps filled by max-min fairness; no coupons",
        "Fills the gaps of bsip: the slowest jobs that can use what is left get it first. Nobody"
            + " is throttled and nothing is remembered, so that what coupons add can be seen."),
    MBW(
        "mbw",
        "the highest bandwidth, whoever starves",
        "Minimum bandwidth wastage: as much as possible is used for progress, and nothing else"
            + " counts; some jobs get nothing."),
    TSA("tsa", "small jobs may be throttled", "Throttle small applications, by nodes."),
    ESA("esa", "all but small jobs may be throttled", "Expand small applications, by nodes."),
    TMF(
        "tmf",
        "frequent applications may be throttled",
        "Throttle the most frequent applications: those that did I/O in more decisions than the"
            + " average."),
    RND("rnd", "random jobs may be throttled", "Throttle at random: a coin for every job.");

    private final String title;
    private final String summary;
    private final String description;

    Rival(String title, String summary, String description) {
      this.title = title;
      this.summary = summary;
      this.description = description;
    }
  }

  private static final Set<Rival> BY_RULE = EnumSet.of(Rival.TSA, Rival.ESA, Rival.TMF, Rival.RND);

  @Override
  public PolicyInfo info() {
    boolean byRule = BY_RULE.contains(rival);
    List<Parameter> parameters = new ArrayList<>(List.of(WEIGHTS, Lending.PARAMETER));
    if (byRule) {
      parameters.add(THRESHOLD);
      parameters.add(GROWTH);
    }
    if (rival == Rival.RND) {
      parameters.add(SEED);
    }
    if (byRule || rival == Rival.MBW) {
      parameters.add(
          new Parameter(
              "solver",
              solvers.preferred().name(),
              "what solves the linear programs: " + String.join(", ", solvers.names())));
    }
    Set<Need> needs = EnumSet.of(Need.CAPACITY, Need.DEMAND);
    if (rival == Rival.TSA || rival == Rival.ESA) {
      needs.add(Need.NODES);
    }
    return new PolicyInfo(
        rival.title,
        rival.summary,
        rival == Rival.MAXMIN ? "max-min fairness; a baseline of our own for GIFT" : GIFT,
        byRule
            ? rival.description
                + " The rest is as in gift: the highest bandwidth for which nobody loses more than"
                + " the threshold, but without coupons."
            : rival.description,
        PolicyInfo.Scope.ALL_TARGETS,
        PERIOD_NANOS,
        SchedulerKind.TBF,
        needs,
        parameters);
  }

  @Override
  public Policy<?> create(Settings settings) {
    ShareBasis claim = settings.choice("weights", ShareBasis.class);
    Lending lending = Lending.of(settings, claim);
    return switch (rival) {
      case POFS -> new RuledShares(RuledShares.Rule.EACH_TARGET, claim, lending);
      case BSIP -> new RuledShares(RuledShares.Rule.SYNCHRONOUS, claim, lending);
      case MAXMIN -> new RuledShares(RuledShares.Rule.FILLED, claim, lending);
      case MBW ->
          new RuleThrottling(
              VictimRule.EVERYBODY.victims(0),
              1,
              claim,
              RuleThrottling.byProgram(solver(settings)),
              lending,
              null);
      case TSA -> throttling(VictimRule.SMALL, 0, claim, lending, settings);
      case ESA -> throttling(VictimRule.LARGE, 0, claim, lending, settings);
      case TMF -> throttling(VictimRule.FREQUENT, 0, claim, lending, settings);
      case RND ->
          throttling(
              VictimRule.RANDOM,
              settings.whole("seed", 0, Long.MAX_VALUE),
              claim,
              lending,
              settings);
    };
  }

  private Policy<?> throttling(
      VictimRule rule, long seed, ShareBasis claim, @Nullable Lending lending, Settings settings) {
    double part = settings.number("threshold", 0, 1);
    RuleThrottling.Growth growth =
        switch (settings.choice("growth", GrowthRule.class)) {
          case PROGRAM -> RuleThrottling.byProgram(solver(settings));
          case ALIKE -> RuleThrottling.alike();
        };
    return new RuleThrottling(
        rule.victims(seed),
        part,
        claim,
        growth,
        lending,
        rule.remembers() ? new RuleThrottlingCodec(rival.title) : null);
  }

  private enum GrowthRule {
    PROGRAM,
    ALIKE
  }

  private PackingSolver solver(Settings settings) {
    return solvers.named(settings.text("solver"));
  }
}
