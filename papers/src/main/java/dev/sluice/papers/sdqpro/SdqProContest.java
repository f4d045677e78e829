package dev.sluice.papers.sdqpro;

import dev.sluice.papers.Notation;
import dev.sluice.papers.arena.Contest;
import dev.sluice.papers.arena.Entrant;
import dev.sluice.papers.arena.LocalEntrants;
import dev.sluice.papers.arena.Metric;
import dev.sluice.sim.result.RunResult;
import dev.sluice.sim.scenario.Scenario;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** SDQPro's twenty applications on ten servers, by what each is served of what it desires. */
public final class SdqProContest implements Contest {
  private static final String HOME = "SDQPro, borrowing";
  private static final String TOLD = "sojourn, told";

  @Override
  public String id() {
    return "sdqpro";
  }

  @Override
  public String heading() {
    return "SDQPro: twenty applications";
  }

  @Override
  public String text() {
    return "Applications whose demand is spread unevenly over ten servers that can just serve it."
        + " SDQPro is told what each desires, and so is sojourn where it says so, as weights and as"
        + " rates over all servers; nobody else is.";
  }

  @Override
  public List<Duel> duels() {
    return List.of(new Duel(TOLD, HOME));
  }

  @Override
  public List<Entrant> entrants() {
    List<Entrant> entrants = new ArrayList<>(LocalEntrants.all());
    entrants.add(Entrant.of(HOME, "sdqpro", "lines", Servers.lines(true)));
    entrants.add(
        new Entrant(
            TOLD, Entrant.OURS, Map.of("weights", Servers.weights(), "rates", Servers.rates())));
    return entrants;
  }

  @Override
  public List<Metric> metrics() {
    return List.of(
        new Metric("served of what is desired", Notation.PART, false),
        new Metric("the worst application's part", Notation.PART, false)
            .losing(
                "who shares a full server by weight takes from those that want more than their part"
                    + " of it there; in order of arrival all lose the same part, and nobody is"
                    + " protected from anybody; and borrowing needs to know of the other servers"));
  }

  @Override
  public List<Scenario> scenarios(long seed) {
    return Servers.beginAndWhole(
        "sdqpro-contest",
        Imbalance.calibrated(seed, TwentyApplications.WITHOUT_BORROWING),
        TwentyApplications.REQUEST_BYTES);
  }

  @Override
  public double[] measure(List<RunResult> runs, List<RunResult> baseline) {
    Served served = new Served(runs.getFirst(), runs.getLast());
    double worst = Double.POSITIVE_INFINITY;
    for (int i = 0; i < Desired.APPLICATIONS; i++) {
      worst = Math.min(worst, served.part(i));
    }
    return new double[] {served.share(), worst};
  }
}
