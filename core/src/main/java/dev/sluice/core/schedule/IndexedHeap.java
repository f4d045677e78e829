package dev.sluice.core.schedule;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A priority queue whose entries know their own place in it, so that any of them can be moved or
 * taken out without a search. The smallest key comes first and, among equal keys, the smallest tie
 * break; both compare as signed numbers.
 *
 * <p>Every dispatch passes through it, so it is laid out for the processor's cache: each place has
 * four children, whose keys and tie breaks lie side by side in 64 bytes, and comparing touches no
 * entry. It allocates only when it grows beyond the largest size it ever had.
 *
 * @param <E> what is queued; an entry can be in one heap at a time
 */
public final class IndexedHeap<E extends IndexedHeap.Entry> {
  private static final int CHILDREN = 4;
  private static final int CAPACITY_AT_FIRST = 16;

  /** Bound on the entries, so that two numbers for each still fit into one array. */
  public static final int SIZE_MAX = 1 << 29;

  /** Key and tie break of place {@code i} are at {@code 2i} and {@code 2i + 1}. */
  private long[] order = new long[2 * CAPACITY_AT_FIRST];

  private @Nullable Entry[] entries = new @Nullable Entry[CAPACITY_AT_FIRST];
  private int size;

  /** What can be queued: it remembers where. */
  public abstract static class Entry {
    private static final int NOWHERE = -1;

    private int heapIndex = NOWHERE;

    /** Whether it is in a heap. */
    public final boolean isQueued() {
      return heapIndex != NOWHERE;
    }
  }

  /** Adds an entry that is in no heap. */
  public void insert(E entry, long key, long tieBreak) {
    if (entry.isQueued()) {
      throw new IllegalStateException("the entry is in a heap already: " + entry);
    }
    if (size == entries.length) {
      grow();
    }
    siftUp(size++, entry, key, tieBreak);
  }

  /** The first entry, left where it is; null when there is none. */
  public @Nullable E peek() {
    return size == 0 ? null : at(0);
  }

  /** The key of the first entry, which must exist. */
  public long minKey() {
    if (size == 0) {
      throw new IllegalStateException("an empty heap has no smallest key");
    }
    return order[0];
  }

  /** The key of an entry of this heap. */
  public long key(E entry) {
    return order[2 * indexOf(entry)];
  }

  /** Gives an entry of this heap another place in the order. */
  public void update(E entry, long key, long tieBreak) {
    place(indexOf(entry), entry, key, tieBreak);
  }

  /** Takes an entry of this heap out. */
  public void remove(E entry) {
    int hole = indexOf(entry);
    int last = --size;
    Entry moved = at(last);
    entries[last] = null;
    if (hole != last) {
      place(hole, moved, order[2 * last], order[2 * last + 1]);
    }
    ((Entry) entry).heapIndex = Entry.NOWHERE;
  }

  public int size() {
    return size;
  }

  public boolean isEmpty() {
    return size == 0;
  }

  /** The entry at a place from 0 to {@code size() - 1}, in no order but that the first is first. */
  public E get(int index) {
    return at(Objects.checkIndex(index, size));
  }

  /** Re-derives the order and every entry's place; throws {@link IllegalStateException}. */
  public void checkInvariants() {
    for (int i = 0; i < size; i++) {
      Entry entry = at(i);
      if (entry.heapIndex != i) {
        throw new IllegalStateException(
            "the entry at place " + i + " believes to be at " + entry.heapIndex + ": " + entry);
      }
      int parent = (i - 1) / CHILDREN;
      if (i > 0 && precedes(order[2 * i], order[2 * i + 1], parent)) {
        throw new IllegalStateException(
            "the entry at place " + i + " comes before its parent at " + parent + ": " + entry);
      }
    }
    for (int i = size; i < entries.length; i++) {
      if (entries[i] != null) {
        throw new IllegalStateException("place " + i + " of " + size + " still holds an entry");
      }
    }
  }

  @SuppressWarnings("ReferenceEquality") // A place belongs to one object, not to all that equal it.
  private int indexOf(E entry) {
    int index = ((Entry) entry).heapIndex;
    if (index < 0 || index >= size || entries[index] != entry) {
      throw new IllegalStateException("the entry is not in this heap: " + entry);
    }
    return index;
  }

  /**
   * Only entries of type E come in, through {@link #insert}, and every place below size has one.
   */
  @SuppressWarnings({"unchecked", "NullAway"})
  private E at(int index) {
    return (E) entries[index];
  }

  private boolean precedes(long key, long tieBreak, int index) {
    long otherKey = order[2 * index];
    return key < otherKey || (key == otherKey && tieBreak < order[2 * index + 1]);
  }

  private void place(int hole, Entry entry, long key, long tieBreak) {
    if (hole > 0 && precedes(key, tieBreak, (hole - 1) / CHILDREN)) {
      siftUp(hole, entry, key, tieBreak);
    } else {
      siftDown(hole, entry, key, tieBreak);
    }
  }

  private void siftUp(int hole, Entry entry, long key, long tieBreak) {
    while (hole > 0) {
      int parent = (hole - 1) / CHILDREN;
      if (!precedes(key, tieBreak, parent)) {
        break;
      }
      move(parent, hole);
      hole = parent;
    }
    fill(hole, entry, key, tieBreak);
  }

  private void siftDown(int hole, Entry entry, long key, long tieBreak) {
    while (true) {
      int child = CHILDREN * hole + 1;
      if (child >= size) {
        break;
      }
      int end = Math.min(child + CHILDREN, size);
      int smallest = child;
      long smallestKey = order[2 * child];
      long smallestTieBreak = order[2 * child + 1];
      for (child++; child < end; child++) {
        long childKey = order[2 * child];
        if (childKey < smallestKey
            || (childKey == smallestKey && order[2 * child + 1] < smallestTieBreak)) {
          smallest = child;
          smallestKey = childKey;
          smallestTieBreak = order[2 * child + 1];
        }
      }
      if (key < smallestKey || (key == smallestKey && tieBreak <= smallestTieBreak)) {
        break;
      }
      move(smallest, hole);
      hole = smallest;
    }
    fill(hole, entry, key, tieBreak);
  }

  private void move(int from, int to) {
    fill(to, at(from), order[2 * from], order[2 * from + 1]);
  }

  private void fill(int index, Entry entry, long key, long tieBreak) {
    order[2 * index] = key;
    order[2 * index + 1] = tieBreak;
    entries[index] = entry;
    entry.heapIndex = index;
  }

  private void grow() {
    if (size == SIZE_MAX) {
      throw new IllegalStateException("a heap holds at most " + SIZE_MAX + " entries");
    }
    int capacity = Math.min(2 * size, SIZE_MAX);
    order = Arrays.copyOf(order, 2 * capacity);
    entries = Arrays.copyOf(entries, capacity);
  }
}
