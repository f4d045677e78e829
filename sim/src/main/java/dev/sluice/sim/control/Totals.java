package dev.sluice.sim.control;

import dev.sluice.core.policy.Explanation;
import dev.sluice.sim.result.Timeline;
import java.util.Map;
import java.util.TreeMap;

/** What policies said of their decisions as a whole over time, summed over targets. */
public final class Totals {
  private final long sampleNanos;
  private final Map<String, Timeline> byName = new TreeMap<>();
  private final Map<String, double[]> levels = new TreeMap<>();
  private final int controls;
  private final long[] levelsUntilNanos;

  /**
   * Nothing was said yet.
   *
   * @param controls how many decide side by side
   */
  public Totals(int controls, long sampleNanos) {
    this.controls = controls;
    this.sampleNanos = sampleNanos;
    this.levelsUntilNanos = new long[controls];
  }

  /** Takes a decision in: its amounts in any case, its levels once in a sample. */
  public void add(int control, Explanation explanation, long nowNanos) {
    explanation
        .amounts()
        .forEach((name, amount) ->
            timeline(name, Timeline.Merge.SUM).add(nowNanos, amount.doubleValue()));
    if (nowNanos >= levelsUntilNanos[control]) {
      levelsUntilNanos[control] = (nowNanos / sampleNanos + 1) * sampleNanos;
      explanation
          .levels()
          .forEach((name, level) -> {
            double[] ofControls = levels.computeIfAbsent(name, _ -> new double[controls]);
            ofControls[control] = level.doubleValue();
            double sum = 0;
            for (double of : ofControls) {
              sum += of;
            }
            timeline(name, Timeline.Merge.LAST).set(nowNanos, sum);
          });
    }
  }

  private Timeline timeline(String name, Timeline.Merge merge) {
    return byName.computeIfAbsent(name, _ -> new Timeline(sampleNanos, merge));
  }

  /** The timelines by name. */
  public Map<String, Timeline> timelines() {
    return byName;
  }
}
