package dev.sluice.store.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.sluice.testkit.SeededCases;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Schedules against clocks on the wall that somebody watches minute by minute. */
class ScheduleTest {
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

  /** Weeks in which clocks are put forward or back, one at midnight, one by half an hour. */
  private static final List<Week> WEEKS =
      List.of(
          new Week(BERLIN, LocalDate.of(2026, 3, 26)),
          new Week(BERLIN, LocalDate.of(2026, 10, 22)),
          new Week(ZoneId.of("America/New_York"), LocalDate.of(2026, 3, 5)),
          new Week(ZoneId.of("America/New_York"), LocalDate.of(2026, 10, 29)),
          new Week(ZoneId.of("Africa/Cairo"), LocalDate.of(2026, 4, 21)),
          new Week(ZoneId.of("Africa/Cairo"), LocalDate.of(2026, 10, 27)),
          new Week(ZoneId.of("Australia/Lord_Howe"), LocalDate.of(2026, 4, 2)),
          new Week(ZoneId.of("Australia/Lord_Howe"), LocalDate.of(2026, 10, 1)),
          new Week(ZoneId.of("UTC"), LocalDate.of(2026, 6, 1)));

  private static final int WEEK_MINUTES = 7 * 24 * 60;

  private record Week(ZoneId zone, LocalDate begins) {
    /** The instant of a minute; those before and after the week are there as well. */
    Instant minute(int index) {
      return begins.atStartOfDay(zone).toInstant().plus(Duration.ofMinutes(index));
    }
  }

  private static LocalDateTime shown(Week week, int minute) {
    return LocalDateTime.ofInstant(week.minute(minute), week.zone());
  }

  @Test
  void everyMinuteOfAWeekIsAsTheClocksOnTheWallSay() {
    SeededCases.forAll(
        120,
        random -> {
          Week week = WEEKS.get(random.nextInt(WEEKS.size()));
          LocalTime from = time(random);
          LocalTime to = time(random);
          Set<DayOfWeek> days = days(random);
          Schedule schedule = new Schedule.Daily(from, to, days, week.zone());
          boolean[] expected = expected(week, from, to, days);
          for (int minute = 0; minute < WEEK_MINUTES; minute++) {
            if (schedule.isInForce(week.minute(minute)) != expected[minute]) {
              fail(schedule + " at " + shown(week, minute) + ": expected " + expected[minute]);
            }
          }
        });
  }

  /** Often in the small hours, in which clocks are changed. */
  private static LocalTime time(RandomGenerator random) {
    int minute = random.nextInt(3) == 0 ? random.nextInt(24 * 60) : random.nextInt(4 * 60);
    return LocalTime.ofSecondOfDay((random.nextBoolean() ? minute / 30 * 30 : minute) * 60L);
  }

  private static Set<DayOfWeek> days(RandomGenerator random) {
    Set<DayOfWeek> days = EnumSet.of(DayOfWeek.of(1 + random.nextInt(7)));
    for (DayOfWeek day : DayOfWeek.values()) {
      if (random.nextBoolean()) {
        days.add(day);
      }
    }
    return days;
  }

  /**
   * A window has begun once the clocks have shown its beginning or later; it is not over as long as
   * they will show a time before its end again.
   */
  private static boolean[] expected(Week week, LocalTime from, LocalTime to, Set<DayOfWeek> days) {
    int around = 3 * 24 * 60;
    int count = WEEK_MINUTES + 2 * around;
    LocalDateTime[] latestSoFar = new LocalDateTime[count];
    LocalDateTime[] earliestToCome = new LocalDateTime[count];
    for (int i = 0; i < count; i++) {
      LocalDateTime now = shown(week, i - around);
      latestSoFar[i] = i > 0 && latestSoFar[i - 1].isAfter(now) ? latestSoFar[i - 1] : now;
    }
    for (int i = count - 1; i >= 0; i--) {
      LocalDateTime now = shown(week, i - around);
      earliestToCome[i] =
          i < count - 1 && earliestToCome[i + 1].isBefore(now) ? earliestToCome[i + 1] : now;
    }
    boolean[] inForce = new boolean[WEEK_MINUTES];
    for (int day = -2; day < 9; day++) {
      LocalDate date = week.begins().plusDays(day);
      LocalDateTime begins = date.atTime(from);
      LocalDateTime ends = (to.isAfter(from) ? date : date.plusDays(1)).atTime(to);
      for (int minute = 0; days.contains(date.getDayOfWeek()) && minute < WEEK_MINUTES; minute++) {
        inForce[minute] |=
            !latestSoFar[minute + around].isBefore(begins)
                && earliestToCome[minute + around].isBefore(ends);
      }
    }
    return inForce;
  }

  @Test
  void anHourThatComesTwiceCountsTwice() {
    Schedule schedule =
        new Schedule.Daily(
            LocalTime.of(2, 0), LocalTime.of(3, 0), EnumSet.allOf(DayOfWeek.class), BERLIN);
    assertThat(schedule.isInForce(Instant.parse("2026-10-24T23:59:59Z"))).isFalse();
    assertThat(schedule.isInForce(Instant.parse("2026-10-25T00:00:00Z"))).isTrue();
    assertThat(schedule.isInForce(Instant.parse("2026-10-25T01:59:59Z"))).isTrue();
    assertThat(schedule.isInForce(Instant.parse("2026-10-25T02:00:00Z"))).isFalse();
  }

  @Test
  void aWindowInAnHourThatIsLeftOutIsEmpty() {
    Schedule schedule =
        new Schedule.Daily(
            LocalTime.of(2, 10), LocalTime.of(2, 50), EnumSet.allOf(DayOfWeek.class), BERLIN);
    for (int minute = 0; minute < 24 * 60; minute++) {
      Instant instant = Instant.parse("2026-03-28T23:00:00Z").plus(Duration.ofMinutes(minute));
      assertThat(schedule.isInForce(instant)).isFalse();
    }
  }

  @Test
  void onceHasABeginningOrAnEndOrBoth() {
    LocalDateTime eve = LocalDateTime.of(2026, 12, 24, 22, 0);
    Instant before = Instant.parse("2026-12-24T20:59:59Z");
    Instant after = Instant.parse("2026-12-24T21:00:00Z");
    assertThat(new Schedule.Once(eve, null, BERLIN).isInForce(before)).isFalse();
    assertThat(new Schedule.Once(eve, null, BERLIN).isInForce(after)).isTrue();
    assertThat(new Schedule.Once(null, eve, BERLIN).isInForce(before)).isTrue();
    assertThat(new Schedule.Once(null, eve, BERLIN).isInForce(after)).isFalse();
  }
}
