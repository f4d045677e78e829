package dev.sluice.studies.whatif;

import dev.sluice.core.measure.Measures;
import dev.sluice.core.model.Quantities;
import dev.sluice.sim.report.ReportTable;
import dev.sluice.sim.result.JobResult;
import dev.sluice.sim.result.LatencySummary;
import dev.sluice.sim.result.RunResult;
import dev.sluice.sim.result.Summary;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * Which policy would have served the users of a trace best. Policies are ranked by each of four
 * measures, and the best over all has the lowest sum of ranks; those that differ by less than a
 * hundredth share a rank, because a simulation tells no more. A policy that lets jobs starve comes
 * after all that let fewer.
 *
 * <p>Jobs that are not done count in every measure with what became of them by the end of the run,
 * and requests that still wait with their age: a policy must not look good for those it forgets.
 */
public record Ranking(List<Score> scores, String recordedUnder) {
  private static final double SAME = 0.01;

  /**
   * A job starves if a request of it still waits and has waited for this part of the run, which
   * takes four times as long as the trace where jobs are not done.
   */
  private static final double STARVED_PART = 1.0 / TraceScenario.TIMES_LONGER_MAX;

  public Ranking {
    scores = List.copyOf(scores);
  }

  /**
   * How a policy did.
   *
   * @param stretch how much longer than with the storage to itself a job took, in the (geometric)
   *     mean over jobs; 1 is best
   * @param evenness Jain's index of the jobs' speeds, each as a part of what it could have had; 1
   *     is best: all were slowed down alike
   * @param tailWaitNanos the 99th percentile of the wait of the job that waited longest
   * @param utilisation of the targets, until the last job was done
   * @param unfinished jobs that were not done in four times the time of the trace
   * @param starved how many of these were left waiting for as long as the trace is, or longer
   * @param stillWaiting requests that still waited at the end
   * @param oldestWaitNanos for how long the oldest of them had
   * @param points the sum of its ranks; 4 is best
   */
  public record Score(
      String policy,
      double stretch,
      double evenness,
      double tailWaitNanos,
      double utilisation,
      int unfinished,
      int starved,
      long stillWaiting,
      long oldestWaitNanos,
      int points) {
    /** To leave jobs unfinished is worse than anything that the others may have got meanwhile. */
    double completion() {
      return unfinished * 1e6 + stretch;
    }

    private Score withPoints(int other) {
      return new Score(
          policy,
          stretch,
          evenness,
          tailWaitNanos,
          utilisation,
          unfinished,
          starved,
          stillWaiting,
          oldestWaitNanos,
          other);
    }
  }

  public static Ranking of(List<RunResult> results, String recordedUnder) {
    List<Score> scores = new ArrayList<>();
    for (RunResult result : results) {
      scores.add(score(result, Summary.of(result).total()));
    }
    int[] points = new int[scores.size()];
    rank(scores, Score::completion, points);
    rank(scores, score -> -score.evenness, points);
    rank(scores, score -> score.tailWaitNanos, points);
    rank(scores, score -> -score.utilisation, points);
    List<Score> ranked = new ArrayList<>();
    for (int i = 0; i < points.length; i++) {
      ranked.add(scores.get(i).withPoints(points[i]));
    }
    ranked.sort(
        Comparator.comparingInt(Score::starved)
            .thenComparingInt(Score::points)
            .thenComparingDouble(Score::completion)
            .thenComparing(Score::policy));
    return new Ranking(ranked, recordedUnder);
  }

  private static Score score(RunResult run, Summary.Total total) {
    double[] speeds =
        run.jobs().stream().flatMapToDouble(job -> job.speed(run.endNanos()).stream()).toArray();
    double[] alike = new double[speeds.length];
    Arrays.fill(alike, 1);
    // A job that was served nothing at all has no stretch; it is among the unfinished.
    double[] stretches =
        Arrays.stream(speeds).filter(speed -> speed > 0).map(speed -> 1 / speed).toArray();
    return new Score(
        run.policy(),
        Measures.geometricMean(stretches).orElse(1),
        Measures.jainIndex(speeds, alike).orElse(1),
        (double) total.worstP99Nanos().orElse(0),
        total.targetUtilisation().orElse(0),
        total.jobs() - total.jobsDone(),
        (int) run.jobs().stream().filter(job -> isStarved(job, run.endNanos())).count(),
        total.stillWaiting(),
        total.oldestWaitNanos().orElse(0),
        0);
  }

  private static boolean isStarved(JobResult job, long runEndNanos) {
    LatencySummary latency = job.latency();
    return latency.waiting() > 0 && latency.oldestWaitNanos() >= STARVED_PART * runEndNanos;
  }

  /** Adds each one's rank; smaller is better, and those about as small as the best share it. */
  private static void rank(List<Score> scores, ToDoubleFunction<Score> measure, int[] points) {
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < scores.size(); i++) {
      order.add(i);
    }
    order.sort(Comparator.comparingDouble(index -> measure.applyAsDouble(scores.get(index))));
    int rank = 0;
    double leader = Double.NaN;
    for (int i = 0; i < order.size(); i++) {
      double value = measure.applyAsDouble(scores.get(order.get(i)));
      if (!(Math.abs(value - leader) <= SAME * Math.abs(leader))) {
        rank = i + 1;
        leader = value;
      }
      points[order.get(i)] += rank;
    }
  }

  public ReportTable table() {
    List<List<String>> rows = new ArrayList<>();
    for (Score score : scores) {
      rows.add(
          List.of(
              score.policy + (score.policy.equals(recordedUnder) ? " (was in force)" : ""),
              String.format(Locale.ROOT, "%.3f", score.stretch)
                  + (score.unfinished == 0 ? "" : ", " + score.unfinished + " unfinished"),
              String.format(Locale.ROOT, "%.3f", score.evenness),
              Quantities.formatDuration(Math.round(score.tailWaitNanos)),
              score.stillWaiting == 0
                  ? "–"
                  : score.stillWaiting
                      + ", up to "
                      + Quantities.formatDuration(score.oldestWaitNanos),
              String.format(Locale.ROOT, "%.1f %%", 100 * score.utilisation),
              Integer.toString(score.points)));
    }
    return new ReportTable(
        "Which policy would have served these users best, the best first",
        List.of(
            "policy", "completion", "fairness", "tail wait", "still waiting", "utilised", "points"),
        rows);
  }

  /** The answer in words. */
  public List<String> words() {
    List<String> words = new ArrayList<>();
    Score best = scores.getFirst();
    words.add(
        best.policy
            + " would have served them best over all: jobs take "
            + factor(best.stretch)
            + " as long as with the storage to themselves.");
    scores.stream()
        .filter(score -> score.policy.equals(recordedUnder))
        .filter(score -> !score.policy.equals(best.policy))
        .forEach(score ->
            words.add(
                recordedUnder
                    + ", which was in force, comes to "
                    + factor(score.stretch)
                    + "; its tail wait is "
                    + Quantities.formatDuration(Math.round(score.tailWaitNanos))
                    + " instead of "
                    + Quantities.formatDuration(Math.round(best.tailWaitNanos))
                    + "."));
    scores.stream()
        .filter(score -> score.starved > 0)
        .forEach(score ->
            words.add(
                score.policy
                    + " lets "
                    + (score.starved == 1 ? "a job" : score.starved + " jobs")
                    + " starve: at the end a request has waited for "
                    + Quantities.formatDuration(score.oldestWaitNanos)
                    + ". It ranks behind all that let fewer starve, whatever its points."));
    words.add(
        "Best by completion: "
            + best(Comparator.comparingDouble(Score::completion))
            + "; by fairness: "
            + best(Comparator.comparingDouble(Score::evenness).reversed())
            + "; by tail wait: "
            + best(Comparator.comparingDouble(Score::tailWaitNanos))
            + "; by utilisation: "
            + best(Comparator.comparingDouble(Score::utilisation).reversed())
            + ".");
    return words;
  }

  private String best(Comparator<Score> order) {
    return scores.stream().min(order).map(Score::policy).orElse("–");
  }

  private static String factor(double stretch) {
    return String.format(Locale.ROOT, "%.2f times", stretch);
  }
}
