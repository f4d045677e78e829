package dev.sluice.core.schedule.sojourn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.model.Flow;
import dev.sluice.core.model.JobId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LongPhasesTest {
  private static final long PER_SECOND = 1_000;
  private static final long MOST = 1_000_000;
  private static final long PAUSE = PhaseQueue.PAUSE_NANOS;

  private final LongPhases together = new LongPhases(PER_SECOND, MOST);

  /** A job that has been served so much in its first phase. */
  private static PhaseQueue served(int number, long tokens) {
    PhaseQueue queue = new PhaseQueue(Flow.of(JobId.of("job" + number), "t"), 0);
    queue.begin(false, 0);
    for (int i = 0; i < 99; i++) {
      queue.handedOut(1, 0);
      queue.completed(0, 0);
    }
    queue.handedOut(tokens - 99, 0);
    queue.completed(0, 0);
    return queue;
  }

  /** All but one of those that are many. */
  private List<PhaseQueue> nearlyMany() {
    List<PhaseQueue> queues = new ArrayList<>();
    for (int i = 1; i < LongPhases.MANY; i++) {
      PhaseQueue queue = served(i, PER_SECOND);
      queues.add(queue);
      assertThat(together.isToTakeTurns(queue, 0)).isFalse();
      assertThat(together.isToTakeTurns(queue, 0)).as("counted once").isFalse();
    }
    return queues;
  }

  @Test
  void manyTakeTurnsThatHaveHadASecondOfTheTargetEach() {
    nearlyMany();
    assertThat(together.isToTakeTurns(served(8, PER_SECOND - 1), 0)).isFalse();
    assertThat(together.isToTakeTurns(served(9, PER_SECOND), 0)).isTrue();
  }

  @Test
  void whoHasLeftIsNotCounted() {
    List<PhaseQueue> queues = nearlyMany();
    together.leave(queues.getFirst());
    together.leave(served(7, PER_SECOND));
    PhaseQueue next = served(8, PER_SECOND);
    assertThat(together.isToTakeTurns(next, 0)).isFalse();
    assertThat(together.isToTakeTurns(queues.getFirst(), 0)).as("it is back").isTrue();
    assertThat(together.isToTakeTurns(next, 0)).isTrue();
  }

  @Test
  void whosePhaseIsOverIsNotCountedUntilItHasAnother() {
    List<PhaseQueue> queues = nearlyMany();
    PhaseQueue still = queues.getFirst();
    still.completed(0, PAUSE);
    PhaseQueue next = served(8, PER_SECOND);
    next.completed(0, PAUSE);
    assertThat(together.isToTakeTurns(next, 2 * PAUSE)).as("two of five are left").isFalse();
    for (int i = 10; i < 10 + LongPhases.MANY - 3; i++) {
      PhaseQueue more = served(i, PER_SECOND);
      more.completed(0, PAUSE);
      assertThat(together.isToTakeTurns(more, 2 * PAUSE)).isFalse();
    }
    PhaseQueue again = queues.getLast();
    again.completed(0, 2 * PAUSE);
    assertThat(together.isToTakeTurns(again, 2 * PAUSE)).as("the fifth").isTrue();
  }

  @Test
  void atFirstAPhaseIsTakenForMuchMoreThanItHasHad() {
    assertThat(together.guess(served(1, 2_000))).isEqualTo(200_000);
    assertThat(together.guess(served(1, 200_000))).isEqualTo(MOST);
    assertThat(together.guess(served(1, 600_000))).as("not more than any").isEqualTo(MOST);
  }

  @Test
  void oncePhasesAreOverOthersAreTakenForHalfAsMuchAgain() {
    together.cameTo(10_000);
    assertThat(together.guess(served(1, 2_000))).isEqualTo(15_000);
    together.cameTo(30_000);
    assertThat(together.guess(served(1, 2_000))).isEqualTo(22_500);
    assertThat(together.guess(served(1, 20_000)))
        .as("it will come to twice what it has had")
        .isEqualTo(40_000);
  }
}
