package dev.sluice.sim.control;

import dev.sluice.core.model.JobId;
import dev.sluice.core.policy.Explanation;
import dev.sluice.sim.result.Timeline;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * What policies said of each job over time, summed over targets. Explanations are asked for at the
 * grain of the timelines, and not at all where there are so many jobs that nobody would look.
 */
public final class Figures {
  private static final int JOBS_MAX = 64;
  private static final int CELLS_MAX = 4_096;

  /**
   * What is remembered of a job that is idle; all other figures are about a period and end with it.
   */
  private static final String OUTLIVES_ACTIVITY = "record";

  private final boolean kept;
  private final int targets;
  private final long sampleNanos;
  private final Map<JobId, Map<String, Figure>> byJob = new HashMap<>();
  private long sampledUntilNanos;

  private static final class Figure {
    final double[] byTarget;
    final Timeline timeline;

    Figure(int targets, long sampleNanos) {
      byTarget = new double[targets];
      timeline = new Timeline(sampleNanos, Timeline.Merge.LAST);
    }
  }

  public Figures(int jobs, int targets, long sampleNanos) {
    this.kept = jobs <= JOBS_MAX && (long) jobs * targets <= CELLS_MAX;
    this.targets = targets;
    this.sampleNanos = sampleNanos;
  }

  /** Whether the decisions of now are wanted; then {@link #add} them and {@link #finish}. */
  public boolean begin(long nowNanos) {
    if (!kept || nowNanos < sampledUntilNanos) {
      return false;
    }
    sampledUntilNanos = (nowNanos / sampleNanos + 1) * sampleNanos;
    for (Map<String, Figure> figures : byJob.values()) {
      figures.forEach((name, figure) -> {
        if (!name.equals(OUTLIVES_ACTIVITY)) {
          Arrays.fill(figure.byTarget, 0);
        }
      });
    }
    return true;
  }

  /** Takes a target's decision in. What is not a finite number says nothing in a picture. */
  public void add(int target, Explanation explanation) {
    for (Explanation.Reason reason : explanation.reasons()) {
      Map<String, Figure> figures = byJob.computeIfAbsent(reason.job(), _ -> new TreeMap<>());
      reason
          .figures()
          .forEach((name, number) -> {
            double value = number.doubleValue();
            if (Double.isFinite(value)) {
              figures.computeIfAbsent(name, _ -> new Figure(targets, sampleNanos))
                      .byTarget[target] =
                  value;
            }
          });
    }
  }

  /** Writes the sums down. */
  public void finish(long nowNanos) {
    for (Map<String, Figure> figures : byJob.values()) {
      for (Figure figure : figures.values()) {
        double sum = 0;
        for (double value : figure.byTarget) {
          sum += value;
        }
        figure.timeline.set(nowNanos, sum);
      }
    }
  }

  /** The timelines of a job by figure, in the order of their names. */
  public Map<String, Timeline> of(JobId job) {
    Map<String, Timeline> timelines = new TreeMap<>();
    byJob.getOrDefault(job, Map.of()).forEach((name, f) -> timelines.put(name, f.timeline));
    return timelines;
  }
}
