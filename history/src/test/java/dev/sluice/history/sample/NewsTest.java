package dev.sluice.history.sample;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.model.TokenUnit;
import dev.sluice.history.model.Event;
import dev.sluice.history.model.Sample;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NewsTest {
  @Test
  void aTroubleIsToldWhenItBeginsAndWhenItIsOver() {
    Troubles troubles = new Troubles();
    assertThat(troubles.look(Map.of(), 1)).isEmpty();
    assertThat(troubles.look(Map.of("disk", "stuck for 1 s"), 2))
        .containsExactly(new Event(2, Event.Kind.TROUBLE, "", "disk", "stuck for 1 s"));
    assertThat(troubles.look(Map.of("disk", "stuck for 2 s"), 3)).as("no news").isEmpty();
    assertThat(troubles.look(Map.of(), 4))
        .extracting(Event::words)
        .containsExactly("it is well again; before: stuck for 2 s");
    assertThat(troubles.look(Map.of("disk", "again"), 5)).hasSize(1);
  }

  private static Sample second(int second, int jobs) {
    List<Sample.OfJob> heldBack = new ArrayList<>();
    for (int i = 0; i < jobs; i++) {
      // The higher its number, the more often a job is held back.
      int millis = second % 10 < i ? 1_000 : 0;
      heldBack.add(new Sample.OfJob("j" + i, "u", 1, 1, 1, 1, 1, 1, 1, millis));
    }
    return new Sample(
        1_000L * second,
        1_000,
        "fair",
        false,
        List.of(new Sample.OfTarget("disk", 1, TokenUnit.BYTES, 1, 0, heldBack)));
  }

  @Test
  void theLongestHeldBackAreAskedAboutOnceAMinuteAndSeldomAgain() {
    HeldBackJobs jobs = new HeldBackJobs();
    List<List<String>> asked = new ArrayList<>();
    for (int second = 0; second < 20 * 60; second++) {
      List<String> due = jobs.look(second(second, 9));
      if (!due.isEmpty()) {
        asked.add(due);
      }
    }
    assertThat(asked.getFirst()).containsExactly("j8", "j7", "j6", "j5", "j4");
    assertThat(asked.get(1))
        .as("whoever was not asked about yet")
        .containsExactly("j3", "j2", "j1");
    assertThat(asked.get(2)).as("ten minutes later").containsExactly("j8", "j7", "j6", "j5", "j4");
    assertThat(asked).hasSizeBetween(3, 5);
  }
}
