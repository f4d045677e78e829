package dev.sluice.core.policy.progress;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Fills what rates leave of the targets by max-min fairness: a level rises, every job whose rate is
 * below it rises along, and a job stops when one of its targets is full.
 */
public final class MaxMinFill {
  private final JobsOnTargets on;
  private final double[] floors;

  /** Rate of a job at level 1: its claim for each of its processes. */
  private final double[] speeds;

  private final double[] rates;
  private final boolean[] settled;
  private final boolean[] rising;

  /** What does not rise uses of each target, and how fast the rest of its use rises. */
  private final double[] fixed;

  private final double[] slopes;
  private final int[] risingOn;

  /** The level at which each target is full, if nothing else happens before. */
  private final double[] fullAt;

  private MaxMinFill(JobsOnTargets on, double[] floors) {
    this.on = on;
    this.floors = floors;
    int jobs = on.jobs();
    int targets = on.targets();
    speeds = new double[jobs];
    rates = floors.clone();
    settled = new boolean[jobs];
    rising = new boolean[jobs];
    fixed = new double[targets];
    slopes = new double[targets];
    risingOn = new int[targets];
    fullAt = new double[targets];
    Arrays.fill(fullAt, Double.POSITIVE_INFINITY);
    for (int i = 0; i < jobs; i++) {
      double claims = 0;
      for (int e = on.begin(i); e < on.begin(i + 1); e++) {
        claims += on.entryClaim(e);
        fixed[on.entryTarget(e)] += on.entryProcesses(e) * floors[i];
      }
      speeds[i] = claims / on.processes(i);
    }
  }

  /**
   * The rates after filling, for floors that fit.
   *
   * <p>Theorem. No rate is below its floor and no capacity is exceeded, to within the rounding of a
   * sum of doubles. Every job has a full target on which nobody else stands higher, measured as
   * rate by speed, unless it is at its floor: nobody can get more unless somebody who has no more
   * gets less. What is left of all targets bounds what any rates could be worth beyond these,
   * because a target's capacity is the most that the jobs on it can have of it.
   */
  public static double[] fill(JobsOnTargets on, double[] floors) {
    return new MaxMinFill(on, floors).run();
  }

  private double[] run() {
    int[] byLevel = jobsByLevel();
    int next = 0;
    double level = 0;
    while (true) {
      int target = firstFull();
      double full = target < 0 ? Double.POSITIVE_INFINITY : fullAt[target];
      while (next < byLevel.length && settled[byLevel[next]]) {
        next++;
      }
      if (next < byLevel.length && floorLevel(byLevel[next]) <= full) {
        level = Math.max(level, floorLevel(byLevel[next]));
        beginToRise(byLevel[next++]);
      } else if (target >= 0) {
        level = Math.max(level, full);
        settleAllOn(target, level);
      } else {
        return rates;
      }
    }
  }

  private int[] jobsByLevel() {
    return IntStream.range(0, floors.length)
        .boxed()
        .sorted(Comparator.comparingDouble(this::floorLevel))
        .mapToInt(Integer::intValue)
        .toArray();
  }

  private double floorLevel(int job) {
    return floors[job] / speeds[job];
  }

  private int firstFull() {
    int first = -1;
    double level = Double.POSITIVE_INFINITY;
    for (int j = 0; j < fullAt.length; j++) {
      if (fullAt[j] < level) {
        level = fullAt[j];
        first = j;
      }
    }
    return first;
  }

  private void beginToRise(int job) {
    rising[job] = true;
    for (int e = on.begin(job); e < on.begin(job + 1); e++) {
      int target = on.entryTarget(e);
      fixed[target] -= on.entryProcesses(e) * floors[job];
      slopes[target] += on.entryProcesses(e) * speeds[job];
      risingOn[target]++;
      updateFullAt(target);
    }
  }

  private void settleAllOn(int target, double level) {
    for (int place = on.targetBegin(target); place < on.targetBegin(target + 1); place++) {
      int job = on.placeJob(place);
      if (!settled[job]) {
        settle(job, level);
      }
    }
    fullAt[target] = Double.POSITIVE_INFINITY;
  }

  private void settle(int job, double level) {
    settled[job] = true;
    if (!rising[job]) {
      return;
    }
    rates[job] = Math.max(floors[job], level * speeds[job]);
    for (int e = on.begin(job); e < on.begin(job + 1); e++) {
      int target = on.entryTarget(e);
      fixed[target] += on.entryProcesses(e) * rates[job];
      slopes[target] -= on.entryProcesses(e) * speeds[job];
      risingOn[target]--;
      updateFullAt(target);
    }
  }

  private void updateFullAt(int target) {
    fullAt[target] =
        risingOn[target] == 0
            ? Double.POSITIVE_INFINITY
            : Math.max(0, on.capacity(target) - fixed[target]) / slopes[target];
  }
}
