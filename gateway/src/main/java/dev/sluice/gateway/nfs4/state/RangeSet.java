package dev.sluice.gateway.nfs4.state;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one owner has locked of a file, as POSIX counts it: what is locked again takes its new kind,
 * what is unlocked may be the middle of a range, and neighbours of one kind are one. Does not
 * change.
 */
final class RangeSet {
  static final RangeSet EMPTY = new RangeSet(List.of());

  /** In the order of their places; no two overlap. */
  private final List<Range> ranges;

  private RangeSet(List<Range> ranges) {
    this.ranges = ranges;
  }

  int size() {
    return ranges.size();
  }

  /** With a range that is locked, or changes its kind. */
  RangeSet with(Range added) {
    List<Range> result = new ArrayList<>(ranges.size() + 2);
    addBefore(added, result);
    Range whole = added;
    if (!result.isEmpty() && isJoined(result.getLast(), added)) {
      whole = new Range(result.removeLast().first(), added.last(), added.isExclusive());
    }
    List<Range> rest = new ArrayList<>();
    addAfter(added, rest);
    int from = 0;
    if (!rest.isEmpty() && isJoined(whole, rest.getFirst())) {
      whole = new Range(whole.first(), rest.getFirst().last(), added.isExclusive());
      from = 1;
    }
    result.add(whole);
    result.addAll(rest.subList(from, rest.size()));
    return new RangeSet(result);
  }

  /** Without the bytes of a range, whatever of them is locked. */
  RangeSet without(Range removed) {
    List<Range> result = new ArrayList<>(ranges.size() + 1);
    addBefore(removed, result);
    addAfter(removed, result);
    return new RangeSet(result);
  }

  /** The first that somebody else's range cannot be beside; null when there is none. */
  @Nullable Range conflictWith(Range other) {
    for (int i = firstThatEndsNotBefore(other.first()); i < ranges.size(); i++) {
      Range range = ranges.get(i);
      if (!range.overlaps(other)) {
        return null;
      }
      if (range.conflictsWith(other)) {
        return range;
      }
    }
    return null;
  }

  List<Range> ranges() {
    return ranges;
  }

  private void addBefore(Range middle, List<Range> result) {
    for (Range range : ranges) {
      if (Long.compareUnsigned(range.first(), middle.first()) >= 0) {
        return;
      }
      boolean isCut = Long.compareUnsigned(range.last(), middle.first()) >= 0;
      result.add(isCut ? new Range(range.first(), middle.first() - 1, range.isExclusive()) : range);
    }
  }

  private void addAfter(Range middle, List<Range> result) {
    for (int i = firstThatEndsNotBefore(middle.last()); i < ranges.size(); i++) {
      Range range = ranges.get(i);
      if (Long.compareUnsigned(range.last(), middle.last()) > 0) {
        boolean isCut = Long.compareUnsigned(range.first(), middle.last()) <= 0;
        result.add(isCut ? new Range(middle.last() + 1, range.last(), range.isExclusive()) : range);
      }
    }
  }

  private int firstThatEndsNotBefore(long place) {
    int low = 0;
    int high = ranges.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (Long.compareUnsigned(ranges.get(middle).last(), place) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private static boolean isJoined(Range before, Range after) {
    return before.isExclusive() == after.isExclusive() && before.last() + 1 == after.first();
  }
}
