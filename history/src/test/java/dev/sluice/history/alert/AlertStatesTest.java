package dev.sluice.history.alert;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testkit.SeededCases;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class AlertStatesTest {
  private static final AlertKey DISK = new AlertKey(AlertKind.TARGET_SATURATED, "disk");
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final AlertRules FIVE_MINUTES =
      new AlertRules(Map.of(AlertKind.TARGET_SATURATED, 300_000L), 60_000, null);

  private final AlertStates states = new AlertStates(FIVE_MINUTES);

  private List<Notice> look(boolean saturated, long second) {
    return states.look(saturated ? Map.of(DISK, "full") : Map.of(), second * SECOND);
  }

  @Test
  void firesOnceAndIsOverOnce() {
    for (int second = 0; second < 300; second++) {
      assertThat(look(true, second)).isEmpty();
    }
    assertThat(look(true, 300)).containsExactly(new Notice(DISK, true, 300_000, "full"));
    assertThat(states.firing()).containsOnly(Map.entry(AlertKind.TARGET_SATURATED, 1));
    for (int second = 301; second <= 400; second++) {
      assertThat(look(true, second)).isEmpty();
    }
    for (int second = 401; second < 460; second++) {
      assertThat(look(false, second)).isEmpty();
    }
    assertThat(look(false, 460)).containsExactly(new Notice(DISK, false, 400_000, "full"));
    assertThat(states.firing()).isEmpty();
    assertThat(look(false, 461)).isEmpty();
  }

  @Test
  void aShortGapDoesNotStartItAnewAndALongOneDoes() {
    look(true, 0);
    look(false, 5);
    assertThat(look(true, 300)).as("295 s without anything are no gap").isEmpty();
    for (int second = 301; second < 600; second++) {
      assertThat(look(second % 10 != 0, second)).isEmpty();
    }
    assertThat(look(true, 601)).hasSize(1);
  }

  @Test
  void whatNobodyWantsToKnowIsNotTold() {
    AlertKey lost = new AlertKey(AlertKind.CONTROLLER_LOST, "");
    for (int second = 0; second < 1_000; second++) {
      assertThat(states.look(Map.of(lost, "gone"), second * SECOND)).isEmpty();
    }
  }

  @Test
  void rulesThatGoAwayEndTheirAlerts() {
    for (int second = 0; second <= 300; second++) {
      look(true, second);
    }
    states.follow(AlertRules.NONE);
    assertThat(look(true, 301)).extracting(Notice::fires).containsExactly(false);
    assertThat(states.firing()).isEmpty();
  }

  /** Whatever comes: notices alternate, and the times between them are those of the rules. */
  @Test
  void nothingFlaps() {
    SeededCases.forAll(
        500,
        random -> {
          long afterMillis = 1_000L * random.nextInt(30);
          long resolveMillis = 1_000L * random.nextInt(30);
          AlertStates own =
              new AlertStates(
                  new AlertRules(
                      Map.of(AlertKind.TARGET_SATURATED, afterMillis), resolveMillis, null));
          Map<AlertKey, List<Long>> told = new HashMap<>();
          Map<AlertKey, Boolean> firing = new HashMap<>();
          Map<AlertKey, Long> lastSeen = new HashMap<>();
          int steadiness = random.nextInt(1, 40);
          Map<AlertKey, Boolean> present = new HashMap<>();
          for (long second = 0; second < 400; second++) {
            Map<AlertKey, String> seen = new HashMap<>();
            for (int i = 0; i < 3; i++) {
              AlertKey key = new AlertKey(AlertKind.TARGET_SATURATED, "t" + i);
              if (random.nextInt(steadiness) == 0) {
                present.merge(key, true, (before, _) -> !before);
              }
              if (present.getOrDefault(key, false)) {
                seen.put(key, "full");
                lastSeen.put(key, second);
              }
            }
            for (Notice notice : own.look(seen, second * SECOND)) {
              assertThat(notice.fires()).isNotEqualTo(firing.getOrDefault(notice.key(), false));
              firing.put(notice.key(), notice.fires());
              assertThat(notice.lastedMillis()).isGreaterThanOrEqualTo(afterMillis);
              if (notice.fires()) {
                assertThat(seen).containsKey(notice.key());
              } else {
                assertThat(1_000 * (second - lastSeen.getOrDefault(notice.key(), 0L)))
                    .isGreaterThanOrEqualTo(resolveMillis);
              }
              told.computeIfAbsent(notice.key(), _ -> new ArrayList<>()).add(second);
            }
          }
          int counted = (int) firing.values().stream().filter(fires -> fires).count();
          assertThat(own.firing().getOrDefault(AlertKind.TARGET_SATURATED, 0)).isEqualTo(counted);
        });
  }

  @Test
  void isBounded() {
    AlertStates own =
        new AlertStates(new AlertRules(Map.of(AlertKind.JOB_WAITING, 1_000L), 1_000, null));
    Map<AlertKey, String> many = new HashMap<>();
    for (int i = 0; i < 3 * AlertStates.KEYS_MAX; i++) {
      many.put(new AlertKey(AlertKind.JOB_WAITING, "j" + i), "waits");
    }
    assertThat(own.look(many, 0)).hasSize(AlertStates.KEYS_MAX);
  }
}
