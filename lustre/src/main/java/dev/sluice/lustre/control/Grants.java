package dev.sluice.lustre.control;

import dev.sluice.core.schedule.Shares;
import java.util.List;

/** What a decision comes to in requests of a period, for a filter that knows nothing but rates. */
final class Grants {
  /** Halvings: what is left then is less than a request. */
  private static final int STEPS = 60;

  private Grants() {}

  /**
   * Says what each job may have.
   *
   * <p>Theorem. A job with a limit has that. The others divide what those leave of the budget, or a
   * tenth of it where they leave less: each has its reserve, or what it wants where that is less,
   * or more in proportion to its weight, and nobody has more than it wants, unless nobody wants the
   * rest: that is divided by weight. A job that is held back wants all there is.
   *
   * @param active jobs that a decision was asked about; one that it does not list has no limit and
   *     the weight 1
   * @param budget infinite where nobody is to be limited
   */
  static void divide(List<ManagedJob> active, Shares shares, double budget) {
    double left = budget;
    int[] open = new int[active.size()];
    int count = 0;
    for (int i = 0; i < active.size(); i++) {
      ManagedJob job = active.get(i);
      int index = shares.indexOf(job.shown);
      if (index >= 0 && shares.isLimited(index)) {
        job.granted = shares.tokens(index);
        left -= job.granted;
      } else {
        open[count++] = i;
      }
    }
    if (budget == Double.POSITIVE_INFINITY) {
      for (int i = 0; i < count; i++) {
        active.get(open[i]).granted = budget;
      }
    } else if (count > 0) {
      byWeight(active, open, count, shares, Math.max(left, budget / 10));
    }
  }

  private static void byWeight(
      List<ManagedJob> active, int[] open, int count, Shares shares, double budget) {
    double[] weights = new double[count];
    double[] least = new double[count];
    double[] most = new double[count];
    double high = 0;
    for (int i = 0; i < count; i++) {
      ManagedJob job = active.get(open[i]);
      int index = shares.indexOf(job.shown);
      weights[i] = index < 0 ? 1 : shares.weight(index);
      most[i] = job.heldBack ? budget : Math.min(budget, (double) job.wantedRpcs);
      least[i] = index < 0 ? 0 : Math.min(most[i], shares.reserved(index));
      high = Math.max(high, most[i] / weights[i]);
    }
    double low = 0;
    for (int step = 0; step < STEPS; step++) {
      double level = (low + high) / 2;
      double sum = 0;
      for (int i = 0; i < count; i++) {
        sum += Math.clamp(level * weights[i], least[i], most[i]);
      }
      if (sum > budget) {
        high = level;
      } else {
        low = level;
      }
    }
    double granted = 0;
    double sum = 0;
    for (int i = 0; i < count; i++) {
      most[i] = Math.clamp(low * weights[i], least[i], most[i]);
      granted += most[i];
      sum += weights[i];
    }
    double unwanted = Math.max(0, budget - granted) / sum;
    for (int i = 0; i < count; i++) {
      active.get(open[i]).granted = most[i] + unwanted * weights[i];
    }
  }
}
