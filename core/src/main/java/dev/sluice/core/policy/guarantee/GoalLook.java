package dev.sluice.core.policy.guarantee;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What happened on a target since somebody looked last, as far as goals are concerned. Told job by
 * job.
 */
public final class GoalLook {
  private final Goals goals;
  private final GoalService[] own;
  private boolean strangersWait;

  public GoalLook(Goals goals) {
    this.goals = goals;
    this.own = new GoalService[goals.all().size()];
    Arrays.fill(own, GoalService.NONE);
  }

  /**
   * One of the jobs that are there.
   *
   * @param meter null where it has no goal
   * @param waits whether a request of the job waits
   * @param oldestWaitNanos for how long the oldest of them has done so
   */
  public void job(@Nullable GoalMeter meter, boolean waits, long oldestWaitNanos) {
    int goal = meter == null ? -1 : goals.all().indexOf(meter.goal());
    if (meter == null || goal < 0) {
      strangersWait |= waits;
    } else {
      own[goal] = own[goal].plus(meter.take(waits, oldestWaitNanos));
    }
  }

  List<GoalService> own() {
    return List.of(own);
  }

  /** Whether requests wait that are not of this goal. */
  boolean othersWait(int goal) {
    boolean wait = strangersWait;
    for (int i = 0; i < own.length; i++) {
      wait |= i != goal && own[i].waits();
    }
    return wait;
  }
}
