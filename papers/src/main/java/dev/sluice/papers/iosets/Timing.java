package dev.sluice.papers.iosets;

import dev.sluice.papers.Jitter;
import dev.sluice.sim.scenario.BuiltInScenarios;
import dev.sluice.sim.scenario.Scenario;

/** How exactly applications keep time, which the paper does not say: it is judged both ways. */
enum Timing {
  /** Those that begin together stay together: nothing disturbs them but each other. */
  IN_STEP("a", "", 0),
  /** As on machines that other things happen on, every computation is a little different. */
  UNSTEADY("b", "-unsteady", 0.05);

  private final String letter;
  private final String suffix;
  private final double jitter;

  Timing(String letter, String suffix, double jitter) {
    this.letter = letter;
    this.suffix = suffix;
    this.jitter = jitter;
  }

  /** What readings of a statement are told apart by. */
  String letter() {
    return letter;
  }

  /** What trials and pictures are called. */
  String name(String scenario) {
    return scenario + suffix;
  }

  Scenario scenario(String name, long seed) {
    return Jitter.of(BuiltInScenarios.read(name, seed), jitter);
  }

  String inWords() {
    return switch (this) {
      case IN_STEP ->
          "Nothing in this simulation disturbs the applications but each other: without control"
              + " those with the long period write all at the same time, cycle after cycle, which"
              + " real machines would not do for long. So every strategy that serves one after"
              + " another gains more here than in the paper.";
      case UNSTEADY -> "Every computation is longer or shorter by up to 5 %, drawn from the seed.";
    };
  }
}
