package dev.sluice.papers.gift;

import static dev.sluice.papers.Condition.atMost;
import static dev.sluice.papers.Condition.less;

import dev.sluice.core.policy.gift.GiftFigures;
import dev.sluice.papers.Chapter;
import dev.sluice.papers.Claim;
import dev.sluice.papers.Experiment;
import dev.sluice.papers.Figure;
import dev.sluice.papers.Notation;
import dev.sluice.papers.Outcomes;
import dev.sluice.papers.Trial;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Figures 7, 8 and 9: what the paper measured on a real system, here simulated. */
final class RealSystemExperiment implements Experiment {
  private final ApplicationSet set;

  RealSystemExperiment(ApplicationSet set) {
    this.set = set;
  }

  @Override
  public List<Trial> trials(long seed) {
    return SetRuns.trials(set, Contender.ALL, seed);
  }

  @Override
  public Chapter conclude(Outcomes outcomes) {
    SetRuns runs = SetRuns.of(set, Contender.ALL, outcomes);
    Comparison gift = runs.of(Contender.GIFT);
    List<Claim> claims = new ArrayList<>(ofGift(gift));
    claims.addAll(Reading.both(reading -> reading.shortest("7.5", runs)));
    claims.addAll(Reading.both(reading -> reading.rules("7.6", runs)));
    claims.addAll(Reading.both(reading -> reading.bandwidth("7.7", runs)));
    claims.addAll(Reading.both(reading -> reading.fewestWorse("9.1", runs)));
    claims.addAll(Reading.both(reading -> reading.muchBetter("9.3", runs)));
    claims.addAll(Reading.both(reading -> reading.worse("9.4", runs)));
    return new Chapter(
        "Figures 7, 8, 9: " + set.inWords(),
        "The paper's real system, simulated. The paper does not give its applications; ours are in"
            + " docs/policies/gift.md. Effective bandwidth is what decisions give to progress,"
            + " beside what fair shares would have given the very same jobs at the very same time."
            + " The use of targets is what really moved, as a part of what targets with somebody on"
            + " them can move; it rises less, because jobs that are done sooner leave fewer to fill"
            + " the gaps. Under bsip jobs move as under pofs but for their first seconds, so those"
            + " who are worse off there show what chance does. TSA, ESA, TMF and RND are as the"
            + " authors' prototype has them (readings a); with GIFT's linear program in place of"
            + " their way to hand out what is left they stand below as \"with LP\", and are held"
            + " against GIFT beside max-min filling (readings b).",
        claims,
        List.of(runs.table(), runs.partOfMaxMin()),
        List.of(
            PolicyBars.improvements("figure-7", "Figure 7: improvement against pofs", runs),
            Books.owed(
                "figure-8",
                "Figure 8: node-hours owed, over time",
                Map.of(Contender.GIFT.name(), gift)),
            PolicyBars.spread(
                "figure-9a", "Figure 9: change of I/O time, by part of the applications", runs),
            PolicyBars.worse(
                "figure-9c", "Figure 9(c): applications worse off than under pofs", runs)));
  }

  /** What needs no rival. */
  static List<Claim> ofGift(Comparison gift) {
    return List.of(
        new Magnitude("7.1", "mean I/O time", -0.10).beside(gift.ioTime()),
        new Magnitude("7.2", "effective bandwidth", 0.17)
            .beside(
                gift.effectiveBandwidth(),
                "250 of them leave the targets so idle that there is little waste to win back"),
        Magnitude.shorter("7.3", gift.runTime()),
        new Magnitude("7.4", "jobs done", 0.02)
            .beside(
                gift.throughput(),
                "run times fall by so little in a week that hardly a job more is done in it"),
        regret(gift),
        worseBy(gift));
  }

  private static Claim regret(Comparison gift) {
    double awarded = gift.total(GiftFigures.AWARDED_NODE_SECONDS) / 3_600;
    return new Claim(
        "8.1",
        "less than 0.06 % of all node-hours are given out for coupons",
        List.of(
            Figure.of("part given out", awarded / gift.usedNodeHours(), Notation.SMALL_PART),
            Figure.of("given out", awarded, Notation.NODE_HOURS),
            Figure.of("used", gift.usedNodeHours(), Notation.NODE_HOURS)),
        less("part given out", 0.06));
  }

  private static Claim worseBy(Comparison gift) {
    return new Claim(
            "9.2",
            "those who are worse off are so by 1.2 % on average",
            List.of(Figure.of("worse by", gift.worseBy(), Notation.CHANGE)),
            atMost("worse by", 1.2))
        .because(
            "who is worse off here mostly is so by chance: one of its few phases met other jobs"
                + " than under POFS, which costs far more than being throttled by a tenth. Under"
                + " bsip, where nobody is throttled, the worse off lose about as much");
  }
}
