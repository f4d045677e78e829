package dev.sluice.core.policy.guarantee;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.testkit.SeededCases;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;

/** How others step back for a goal. */
class StepBackTest {
  private static final long MILLI = 1_000_000L;
  private static final long LOOK = 100 * MILLI;
  private static final long SECOND = 1_000 * MILLI;
  private static final double CAPACITY = 100_000_000;
  private static final Goal GOAL = new Goal(Guarantee.Who.USER, "alice", 20 * MILLI);
  private static final GoalService IN_TIME = new GoalService(2, 0, 0, false, false, 20_000);
  private static final GoalService NEARLY = new GoalService(2, 0, 2, false, false, 20_000);
  private static final GoalService LATE = new GoalService(2, 2, 2, false, false, 20_000);

  /** A target that does what it is given, up to its capacity. */
  private static final class World {
    final StepBack stepBack;
    long nowNanos;
    boolean othersWait = true;
    double capacity = CAPACITY;
    double told = CAPACITY;
    boolean found;

    World() {
      this(GOAL);
    }

    World(Goal goal) {
      stepBack = new StepBack(goal, 0);
    }

    void look(GoalService own) {
      nowNanos += LOOK;
      double given = Math.min(capacity, (double) stepBack.heldTo(told));
      stepBack.look(
          own,
          new StepBack.Load(told, found, Math.round(given * LOOK / SECOND), othersWait),
          nowNanos);
    }

    void look(GoalService own, double seconds) {
      for (int i = 0; i < seconds * 10; i++) {
        look(own);
      }
    }

    /** Requests are late above one part, and nearly so above another. */
    void live(double lateAbove, double nearAbove, double seconds) {
      for (int i = 0; i < seconds * 10; i++) {
        double given = Math.min(1, stepBack.heldTo(told) / capacity);
        look(given > lateAbove ? LATE : given > nearAbove ? NEARLY : IN_TIME);
      }
    }
  }

  @Test
  void whoIsInTimeHoldsNobodyBack() {
    World world = new World();
    world.look(IN_TIME, 600);
    assertThat(world.stepBack.part()).isEqualTo(1);
    assertThat(world.stepBack.heldTo(CAPACITY)).isEqualTo(StepBack.FREE);
    assertThat(world.stepBack.secondsMet()).isEqualTo(world.stepBack.secondsSeen()).isEqualTo(600);
  }

  @Test
  void othersStepBackAtOnceAndNeverBelowTheFloor() {
    World world = new World();
    world.look(IN_TIME, 2);
    world.look(LATE, 0.2);
    assertThat(world.stepBack.part()).isCloseTo(0.9, within(1e-9));
    world.look(LATE, 300);
    assertThat(world.stepBack.part()).isEqualTo(StepBack.PART_MIN);
    // What is left for others is what the jobs of the goal do not use.
    assertThat((double) world.stepBack.heldTo(CAPACITY))
        .isCloseTo(200_000 + 0.8 * (CAPACITY - 200_000), within(1.0));
    assertThat(world.stepBack.words())
        .startsWith("alice's goal of 20 ms: met in 2 of ")
        .endsWith("others are held to 80 % of what is left");
  }

  @Test
  void oneSecondInAWhileIsForgiven() {
    World world = new World();
    GoalService one = new GoalService(2, 1, 1, false, false, 20_000);
    for (int i = 0; i < 5; i++) {
      world.look(IN_TIME, 210);
      world.look(one);
    }
    assertThat(world.stepBack.part()).isEqualTo(1);
    world.look(IN_TIME, 20);
    world.look(one);
    assertThat(world.stepBack.part()).isLessThan(1);
  }

  @Test
  void oneInAHundredMayBeLate() {
    World world = new World();
    world.look(new GoalService(100, 1, 1, false, false, 20_000), 60);
    assertThat(world.stepBack.part()).isEqualTo(1);
    assertThat(world.stepBack.secondsMet()).isEqualTo(world.stepBack.secondsSeen());
    world.look(new GoalService(100, 2, 2, false, false, 20_000), 60);
    assertThat(world.stepBack.part()).isLessThan(1);
  }

  @Test
  void whoWaitsIsLateBeforeItIsServed() {
    World world = new World();
    world.look(IN_TIME, 2);
    world.look(new GoalService(0, 0, 0, true, true, 0), 5);
    assertThat(world.stepBack.part()).isLessThan(1);
    assertThat(world.stepBack.secondsMet()).isLessThan(world.stepBack.secondsSeen());
  }

  @Test
  void nobodyIsHeldBackForWhatIsNotHisDoing() {
    World alone = new World();
    alone.othersWait = false;
    alone.look(LATE, 60);
    assertThat(alone.stepBack.part()).isEqualTo(1);
    World unknown = new World();
    unknown.told = Double.POSITIVE_INFINITY;
    unknown.look(LATE, 60);
    assertThat(unknown.stepBack.part()).isEqualTo(1);
  }

  @Test
  void whoWantsMoreThanAQuarterWaitsForItself() {
    World world = new World();
    world.look(new GoalService(2, 0, 0, false, false, 3_000_000), 1.1);
    world.look(new GoalService(2, 2, 2, false, false, 3_000_000), 60);
    assertThat(world.stepBack.part()).isEqualTo(1);
    assertThat(world.stepBack.words()).contains("more than a quarter");
  }

  @Test
  void othersAreLetGoWhenNobodyIsThere() {
    World world = new World();
    world.look(IN_TIME, 2);
    world.look(LATE, 30);
    assertThat(world.stepBack.part()).isEqualTo(StepBack.PART_MIN);
    world.look(GoalService.NONE, 6);
    assertThat(world.stepBack.heldTo(CAPACITY)).isEqualTo(StepBack.FREE);
    // Who comes back finds what was needed before.
    world.look(LATE, 0.2);
    assertThat(world.stepBack.part()).isEqualTo(StepBack.PART_MIN);
  }

  /** As far as needed and no further: in between it looks for what is needed, seldom too much. */
  @Test
  void whatIsNeededIsFoundAndNoMore() {
    SeededCases.forAll(
        100,
        random -> {
          World world = new World();
          double lateAbove = 0.82 + 0.15 * random.nextDouble();
          double nearAbove = lateAbove - 0.02;
          world.live(lateAbove, nearAbove, 60);
          long metBefore = world.stepBack.secondsMet();
          long seenBefore = world.stepBack.secondsSeen();
          double kept = 0;
          for (int i = 0; i < 1_200; i++) {
            world.live(lateAbove, nearAbove, 1);
            kept += Math.min(1, world.stepBack.part());
          }
          long seen = world.stepBack.secondsSeen() - seenBefore;
          assertThat((world.stepBack.secondsMet() - metBefore) / (double) seen)
              .isGreaterThanOrEqualTo(0.99);
          assertThat(kept / 1_200)
              .isGreaterThan(Math.max(StepBack.PART_MIN, lateAbove - 0.1) - 1e-9);
        });
  }

  /** Nothing warns of a storage that is in time up to a point and late beyond. */
  @Test
  void whereItWentInVainItDoesNotGoAgainSoon() {
    World world = new World();
    world.live(0.95, 0.95, 200);
    long missedBefore = world.stepBack.secondsSeen() - world.stepBack.secondsMet();
    world.live(0.95, 0.95, 800);
    assertThat(world.stepBack.secondsSeen() - world.stepBack.secondsMet()).isEqualTo(missedBefore);
    assertThat(world.stepBack.part()).isCloseTo(0.94, within(0.011));
    // Until that is long ago, for storages change.
    world.live(1, 1, 1_200);
    assertThat(world.stepBack.part()).isEqualTo(1);
  }

  @Test
  void aTargetThatWasToldToDoMoreThanItCanIsHeldToWhatItDoes() {
    World world = new World();
    world.capacity = CAPACITY / 2;
    world.look(IN_TIME, 20);
    world.look(LATE, 0.2);
    assertThat((double) world.stepBack.heldTo(CAPACITY)).isCloseTo(45_000_000, within(100_000.0));
  }

  @Test
  void aTargetThatBecomesSlowerIsHeldToLess() {
    World world = new World();
    world.look(IN_TIME, 20);
    world.look(LATE, 0.2);
    world.capacity = CAPACITY / 2;
    world.look(IN_TIME, 5);
    assertThat((double) world.stepBack.heldTo(CAPACITY)).isBetween(45_000_000.0, 50_000_000.0);
  }

  /** What grows may be a cache that is filled; what was so before it did is more likely. */
  @Test
  void whatIsFoundOutIsBelievedWhenItLasted() {
    World world = new World();
    world.found = true;
    DoubleUnaryOperator grown = seconds -> CAPACITY * (1 + 0.05 * seconds);
    world.look(IN_TIME, 40);
    for (int i = 0; i < 8; i++) {
      world.told = grown.applyAsDouble(i);
      world.look(IN_TIME, 1);
    }
    world.look(LATE, 0.2);
    assertThat((double) world.stepBack.heldTo(world.told))
        .isCloseTo(0.9 * CAPACITY, within(100_000.0));
  }

  @Test
  void whoGoesUpTurnsBackWhereRequestsAreNearlyLate() {
    World world = new World();
    world.look(IN_TIME, 2);
    world.look(LATE);
    assertThat(world.stepBack.part()).isCloseTo(0.9, within(1e-9));
    world.look(IN_TIME, 62);
    assertThat(world.stepBack.part()).isCloseTo(0.91, within(1e-9));
    world.look(NEARLY);
    assertThat(world.stepBack.part()).isCloseTo(0.89, within(1e-9));
    // Where it has come down to, nearly late is in time.
    world.look(NEARLY, 60);
    assertThat(world.stepBack.part()).isCloseTo(0.89, within(1e-9));
  }

  @Test
  void whatAStepChangesIsWaitedFor() {
    World world = new World();
    world.look(IN_TIME, 2);
    for (int i = 0; i < 3; i++) {
      world.look(LATE);
      assertThat(world.stepBack.part()).isCloseTo(0.9, within(1e-9));
    }
    world.look(LATE);
    assertThat(world.stepBack.part()).isCloseTo(0.8, within(1e-9));
  }

  @Test
  void aCapacityThatIsFoundToBeLessCountsAtOnceAndComesBackSlowly() {
    World world = new World();
    world.found = true;
    world.look(IN_TIME, 40);
    world.look(LATE);
    assertThat(world.stepBack.part()).isCloseTo(0.9, within(1e-9));
    world.told = 0.8 * CAPACITY;
    world.look(IN_TIME, 2);
    assertThat(world.stepBack.part()).isCloseTo(0.96, within(1e-9));
    assertThat((double) world.stepBack.heldTo(world.told)).isCloseTo(76_800_000, within(20_000.0));
    world.told = CAPACITY;
    world.look(IN_TIME, 10);
    assertThat((double) world.stepBack.heldTo(world.told))
        .isBetween(0.96 * 0.83 * CAPACITY, 0.96 * 0.86 * CAPACITY);
    world.look(IN_TIME, 45);
    assertThat((double) world.stepBack.heldTo(world.told)).isCloseTo(96_000_000, within(20_000.0));
  }

  @Test
  void whatIsFoundOutForTheFirstTimeIsNotBelievedYet() {
    World world = new World();
    world.found = true;
    world.told = Double.POSITIVE_INFINITY;
    world.look(LATE, 1);
    world.told = CAPACITY;
    world.look(LATE, 30);
    assertThat(world.stepBack.part()).isEqualTo(1);
    world.look(LATE);
    assertThat(world.stepBack.part()).isLessThan(1);
  }

  @Test
  void whoIsAwayForFiveSecondsIsNotGoneYet() {
    World world = new World();
    world.look(IN_TIME, 2);
    world.look(LATE);
    world.look(GoalService.NONE, 5);
    assertThat(world.stepBack.part()).isCloseTo(0.9, within(1e-9));
    world.look(GoalService.NONE);
    assertThat(world.stepBack.part()).isEqualTo(1);
  }

  @Test
  void whatATargetDoesWhileNobodyWaitsIsNotAllThatItCanDo() {
    World world = new World();
    world.look(IN_TIME, 5);
    world.othersWait = false;
    world.capacity = CAPACITY / 2;
    world.look(IN_TIME, 20);
    world.othersWait = true;
    world.look(LATE);
    assertThat((double) world.stepBack.heldTo(CAPACITY))
        .isCloseTo(200_000 + 0.9 * (CAPACITY - 200_000), within(100_000.0));
  }

  @Test
  void lateLooksAreAboutSeveralSeconds() {
    StepBack stepBack = new StepBack(GOAL, 0);
    stepBack.look(
        new GoalService(10, 0, 0, false, false, 60_000_000),
        new StepBack.Load(CAPACITY, false, 300_000_000, true),
        3 * SECOND / 2);
    stepBack.look(IN_TIME, new StepBack.Load(CAPACITY, false, 0, true), 9 * SECOND / 2);
    assertThat(stepBack.words()).doesNotContain("quarter");
    stepBack.look(LATE, new StepBack.Load(CAPACITY, false, 0, true), 46 * SECOND / 10);
    assertThat((double) stepBack.heldTo(10 * CAPACITY)).isCloseTo(92_000_000, within(1.0));
  }

  @Test
  void whoWaitsIsOneMoreOfThoseWhoWereServed() {
    World world = new World();
    for (int i = 0; i < 4; i++) {
      world.look(new GoalService(10, 0, 0, false, false, 20_000), 20);
      world.look(new GoalService(9, 0, 0, true, true, 20_000));
    }
    assertThat(world.stepBack.part()).isEqualTo(1);
  }

  /** A second with one that is late, once. */
  private static final GoalService ONE_LATE = new GoalService(2, 1, 1, false, false, 20_000);

  @Test
  void aMissedSecondIsRememberedForLessThanTwoHundred() {
    World world = new World();
    world.look(ONE_LATE);
    world.look(IN_TIME, 199.9);
    world.look(ONE_LATE);
    assertThat(world.stepBack.part()).isEqualTo(1);
    world.look(IN_TIME, 199.8);
    world.look(ONE_LATE);
    assertThat(world.stepBack.part()).isCloseTo(0.96, within(1e-9));
  }

  @Test
  void twoThatAreLateWithinASecondAreOneMiss() {
    World world = new World();
    world.look(ONE_LATE);
    world.look(IN_TIME, 0.9);
    world.look(ONE_LATE);
    assertThat(world.stepBack.part()).isEqualTo(1);
    world.look(IN_TIME, 1);
    world.look(ONE_LATE);
    assertThat(world.stepBack.part()).isLessThan(1);
  }

  @Test
  void oneInTwentyIsNotVeryLate() {
    World world = new World();
    world.look(new GoalService(40, 2, 2, false, false, 20_000));
    assertThat(world.stepBack.part()).isEqualTo(1);
    world.look(IN_TIME, 300);
    world.look(new GoalService(21, 2, 2, false, false, 20_000));
    assertThat(world.stepBack.part()).isCloseTo(0.9, within(1e-9));
  }

  @Test
  void whatWasServedBeforeAStepSaysNothingAboutWhatComesAfter() {
    GoalService many = new GoalService(1_000, 0, 0, false, false, 20_000);
    World world = new World();
    world.look(many, 1);
    world.look(new GoalService(1_000, 600, 600, false, false, 20_000));
    assertThat(world.stepBack.part()).isCloseTo(0.9, within(1e-9));
    world.look(many, 0.2);
    world.look(LATE, 0.2);
    assertThat(world.stepBack.part()).isCloseTo(0.8, within(1e-9));
  }

  @Test
  void whatWasLateBeforeAStepIsForgottenWhoeverLooksSeldom() {
    StepBack stepBack = new StepBack(GOAL, 0);
    StepBack.Load load = new StepBack.Load(CAPACITY, false, 10_000_000, true);
    stepBack.look(LATE, load, LOOK);
    assertThat(stepBack.part()).isCloseTo(0.9, within(1e-9));
    stepBack.look(IN_TIME, load, 6 * LOOK);
    assertThat(stepBack.part()).isCloseTo(0.9, within(1e-9));
  }

  @Test
  void itGoesUpAMinuteAfterTheStepAndNotSooner() {
    World world = new World();
    // That it was not needed for long does not make it more patient.
    world.look(IN_TIME, 100);
    world.look(LATE);
    world.look(IN_TIME, 59.9);
    assertThat(world.stepBack.part()).isCloseTo(0.9, within(1e-9));
    world.look(IN_TIME);
    assertThat(world.stepBack.part()).isCloseTo(0.91, within(1e-9));
  }

  @Test
  void aStepShowsAfterAQuarterOfASecondAndTheGoal() {
    World world = new World(new Goal(Guarantee.Who.USER, "alice", 50 * MILLI));
    world.look(LATE);
    world.look(LATE, 0.2);
    assertThat(world.stepBack.part()).isCloseTo(0.9, within(1e-9));
    world.look(LATE);
    assertThat(world.stepBack.part()).isCloseTo(0.8, within(1e-9));
  }

  @Test
  void whereEverybodyWasLateIsTriedAgainSixteenMinutesLater() {
    World world = new World();
    world.look(LATE);
    world.look(IN_TIME, 960);
    assertThat(world.stepBack.part()).isCloseTo(0.99, within(1e-9));
    world.look(IN_TIME);
    assertThat(world.stepBack.part()).isCloseTo(1, within(1e-9));
  }

  @Test
  void onlyWhereItWentUpToInVainIsAvoided() {
    World world = new World();
    world.look(LATE);
    world.look(LATE, 0.3);
    assertThat(world.stepBack.part()).isEqualTo(StepBack.PART_MIN);
    world.look(IN_TIME, 60 + 19 * 3);
    assertThat(world.stepBack.part()).isCloseTo(0.99, within(1e-9));
  }

  @Test
  void whatIsHeldBackFollowsACapacityThatIsFoundToBeALittleLess() {
    World world = new World();
    world.found = true;
    world.look(IN_TIME, 40);
    world.look(LATE);
    world.look(IN_TIME, 73);
    assertThat(world.stepBack.part()).isCloseTo(0.95, within(1e-9));
    world.look(LATE);
    assertThat(world.stepBack.part()).isCloseTo(0.85, within(1e-9));
    world.told = 0.97 * CAPACITY;
    world.look(IN_TIME, 2);
    assertThat(world.stepBack.part()).isCloseTo(0.85 / 0.97, within(1e-9));
    // What is found to be so again, or more and then so again, says no more than that.
    for (int i = 0; i < 10; i++) {
      world.told = (i % 2 == 0 ? 0.98 : 0.97) * CAPACITY;
      world.look(IN_TIME, 2);
    }
    assertThat(world.stepBack.part()).isCloseTo(0.85 / 0.97, within(1e-9));
    // And so does the part to which it went up in vain.
    world.look(IN_TIME, 300);
    assertThat(world.stepBack.part()).isCloseTo(0.85 / 0.97 + 0.09, within(1e-9));
  }

  @Test
  void whatComesBackDoesSoByTheSecondWhoeverLooksSeldom() {
    World world = new World();
    world.found = true;
    world.look(IN_TIME, 40);
    world.look(LATE);
    world.told = 0.8 * CAPACITY;
    world.look(IN_TIME, 2);
    world.told = CAPACITY;
    world.nowNanos += 10 * SECOND - LOOK;
    world.look(IN_TIME);
    // The seconds that passed brought half a percent each; those of the goal had next to nothing.
    assertThat((double) world.stepBack.heldTo(world.told))
        .isCloseTo(0.96 * 0.84 * CAPACITY, within(300_000.0));
  }

  @Test
  void aTargetThatDeliversNineTenthsIsNotSlower() {
    GoalService small = new GoalService(2, 0, 0, false, false, 0);
    World world = new World();
    world.look(small, 20);
    world.look(new GoalService(2, 2, 2, false, false, 0));
    world.capacity = 81_000_000;
    world.look(small, 20);
    assertThat(world.stepBack.heldTo(CAPACITY)).isEqualTo(90_000_000);
    world.capacity = 80_000_000;
    world.look(small, 3);
    assertThat(world.stepBack.heldTo(CAPACITY)).isLessThan(80_000_000);
  }

  @Test
  void whoWantsAQuarterDoesNotWaitForItself() {
    World world = new World();
    world.look(new GoalService(2, 0, 0, false, false, 2_500_000), 2.1);
    world.look(new GoalService(2, 2, 2, false, false, 2_500_000));
    assertThat(world.stepBack.part()).isLessThan(1);
  }

  @Test
  void itSaysWhatItKnows() {
    World world = new World();
    assertThat(world.stepBack.words()).isEqualTo("alice's goal of 20 ms: nothing was served yet");
    world.look(IN_TIME, 2);
    assertThat(world.stepBack.words()).isEqualTo("alice's goal of 20 ms: met in 2 of 2 seconds");
  }
}
