package dev.sluice.papers.arena;

import dev.sluice.sim.result.RunResult;
import dev.sluice.sim.scenario.Scenario;
import java.util.List;

/** An experiment under every policy that can play it, judged by its paper's own metrics. */
public interface Contest {
  /** By which its runs are told apart. */
  String id();

  String heading();

  /** What is done, and what to make of it. */
  String text();

  /** The title of the entrant whose paper's experiment it is; empty where it is nobody's. */
  String home();

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
