package dev.sluice.core.policy.guarantee;

import java.util.Arrays;
import java.util.Locale;

/**
 * Has everybody else on a target step back for a goal, as far as needed and no further. A target
 * that is given all that it can do always has requests queued inside, where their order is not
 * ours; given a little less, it has fewer. So when requests with the goal are late, the target is
 * given less; while none is even near to being late, more again.
 *
 * <p>What it learns is at what part of what is left for others the goal is kept. It goes down in
 * large steps and up in small ones, stays below where it went up to in vain until that is long ago,
 * and each time that going up was a mistake it waits twice as long before it tries again: trying
 * costs late requests, of which there may be one in a hundred. One second in a while that is missed
 * is no reason to change anything.
 *
 * <p>Theorem. Others are left at least {@link #PART_MIN} of what a target can do beside the jobs of
 * the goal, and all of it within {@link #IDLE_NANOS} after these have gone.
 *
 * <p>Not thread-safe; the caller brings the time.
 */
public final class StepBack {
  /** Others keep so much of what is left, whatever the goal. */
  public static final double PART_MIN = 0.8;

  /** The target is held to no rate. */
  public static final long FREE = Long.MAX_VALUE;

  /** Who sent nothing for so long has gone. */
  public static final long IDLE_NANOS = 5_000_000_000L;

  private static final long SECOND = 1_000_000_000L;
  private static final long SLOT_NANOS = SECOND / 10;
  private static final int SLOTS = 10;

  private static final double STEP_LATE = 0.04;
  private static final double STEP_VERY_LATE = 0.1;
  private static final double STEP_UP = 0.01;

  /** What a step changes shows after so long. */
  private static final long SETTLE_NANOS = SECOND / 4;

  private static final long STEP_UP_EVERY_NANOS = 3 * SECOND;
  private static final long PATIENCE_NANOS_MIN = 60 * SECOND;
  private static final long PATIENCE_NANOS_MAX = 960 * SECOND;

  /** Where it went up to in vain it does not go again for so long. */
  private static final long LATE_REMEMBERED_NANOS = 960 * SECOND;

  /** One second that was missed is forgotten after so long. */
  private static final long FORGIVEN_NANOS = 200 * SECOND;

  /** Over so many seconds it is remembered what a target did that was not held. */
  private static final int FREE_SECONDS = 15;

  /** What is found out for the first time is far off for so long. */
  private static final long LEARNING_NANOS = 30 * SECOND;

  /** What was found to be less while it was held comes back by this part a second. */
  private static final double RECOVERY = 0.005;

  /** A target that delivers so much less than it is given is slower than was thought. */
  private static final double SLOWER = 0.9;

  private final Goal goal;

  private final long[] served = new long[SLOTS];
  private final long[] late = new long[SLOTS];
  private final long[] near = new long[SLOTS];
  private long slot;

  /** Of the second that is not over yet. */
  private long second;

  private GoalService inSecond = GoalService.NONE;
  private double deliveredInSecond;
  private boolean waitedInSecond = true;
  private double ownPerSecond;

  /** By second in which the target was not held, what it did, or was found out to do. */
  private final double[] free = new double[FREE_SECONDS];

  private long freeSeconds;

  /** What the target is taken to do while it is held; all that it can before. */
  private double basePerSecond = Double.POSITIVE_INFINITY;

  /** The same when it began to be held. */
  private double freeBasePerSecond = Double.POSITIVE_INFINITY;

  /** The least of it since then. */
  private double leastBasePerSecond = Double.POSITIVE_INFINITY;

  private double part = 1;

  /** What it was before the jobs of the goal had gone. */
  private double partBefore = 1;

  /** To what part it went up in vain, and when; more than all where that is long ago. */
  private double latePart = 2;

  private long lateNanos;
  private long seenNanos;
  private long settledNanos;
  private long calmSinceNanos;
  private long patienceNanos = PATIENCE_NANOS_MIN;

  /** Whether it went up since it went down last. */
  private boolean trying;

  private long missedNanos;
  private boolean missedOnce;
  private boolean wasKnown;
  private boolean wantsTooMuch;

  private long secondsSeen;
  private long secondsMet;

  public StepBack(Goal goal, long nowNanos) {
    this.goal = goal;
    this.slot = Math.floorDiv(nowNanos, SLOT_NANOS);
    this.second = Math.floorDiv(nowNanos, SECOND);
    this.seenNanos = nowNanos;
    this.calmSinceNanos = nowNanos;
  }

  /**
   * What happened on the target since the last look.
   *
   * @param capacityPerSecond what the target can do; infinitely much while nobody knows
   * @param found whether that is found out, and so what the target really does
   * @param deliveredTokens all that it served
   * @param othersWait whether requests wait that are not of the goal
   */
  public record Load(
      double capacityPerSecond, boolean found, long deliveredTokens, boolean othersWait) {}

  public Goal goal() {
    return goal;
  }

  /** Looks at what happened; about ten times a second. */
  public void look(GoalService own, Load load, long nowNanos) {
    pass(load, nowNanos);
    int place = Math.floorMod(slot, SLOTS);
    served[place] += own.served();
    late[place] += own.late();
    near[place] += own.near();
    inSecond = inSecond.plus(own);
    deliveredInSecond += load.deliveredTokens();
    waitedInSecond &= load.othersWait();
    if (!own.isIdle()) {
      seenNanos = nowNanos;
    } else if (nowNanos - seenNanos > IDLE_NANOS) {
      letGo();
      return;
    }
    boolean known = load.capacityPerSecond() < Double.POSITIVE_INFINITY;
    if (load.found() && known && !wasKnown) {
      settledNanos = nowNanos + LEARNING_NANOS;
    }
    wasKnown = known;
    if (nowNanos - settledNanos < 0 || !known) {
      clear();
      return;
    }
    long lateNow = sum(late) + (own.lateWaits() ? 1 : 0);
    long servedNow = sum(served) + (own.lateWaits() ? 1 : 0);
    if (isMoreThanOneInAHundred(lateNow, servedNow)) {
      boolean very = lateNow >= 2 && lateNow * 20 > servedNow;
      if (load.othersWait() && !wantsTooMuch && (very || isMissedAgain(nowNanos))) {
        stepBack(very ? STEP_VERY_LATE : STEP_LATE, load, nowNanos);
      }
      calmSinceNanos = nowNanos;
    } else if (isMoreThanOneInAHundred(sum(near), servedNow) && sum(near) >= 2) {
      if (trying) {
        stepBack(2 * STEP_UP, load, nowNanos);
      }
      calmSinceNanos = nowNanos;
    } else if (part < 1 && nowNanos - calmSinceNanos >= patienceNanos) {
      goUp(nowNanos);
    }
  }

  private void goUp(long nowNanos) {
    if (wouldBeLate(part + STEP_UP, nowNanos)) {
      // Where it is it may stay, and goes on from there when that is forgotten.
      trying = false;
      calmSinceNanos = nowNanos - patienceNanos;
      return;
    }
    part = Math.min(1, part + STEP_UP);
    trying = true;
    calmSinceNanos += STEP_UP_EVERY_NANOS;
  }

  private boolean wouldBeLate(double wanted, long nowNanos) {
    if (nowNanos - lateNanos > LATE_REMEMBERED_NANOS) {
      latePart = 2;
    }
    return wanted > latePart - STEP_UP / 2;
  }

  private static boolean isMoreThanOneInAHundred(long some, long all) {
    return some * 100 > all;
  }

  /** Whether another second was missed not long ago. */
  private boolean isMissedAgain(long nowNanos) {
    boolean again =
        missedOnce && nowNanos - missedNanos < FORGIVEN_NANOS && nowNanos - missedNanos > SECOND;
    if (!missedOnce || nowNanos - missedNanos > SECOND) {
      missedNanos = nowNanos;
    }
    missedOnce = true;
    return again;
  }

  private void stepBack(double by, Load load, long nowNanos) {
    if (part == 1) {
      freeBasePerSecond = freePerSecond(load.found());
      basePerSecond = freeBasePerSecond;
      leastBasePerSecond = freeBasePerSecond;
    }
    if (part == 1 || trying) {
      latePart = part;
      lateNanos = nowNanos;
    }
    double to = part == 1 && partBefore < 1 ? partBefore : part - by;
    part = Math.max(PART_MIN, to);
    partBefore = 1;
    if (trying) {
      patienceNanos = Math.min(PATIENCE_NANOS_MAX, 2 * patienceNanos);
      trying = false;
    }
    settledNanos = nowNanos + SETTLE_NANOS + goal.latencyNanos();
    clear();
  }

  private void letGo() {
    if (part < 1) {
      partBefore = part;
      part = 1;
    }
  }

  private void clear() {
    Arrays.fill(served, 0);
    Arrays.fill(late, 0);
    Arrays.fill(near, 0);
  }

  private static long sum(long[] slots) {
    long sum = 0;
    for (long each : slots) {
      sum += each;
    }
    return sum;
  }

  private void pass(Load load, long nowNanos) {
    long slotNow = Math.floorDiv(nowNanos, SLOT_NANOS);
    for (long next = Math.max(slot + 1, slotNow - SLOTS + 1); next <= slotNow; next++) {
      int place = Math.floorMod(next, SLOTS);
      served[place] = 0;
      late[place] = 0;
      near[place] = 0;
    }
    slot = slotNow;
    long secondNow = Math.floorDiv(nowNanos, SECOND);
    if (secondNow != second) {
      endSecond(load, secondNow - second);
      second = secondNow;
    }
  }

  private void endSecond(Load load, long seconds) {
    if (!inSecond.isIdle()) {
      secondsSeen++;
      boolean missed =
          inSecond.lateWaits() || isMoreThanOneInAHundred(inSecond.late(), inSecond.served());
      secondsMet += missed ? 0 : 1;
    }
    ownPerSecond = (double) inSecond.servedTokens() / seconds;
    wantsTooMuch = ownPerSecond > Goals.FIRST_MAX * load.capacityPerSecond();
    double now = deliveredInSecond / seconds;
    if (part == 1) {
      if (load.found() || waitedInSecond) {
        free[(int) (freeSeconds++ % FREE_SECONDS)] = load.found() ? load.capacityPerSecond() : now;
      }
    } else if (load.found()) {
      basePerSecond = Math.min(freeBasePerSecond, basePerSecond * (1 + RECOVERY * seconds));
      lower(load.capacityPerSecond());
    } else if (waitedInSecond && now < SLOWER * heldPerSecond(load.capacityPerSecond())) {
      lower(now);
    }
    inSecond = GoalService.NONE;
    deliveredInSecond = 0;
    waitedInSecond = true;
  }

  /**
   * What a target did before it was held: the most that it delivered of late, or the least that was
   * found out of late, because while that grows it may be a cache that is being filled.
   */
  private double freePerSecond(boolean found) {
    int known = (int) Math.min(freeSeconds, FREE_SECONDS);
    double most = 0;
    double least = Double.POSITIVE_INFINITY;
    for (int i = 0; i < known; i++) {
      most = Math.max(most, free[i]);
      least = Math.min(least, free[i]);
    }
    return found || known == 0 ? least : most;
  }

  /**
   * What was held back of a capacity that was thought too large was not needed for the goal. That
   * is so for the least that was seen: one that goes up and down about it teaches nothing new.
   */
  private void lower(double perSecond) {
    if (perSecond < leastBasePerSecond) {
      part = Math.max(part, Math.min(1 - STEP_LATE, part * leastBasePerSecond / perSecond));
      latePart *= leastBasePerSecond / perSecond;
      leastBasePerSecond = perSecond;
    }
    basePerSecond = Math.min(basePerSecond, perSecond);
  }

  /** What the target is to be given at most, in tokens a second; {@link #FREE} for all it takes. */
  public long heldTo(double capacityPerSecond) {
    return part == 1 ? FREE : Math.max(1, Math.round(heldPerSecond(capacityPerSecond)));
  }

  private double heldPerSecond(double capacityPerSecond) {
    double base = Math.min(basePerSecond, capacityPerSecond);
    double own = Math.min(ownPerSecond, base);
    return own + part * (base - own);
  }

  /** Which part of what is left others have; 1 while they are not held back. */
  public double part() {
    return part;
  }

  /** In how many seconds requests of the goal were served so far. */
  public long secondsSeen() {
    return secondsSeen;
  }

  /** In how many of them no more than one in a hundred was late. */
  public long secondsMet() {
    return secondsMet;
  }

  /** For people: {@code met in 58 of 60 seconds; others have 93 % of what is left}. */
  public String words() {
    StringBuilder words =
        new StringBuilder()
            .append(goal.possessive())
            .append(secondsSeen == 0 ? ": nothing was served yet" : ": met in ");
    if (secondsSeen > 0) {
      words.append(secondsMet).append(" of ").append(secondsSeen).append(" seconds");
    }
    if (part < 1) {
      words.append(
          String.format(Locale.ROOT, "; others are held to %.0f %% of what is left", 100 * part));
    }
    if (wantsTooMuch) {
      words
          .append("; it asks for more than a quarter of ")
          .append("what the target can do, and waits for itself");
    }
    return words.toString();
  }
}
