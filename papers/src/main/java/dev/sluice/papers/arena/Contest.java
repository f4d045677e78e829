package dev.sluice.papers.arena;

import dev.sluice.papers.Claim;
import dev.sluice.sim.result.RunResult;
import dev.sluice.sim.scenario.Scenario;
import java.util.List;
import java.util.Map;

/** An experiment under every policy that can play it, judged by its paper's own metrics. */
public interface Contest {
  /** By which its runs are told apart. */
  String id();

  String heading();

  /** What is done, and what to make of it. */
  String text();

  /** Whom ours has to be no worse than: the paper's own, or where it is nobody's, fair sharing. */
  List<Duel> duels();

  /**
   * Two entrants that know the same.
   *
   * @param ours the title of one that is ours
   * @param theirs the title of the other
   */
  record Duel(String ours, String theirs) {
    /** Ours as it is beside another. */
    public static Duel against(String theirs) {
      return new Duel(Entrant.OURS, theirs);
    }
  }

  /** What else is promised, beside duels. */
  default List<Claim> promises(Map<String, double[]> measured) {
    return List.of();
  }

  /** Those that take part; where runs are compared with another, that is the first one's. */
  List<Entrant> entrants();

  List<Metric> metrics();

  /** What every entrant plays. */
  List<Scenario> scenarios(long seed);

  /**
   * The metrics, in their order.
   *
   * @param runs one entrant's, in the order of the scenarios
   * @param baseline the first entrant's
   */
  double[] measure(List<RunResult> runs, List<RunResult> baseline);
}
