package dev.sluice.core.policy.progress;

import dev.sluice.core.linear.CheckedAnswer;
import dev.sluice.core.linear.PackingAnswer;
import dev.sluice.core.linear.PackingProgram;
import dev.sluice.core.linear.PackingSolver;
import java.util.Locale;

/**
 * Rates that bring the effective bandwidth up as far as it goes, and how they were found. Some jobs
 * may be brought below what is fair for it, and only where that pays: where filling alone fills
 * everything, or is worth as much as the linear program's optimum, nobody is.
 */
public final class Expansion {
  /** Two bandwidths that differ by less than this part are equal. */
  private static final double EQUAL = 1e-9;

  private static final double NANOS_PER_PART = 10;

  private final double[] rates;
  private final double boundPart;
  private final boolean optimal;
  private final String how;

  private Expansion(double[] rates, boolean optimal, double boundPart, String how) {
    this.rates = rates;
    this.optimal = optimal;
    this.boundPart = boundPart;
    this.how = how;
  }

  /** What a unit of bandwidth counts that a job is given. */
  public enum Objective {
    /** The same whoever gets it: the highest effective bandwidth, as the paper has it. */
    GAIN,
    /** Twice as much below its fair share, so that taking from a job must pay for itself. */
    NET
  }

  /**
   * Expands rates.
   *
   * @param safe rates that nobody objects to and that fit; the answer is worth at least as much
   * @param floors below which no job may come; nowhere above {@code safe}
   */
  public static Expansion of(
      JobsOnTargets on, double[] safe, double[] floors, Objective objective, PackingSolver solver) {
    double[] filled = MaxMinFill.fill(on, safe);
    double usable = on.usable();
    double reached = on.effective(filled);
    if (usable - reached <= EQUAL * usable) {
      return new Expansion(filled, true, 0, "filling what was left fills every target");
    }
    PackingProgram program = program(on, safe, floors, objective);
    long limitNanos = (long) (on.periodNanos() / NANOS_PER_PART);
    PackingAnswer answer = CheckedAnswer.of(program, solver.solve(program, limitNanos));
    return switch (answer) {
      case PackingAnswer.Failed failed -> {
        double boundPart = (usable - reached) / reached;
        yield new Expansion(
            filled,
            false,
            boundPart,
            String.format(
                Locale.ROOT,
                "max-min fill, because %s did not solve the linear program (%s); the optimum is at"
                    + " most %.3g %% higher",
                solver.name(),
                failed.reason(),
                100 * boundPart));
      }
      case PackingAnswer.Optimal optimal -> {
        double[] solved = rates(safe, floors, objective, optimal);
        yield worth(on, safe, solved, objective)
                <= worth(on, safe, filled, objective) + EQUAL * usable
            ? new Expansion(filled, true, 0, "filling what was left is worth the optimum")
            : new Expansion(solved, true, 0, "optimum of the linear program by " + solver.name());
      }
    };
  }

  /** What rates are worth by an objective, as a bandwidth. */
  public static double worth(JobsOnTargets on, double[] safe, double[] rates, Objective objective) {
    double worth = on.effective(rates);
    if (objective == Objective.NET) {
      for (int i = 0; i < rates.length; i++) {
        worth -= on.processes(i) * Math.max(0, safe[i] - rates[i]);
      }
    }
    return worth;
  }

  /**
   * What each job gets above its floor is a variable. For {@link Objective#NET} it is two: up to
   * the safe rate, which counts double, and beyond.
   */
  private static PackingProgram program(
      JobsOnTargets on, double[] safe, double[] floors, Objective objective) {
    double[] capacities = on.gaps(floors);
    for (int j = 0; j < capacities.length; j++) {
      capacities[j] = Math.max(0, capacities[j]);
    }
    PackingProgram.Builder builder = new PackingProgram.Builder(capacities);
    for (int i = 0; i < on.jobs(); i++) {
      if (objective == Objective.NET && safe[i] > floors[i]) {
        column(on, i, builder, 2, safe[i] - floors[i], true);
      }
      column(on, i, builder, 1, 1, false);
    }
    return builder.build();
  }

  private static void column(
      JobsOnTargets on,
      int job,
      PackingProgram.Builder builder,
      double counts,
      double bound,
      boolean startsAtBound) {
    builder.column(counts * on.processes(job), bound, startsAtBound);
    for (int e = on.begin(job); e < on.begin(job + 1); e++) {
      builder.entry(on.entryTarget(e), on.entryProcesses(e));
    }
  }

  private static double[] rates(
      double[] safe, double[] floors, Objective objective, PackingAnswer.Optimal answer) {
    double[] rates = floors.clone();
    int column = 0;
    for (int i = 0; i < rates.length; i++) {
      if (objective == Objective.NET && safe[i] > floors[i]) {
        rates[i] += answer.value(column++);
      }
      rates[i] += answer.value(column++);
    }
    return rates;
  }

  public double[] rates() {
    return rates.clone();
  }

  /** Whether no allowed rates are worth more. */
  public boolean isOptimal() {
    return optimal;
  }

  /** By how much the optimum may be higher, as a part of what was reached. */
  public double boundPart() {
    return boundPart;
  }

  /** How the rates were found, in words. */
  public String how() {
    return how;
  }
}
