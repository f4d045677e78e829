package dev.sluice.gateway.identify;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LateAnswersTest {
  private final FakeNames names = new FakeNames();
  private final List<Boolean> heard = new ArrayList<>();
  private final LateAnswers<Integer, String> answers =
      new LateAnswers<>(
          number -> {
            String name = names.userName(number);
            return name == null ? "nobody" : name;
          },
          names,
          names,
          heard::add);

  @Test
  void nobodyWaitsForAnAnswerAndItIsAskedForOnce() {
    names.users.put(7, "alice");
    assertThat(answers.get(7)).isNull();
    assertThat(answers.get(7)).isNull();
    assertThat(names.waiting).hasSize(1);
    names.answer();
    assertThat(answers.get(7)).isEqualTo("alice");
    assertThat(names.questions).isEqualTo(1);
    assertThat(heard).containsExactly(true);
  }

  @Test
  void anOldAnswerHoldsWhileItIsAskedAgain() {
    names.users.put(7, "alice");
    answers.get(7);
    names.answer();
    names.nowNanos.addAndGet(LateAnswers.FRESH_NANOS);
    names.users.put(7, "alicia");
    assertThat(answers.get(7)).isEqualTo("alice");
    names.answer();
    assertThat(answers.get(7)).isEqualTo("alicia");
    assertThat(heard).containsExactly(true, false);
  }

  @Test
  void thatThereIsNobodyIsRememberedToo() {
    answers.get(8);
    names.answer();
    for (int i = 0; i < 10; i++) {
      assertThat(answers.get(8)).isEqualTo("nobody");
    }
    assertThat(names.questions).isEqualTo(1);
    names.nowNanos.addAndGet(LateAnswers.FRESH_NANOS);
    names.users.put(8, "bob");
    answers.get(8);
    names.answer();
    assertThat(answers.get(8)).isEqualTo("bob");
  }

  @Test
  void whatNobodyWantedForLongIsAskedForFirst() {
    names.users.put(7, "alice");
    answers.get(7);
    names.answer();
    names.nowNanos.addAndGet(LateAnswers.OLD_NANOS);
    assertThat(answers.get(7)).isNull();
    names.answer();
    assertThat(answers.get(7)).isEqualTo("alice");
  }

  @Test
  void aServiceThatIsDownTakesNothingAwayAndIsNotAskedAllTheTime() {
    names.users.put(7, "alice");
    answers.get(7);
    names.answer();
    names.isDown = true;
    names.nowNanos.addAndGet(LateAnswers.OLD_NANOS);
    answers.get(7);
    names.answer();
    assertThat(answers.get(7)).as("better old than none").isEqualTo("alice");
    assertThat(names.waiting).as("asked again only after a while").isEmpty();

    assertThat(answers.get(9)).isNull();
    names.answer();
    assertThat(answers.get(9)).isNull();
    assertThat(names.waiting).isEmpty();
    names.isDown = false;
    names.users.put(9, "carol");
    names.nowNanos.addAndGet(LateAnswers.RETRY_NANOS);
    answers.get(9);
    names.answer();
    assertThat(answers.get(9)).isEqualTo("carol");
  }

  @Test
  void whatCouldNotBeAskedIsAskedTheNextTime() {
    names.users.put(7, "alice");
    names.isFull = true;
    assertThat(answers.get(7)).isNull();
    names.isFull = false;
    assertThat(answers.get(7)).isNull();
    names.answer();
    assertThat(answers.get(7)).isEqualTo("alice");
  }

  @Test
  void itsMemoryIsBounded() {
    names.users.put(-7, "alice");
    answers.get(-7);
    names.answer();
    for (int number = 0; number < 5 * LateAnswers.KEYS_MAX; number++) {
      answers.get(number);
      if (number % 1_000 == 0) {
        names.answer();
        assertThat(answers.size()).isLessThanOrEqualTo(LateAnswers.KEYS_MAX + 1);
      }
    }
  }
}
