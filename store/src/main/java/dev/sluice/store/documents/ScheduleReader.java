package dev.sluice.store.documents;

import dev.sluice.document.DocumentException;
import dev.sluice.document.DocumentMap;
import dev.sluice.document.DocumentNode;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the key {@code when}: {@code {from: "22:00", to: "06:00", days: [mon, fri]}}. */
final class ScheduleReader {
  private static final List<String> DAYS = List.of("mon", "tue", "wed", "thu", "fri", "sat", "sun");
  private static final String END_OF_DAY = "24:00";
  private static final DateTimeFormatter DATE_AND_TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm", Locale.ROOT);
  private static final String EXPECTED =
      "expected a time of the day such as 22:00, or a date and a time such as 2026-12-24 22:00";

  private ScheduleReader() {}

  /** Either a time of the day or a date with one. */
  private sealed interface When {
    record OfDay(LocalTime time) implements When {}

    record OfDate(LocalDateTime time) implements When {}
  }

  static Schedule read(@Nullable DocumentNode node, ZoneId zone) {
    if (node == null) {
      return Schedule.ALWAYS;
    }
    DocumentMap map = node.map("from", "to", "days", "time-zone");
    DocumentNode fromNode = map.optional("from");
    DocumentNode toNode = map.optional("to");
    DocumentNode daysNode = map.optional("days");
    ZoneId zoneHere = zone(map.optional("time-zone"), zone);
    When from = fromNode == null ? null : fromNode.parsed(ScheduleReader::parse);
    When to = toNode == null ? null : toNode.parsed(ScheduleReader::parse);
    if (from == null && to == null && daysNode == null) {
      throw node.error("expected from, to or days");
    }
    if (from instanceof When.OfDate || to instanceof When.OfDate) {
      return once(node, from, to, daysNode, zoneHere);
    }
    LocalTime begins = from instanceof When.OfDay(LocalTime time) ? time : LocalTime.MIDNIGHT;
    LocalTime ends = to instanceof When.OfDay(LocalTime time) ? time : LocalTime.MIDNIGHT;
    if (toNode != null && begins.equals(ends)) {
      throw toNode.error("expected another time than from; leave both out for the whole day");
    }
    return new Schedule.Daily(begins, ends, days(daysNode), zoneHere);
  }

  private static Schedule once(
      DocumentNode node,
      @Nullable When from,
      @Nullable When to,
      @Nullable DocumentNode daysNode,
      ZoneId zone) {
    if (daysNode != null) {
      throw daysNode.error("expected no days where from or to is a date");
    }
    if (from instanceof When.OfDay || to instanceof When.OfDay) {
      throw node.error("expected dates or times of the day in both from and to");
    }
    LocalDateTime begins = from instanceof When.OfDate(LocalDateTime time) ? time : null;
    LocalDateTime ends = to instanceof When.OfDate(LocalDateTime time) ? time : null;
    if (begins != null && ends != null && !ends.isAfter(begins)) {
      throw node.error("expected an end after the beginning");
    }
    return new Schedule.Once(begins, ends, zone);
  }

  private static When parse(String text) {
    try {
      if (text.equals(END_OF_DAY)) {
        return new When.OfDay(LocalTime.MIDNIGHT);
      }
      return text.length() <= END_OF_DAY.length()
          ? new When.OfDay(LocalTime.parse(text))
          : new When.OfDate(LocalDateTime.parse(text, DATE_AND_TIME));
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(EXPECTED, e);
    }
  }

  private static Set<DayOfWeek> days(@Nullable DocumentNode node) {
    if (node == null) {
      return EnumSet.allOf(DayOfWeek.class);
    }
    Set<DayOfWeek> days = EnumSet.noneOf(DayOfWeek.class);
    for (DocumentNode day : node.list()) {
      if (!days.add(DayOfWeek.of(DAYS.indexOf(day.oneOf(DAYS)) + 1))) {
        throw day.error("the day is there already");
      }
    }
    if (days.isEmpty()) {
      throw node.error("expected at least one day");
    }
    return days;
  }

  static ZoneId zone(@Nullable DocumentNode node, ZoneId otherwise) throws DocumentException {
    if (node == null) {
      return otherwise;
    }
    try {
      return ZoneId.of(node.text());
    } catch (DateTimeException e) {
      throw node.error("expected a time zone such as UTC or Europe/Berlin");
    }
  }
}
