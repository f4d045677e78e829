package dev.sluice.core.policy.padll;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** What the algorithms that go by demand have in common. */
final class DemandOrder {
  private DemandOrder() {}

  /** What a job asks for in its turn, before what is fair then bounds it. */
  interface Want {
    double perSecond(JobUse use);
  }

  /**
   * Gives the jobs, in increasing order of demand, what they want, but at most an equal part of
   * what is left for those that have not had their turn; answers what is left after all.
   *
   * <p>Theorem. If what everybody wants is not negative, neither is any rate, nor what is left; all
   * add up to the maximum. Where everybody wants its demand, this is max-min fair: whoever gets
   * less than its demand gets as much as anybody.
   *
   * @param rates receives what each gets, in the order of the jobs
   */
  static double fill(Resource resource, List<JobUse> jobs, Want want, double[] rates) {
    double left = (double) resource.maximumPerSecond();
    Integer[] order = increasing(jobs);
    for (int turn = 0; turn < order.length; turn++) {
      double fair = left / (order.length - turn);
      int i = order[turn];
      rates[i] = Math.min(want.perSecond(jobs.get(i)), fair);
      left -= rates[i];
    }
    return left;
  }

  /** Adds to the rates what is left, in proportion to weights; equally where all weigh nothing. */
  static void share(double left, double[] weights, double[] rates) {
    double sum = 0;
    for (double weight : weights) {
      sum += weight;
    }
    for (int i = 0; i < rates.length; i++) {
      rates[i] += left * (sum == 0 ? 1.0 / rates.length : weights[i] / sum);
    }
  }

  /** Equal demands are told apart by the job, so that nothing depends on how jobs were listed. */
  private static Integer[] increasing(List<JobUse> jobs) {
    Integer[] order = new Integer[jobs.size()];
    Arrays.setAll(order, i -> i);
    Arrays.sort(
        order,
        Comparator.comparingDouble((Integer i) -> jobs.get(i).demandPerSecond())
            .thenComparing(i -> jobs.get(i).job()));
    return order;
  }
}
