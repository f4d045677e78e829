package dev.sluice.papers.gift;

import dev.sluice.papers.Notation;
import dev.sluice.papers.arena.Contest;
import dev.sluice.papers.arena.Entrant;
import dev.sluice.papers.arena.Metric;
import dev.sluice.sim.result.RunResult;
import dev.sluice.sim.scenario.Scenario;
import java.util.ArrayList;
import java.util.List;

/** GIFT's applications on 64 targets, by what changes against per-target fair shares. */
public final class GiftContest implements Contest {
  private static final String OURS = "sojourn-all";

  /** Those by rule are far behind GIFT in its own experiments, and are left out here. */
  private static final List<Contender> CONTENDERS =
      List.of(Contender.POFS, Contender.BSIP, Contender.MAXMIN, Contender.GIFT);

  private final ApplicationSet set;

  private GiftContest(ApplicationSet set) {
    this.set = set;
  }

  /** At three levels of contention. */
  public static List<Contest> all() {
    return List.of(
        new GiftContest(new ApplicationSet(250, 2)),
        new GiftContest(new ApplicationSet(500, 2)),
        new GiftContest(new ApplicationSet(1_000, 1)));
  }

  @Override
  public String id() {
    return "gift-" + set.applications();
  }

  @Override
  public String heading() {
    return "GIFT: " + set.inWords();
  }

  @Override
  public String text() {
    return "Applications that write to 2 to 8 of 64 targets at once and move as fast as the slowest"
        + " of them lets them; everything is compared with pofs. Jobs are flows here, so"
        + " that policies that order requests cannot take part. Nobody does anything between"
        + " decisions, as in the paper; sojourn-all decides every 2 s and the others every"
        + " 10 s, which hardly matters to maxmin.";
  }

  @Override
  public List<Duel> duels() {
    return List.of(new Duel(OURS, Contender.GIFT.name()));
  }

  @Override
  public List<Entrant> entrants() {
    List<Entrant> entrants = new ArrayList<>();
    for (Contender contender : CONTENDERS) {
      entrants.add(new Entrant(contender.name(), contender.policy(), contender.asInThePaper()));
    }
    entrants.add(Entrant.of(OURS, OURS, "lending", "0 s"));
    return entrants;
  }

  @Override
  public List<Metric> metrics() {
    return List.of(
        new Metric("I/O time", Notation.CHANGE, true),
        new Metric("run time", Notation.CHANGE, true),
        new Metric("jobs done", Notation.CHANGE, false),
        new Metric("applications worse off", Notation.PART, true),
        new Metric("better off by over 20 %", Notation.PART, false));
  }

  @Override
  public List<Scenario> scenarios(long seed) {
    return List.of(set.scenario(seed));
  }

  @Override
  public double[] measure(List<RunResult> runs, List<RunResult> baseline) {
    Comparison compared = new Comparison(runs.getFirst(), baseline.getFirst());
    return new double[] {
      compared.ioTime(),
      compared.runTime(),
      compared.throughput(),
      compared.worse(),
      compared.muchBetter()
    };
  }
}
