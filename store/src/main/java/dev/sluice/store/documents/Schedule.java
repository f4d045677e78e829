package dev.sluice.store.documents;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.TextStyle;
import java.time.zone.ZoneOffsetTransition;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * When something is in force. Pure: the instant is an argument.
 *
 * <p>Theorem. Each window begins at the first instant at which the clocks on the wall show its
 * beginning or a later time, and ends after the last instant at which they show a time before its
 * end. So a window is in one piece whatever happens to the clocks: where they are put forward over
 * its beginning, it begins at that moment; where they are put back, an hour that comes twice counts
 * twice.
 */
public sealed interface Schedule {
  /** At every instant. */
  Schedule ALWAYS = new Always();

  boolean isInForce(Instant instant);

  /** At every instant. */
  record Always() implements Schedule {
    @Override
    public boolean isInForce(Instant instant) {
      return true;
    }

    @Override
    public String toString() {
      return "always";
    }
  }

  /**
   * From one time of the day to another, on some days of the week.
   *
   * @param to where it is not later than {@code from}, the window ends on the next day
   * @param days on which a window begins
   */
  record Daily(LocalTime from, LocalTime to, Set<DayOfWeek> days, ZoneId zone) implements Schedule {
    public Daily {
      days = Set.copyOf(days);
      if (days.isEmpty()) {
        throw new IllegalArgumentException("expected at least one day");
      }
    }

    @Override
    public boolean isInForce(Instant instant) {
      LocalDate today = LocalDate.ofInstant(instant, zone);
      // A window of yesterday may last until today. Where clocks are put back over midnight, the
      // day that it is there can come twice; so tomorrow's window may have begun, too.
      for (int day = -1; day <= 1; day++) {
        LocalDate date = today.plusDays(day);
        if (days.contains(date.getDayOfWeek())
            && !instant.isBefore(beginning(date.atTime(from), zone))
            && instant.isBefore(end(endDate(date).atTime(to), zone))) {
          return true;
        }
      }
      return false;
    }

    private LocalDate endDate(LocalDate date) {
      return to.isAfter(from) ? date : date.plusDays(1);
    }

    @Override
    public String toString() {
      String time =
          "from " + from + " to " + (to.equals(LocalTime.MIDNIGHT) ? "24:00" : to.toString());
      String names =
          days.size() == DayOfWeek.values().length
              ? "every day"
              : days.stream()
                  .sorted()
                  .map(day -> day.getDisplayName(TextStyle.SHORT, Locale.ROOT))
                  .collect(Collectors.joining(", "));
      return time + " " + names + " (" + zone + ")";
    }
  }

  /**
   * Once, from one moment on or to another.
   *
   * @param from null for always up to {@code to}
   * @param to null for ever
   */
  record Once(@Nullable LocalDateTime from, @Nullable LocalDateTime to, ZoneId zone)
      implements Schedule {
    @Override
    public boolean isInForce(Instant instant) {
      return (from == null || !instant.isBefore(beginning(from, zone)))
          && (to == null || instant.isBefore(end(to, zone)));
    }

    @Override
    public String toString() {
      return ((from == null ? "" : "from " + spaced(from))
              + (to == null ? "" : " to " + spaced(to))
              + " ("
              + zone
              + ")")
          .strip();
    }

    private static String spaced(LocalDateTime time) {
      return time.toString().replace('T', ' ');
    }
  }

  /** The first instant at which the clocks show this time or a later one. */
  private static Instant beginning(LocalDateTime local, ZoneId zone) {
    ZoneOffsetTransition transition = zone.getRules().getTransition(local);
    return transition != null && transition.isGap()
        ? transition.getInstant()
        : ZonedDateTime.of(local, zone).withEarlierOffsetAtOverlap().toInstant();
  }

  /** The instant after the last one at which the clocks show a time before this one. */
  private static Instant end(LocalDateTime local, ZoneId zone) {
    ZoneOffsetTransition transition = zone.getRules().getTransition(local);
    // Clocks that are put back to this very time never show an earlier one again.
    boolean atTheMoment =
        transition != null && (transition.isGap() || local.equals(transition.getDateTimeAfter()));
    if (transition == null || !atTheMoment) {
      return ZonedDateTime.of(local, zone).withLaterOffsetAtOverlap().toInstant();
    }
    return transition.isGap()
        ? transition.getInstant()
        : ZonedDateTime.of(local, zone).withEarlierOffsetAtOverlap().toInstant();
  }
}
