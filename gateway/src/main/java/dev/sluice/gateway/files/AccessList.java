package dev.sluice.gateway.files;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An access control list as POSIX.1e drafted it and Linux has it; or none, which has no entries.
 *
 * @param entries in the order in which the kernel wants them
 */
public record AccessList(List<Entry> entries) {
  /** No list. */
  public static final AccessList NONE = new AccessList(List.of());

  /** A list that says no more than a mode does. */
  private static final int MODE_ENTRIES = 3;

  /** Where kernel and protocol would have somebody's number and there is none. */
  private static final int NO_NUMBER = -1;

  private static final int PERMISSIONS = 7;

  public AccessList {
    entries = List.copyOf(entries);
  }

  /** Whom an entry is about, in the order in which entries stand. */
  public enum Tag {
    OWNER(0x01),
    USER(0x02),
    OWNING_GROUP(0x04),
    GROUP(0x08),
    MASK(0x10),
    OTHERS(0x20);

    private static final Tag[] ALL = values();

    private final int code;

    Tag(int code) {
      this.code = code;
    }

    /** Its number, to the kernel and on the wire. */
    public int code() {
      return code;
    }

    /** The tag with this number; null when there is none. */
    public static @Nullable Tag of(int code) {
      for (Tag tag : ALL) {
        if (tag.code == code) {
          return tag;
        }
      }
      return null;
    }

    /** Whether its entries name somebody. */
    public boolean isNamed() {
      return this == USER || this == GROUP;
    }
  }

  /**
   * What somebody may do.
   *
   * @param id of the user or group that is named; 0 where none is
   * @param permissions as in a mode: 4 to read, 2 to write, 1 to execute
   */
  public record Entry(Tag tag, int id, int permissions) {
    public Entry {
      id = tag.isNamed() ? id : 0;
      permissions &= PERMISSIONS;
    }
  }

  private static final Comparator<Entry> ORDER =
      Comparator.comparing(Entry::tag).thenComparing(Entry::id, Integer::compareUnsigned);

  /** These entries, in order. */
  public static AccessList of(List<Entry> entries) {
    List<Entry> sorted = new ArrayList<>(entries);
    sorted.sort(ORDER);
    return new AccessList(sorted);
  }

  /** What a mode says. */
  public static AccessList ofMode(int mode) {
    return new AccessList(
        List.of(
            new Entry(Tag.OWNER, 0, mode >> 6),
            new Entry(Tag.OWNING_GROUP, 0, mode >> 3),
            new Entry(Tag.OTHERS, 0, mode)));
  }

  public boolean isNone() {
    return entries.isEmpty();
  }

  /** Whether it says no more than a mode does. */
  public boolean isLikeMode() {
    return entries.size() == MODE_ENTRIES;
  }

  /**
   * Why the kernel would not take it, in words; null when it would. A list has one entry each for
   * owner, group and others, none for somebody twice, and a mask where somebody is named.
   */
  public @Nullable String flaw() {
    if (isNone()) {
      return null;
    }
    Set<Tag> present = EnumSet.noneOf(Tag.class);
    Entry before = null;
    for (Entry entry : entries) {
      present.add(entry.tag());
      if (entry.tag().isNamed() && entry.id() == NO_NUMBER) {
        return "4294967295 is nobody's number";
      }
      if (before != null && ORDER.compare(before, entry) >= 0) {
        return "entries are out of order or there twice: " + before + " and " + entry;
      }
      before = entry;
    }
    // One who is not named has no number, so that a second entry would be out of order.
    boolean isWhole =
        present.contains(Tag.OWNER)
            && present.contains(Tag.OWNING_GROUP)
            && present.contains(Tag.OTHERS);
    if (!isWhole) {
      return "expected entries for the owner, its group and others";
    }
    boolean namesSomebody = present.contains(Tag.USER) || present.contains(Tag.GROUP);
    return namesSomebody && !present.contains(Tag.MASK)
        ? "expected a mask, because somebody is named"
        : null;
  }
}
