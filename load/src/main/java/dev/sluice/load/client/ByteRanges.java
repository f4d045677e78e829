package dev.sluice.load.client;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A set of byte positions in a file, as ranges that neither overlap nor touch. */
public final class ByteRanges {
  /** Ends by beginnings. */
  private final TreeMap<Long, Long> ends = new TreeMap<>();

  /** From the first byte to the one after the last. */
  public record Range(long start, long end) {
    public Range {
      if (start < 0 || end <= start) {
        throw new IllegalArgumentException("no range of bytes: " + start + " to " + end);
      }
    }

    public long length() {
      return end - start;
    }
  }

  public void add(long start, long end) {
    Range added = new Range(start, end);
    long from = added.start;
    long to = added.end;
    Map.Entry<Long, Long> touched = ends.floorEntry(to);
    while (touched != null && touched.getValue() >= from) {
      from = Math.min(from, touched.getKey());
      to = Math.max(to, touched.getValue());
      ends.remove(touched.getKey());
      touched = ends.floorEntry(to);
    }
    ends.put(from, to);
  }

  public void addAll(ByteRanges others) {
    others.ends.forEach(this::add);
  }

  public void remove(long start, long end) {
    Range removed = new Range(start, end);
    Map.Entry<Long, Long> cut = ends.lowerEntry(removed.end);
    while (cut != null && cut.getValue() > removed.start) {
      ends.remove(cut.getKey());
      if (cut.getValue() > removed.end) {
        ends.put(removed.end, cut.getValue());
      }
      if (cut.getKey() < removed.start) {
        ends.put(cut.getKey(), removed.start);
      }
      cut = ends.lowerEntry(removed.end);
    }
  }

  public void clear() {
    ends.clear();
  }

  public boolean isEmpty() {
    return ends.isEmpty();
  }

  /** How many bytes there are in all. */
  public long bytes() {
    return ends.entrySet().stream().mapToLong(range -> range.getValue() - range.getKey()).sum();
  }

  /** In ascending order. */
  public List<Range> list() {
    List<Range> list = new ArrayList<>();
    ends.forEach((start, end) -> list.add(new Range(start, end)));
    return list;
  }

  /** Throws where ranges overlap or touch. */
  public void checkInvariants() {
    long before = -1;
    for (Range range : list()) {
      if (range.start <= before) {
        throw new IllegalStateException("ranges that overlap or touch: " + ends);
      }
      before = range.end;
    }
  }

  @Override
  public String toString() {
    return ends.toString();
  }
}
