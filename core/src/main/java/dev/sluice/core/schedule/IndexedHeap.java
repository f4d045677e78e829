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
 * four children, whose keys and tie breaks lie side by side in 64 bytes. An entry has a slot for as
 * long as it is queued; only slot numbers move about, in arrays of their own, so that ordering a
 * hundred thousand entries touches none of them. It allocates only when it grows beyond the largest
 * size it ever had.
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

  /** The slot at each place; beyond the size, the slots that are free. */
  private int[] slotAt = numbers(0, CAPACITY_AT_FIRST, new int[0]);

  /** The place of each slot that is taken. */
  private int[] placeOf = new int[CAPACITY_AT_FIRST];

  /** The entry in each slot that is taken. */
  private @Nullable Entry[] entries = new @Nullable Entry[CAPACITY_AT_FIRST];

  private int size;

  /** What can be queued: it remembers where. */
  public abstract static class Entry {
    private static final int NOWHERE = -1;

    private int slot = NOWHERE;

    /** Whether it is in a heap. */
    public final boolean isQueued() {
      return slot != NOWHERE;
    }
  }

  private static int[] numbers(int from, int to, int[] kept) {
    int[] numbers = Arrays.copyOf(kept, to);
    for (int i = from; i < to; i++) {
      numbers[i] = i;
    }
    return numbers;
  }

  /** Adds an entry that is in no heap. */
  public void insert(E entry, long key, long tieBreak) {
    if (entry.isQueued()) {
      throw new IllegalStateException("the entry is in a heap already: " + entry);
    }
    if (size == entries.length) {
      grow();
    }
    int slot = slotAt[size];
    ((Entry) entry).slot = slot;
    entries[slot] = entry;
    siftUp(size++, slot, key, tieBreak);
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

  /** The tie break of the first entry, which must exist. */
  public long minTieBreak() {
    if (size == 0) {
      throw new IllegalStateException("an empty heap has no smallest tie break");
    }
    return order[1];
  }

  /** The key of an entry of this heap. */
  public long key(E entry) {
    return order[2 * placeOf(entry)];
  }

  /** Gives an entry of this heap another place in the order. */
  public void update(E entry, long key, long tieBreak) {
    place(placeOf(entry), ((Entry) entry).slot, key, tieBreak);
  }

  /**
   * Gives the first entry, which must exist, another place in the order, not before the one it has.
   * What a scheduler does at every dispatch: there is nothing to look up.
   */
  public void putFirstBack(long key, long tieBreak) {
    if (size == 0) {
      throw new IllegalStateException("an empty heap has no first entry");
    }
    if (precedes(key, tieBreak, 0)) {
      throw new IllegalArgumentException(
          "(" + key + ", " + tieBreak + ") comes before the first entry, " + at(0));
    }
    siftDown(0, slotAt[0], key, tieBreak);
  }

  /** Takes an entry of this heap out. */
  public void remove(E entry) {
    int hole = placeOf(entry);
    int freed = ((Entry) entry).slot;
    int last = --size;
    if (hole != last) {
      place(hole, slotAt[last], order[2 * last], order[2 * last + 1]);
    }
    slotAt[last] = freed;
    entries[freed] = null;
    ((Entry) entry).slot = Entry.NOWHERE;
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
    boolean[] seen = new boolean[entries.length];
    for (int i = 0; i < slotAt.length; i++) {
      int slot = slotAt[i];
      if (seen[slot]) {
        throw new IllegalStateException("slot " + slot + " is at place " + i + " and another");
      }
      seen[slot] = true;
      Entry entry = entries[slot];
      if ((entry != null) != (i < size)) {
        throw new IllegalStateException("place " + i + " of " + size + " holds " + entry);
      }
      if (entry == null) {
        continue;
      }
      if (entry.slot != slot || placeOf[slot] != i) {
        throw new IllegalStateException(
            "the entry at place " + i + " believes to be at " + placeOf[slot] + ": " + entry);
      }
      int parent = (i - 1) / CHILDREN;
      if (i > 0 && precedes(order[2 * i], order[2 * i + 1], parent)) {
        throw new IllegalStateException(
            "the entry at place " + i + " comes before its parent at " + parent + ": " + entry);
      }
    }
  }

  @SuppressWarnings("ReferenceEquality") // A place belongs to one object, not to all that equal it.
  private int placeOf(E entry) {
    int slot = ((Entry) entry).slot;
    if (slot < 0 || slot >= entries.length || entries[slot] != entry) {
      throw new IllegalStateException("the entry is not in this heap: " + entry);
    }
    return placeOf[slot];
  }

  /**
   * Only entries of type E come in, through {@link #insert}, and every place below size has one.
   */
  @SuppressWarnings({"unchecked", "NullAway"})
  private E at(int index) {
    return (E) entries[slotAt[index]];
  }

  private boolean precedes(long key, long tieBreak, int index) {
    long otherKey = order[2 * index];
    return key < otherKey || (key == otherKey && tieBreak < order[2 * index + 1]);
  }

  private void place(int hole, int slot, long key, long tieBreak) {
    if (hole > 0 && precedes(key, tieBreak, (hole - 1) / CHILDREN)) {
      siftUp(hole, slot, key, tieBreak);
    } else {
      siftDown(hole, slot, key, tieBreak);
    }
  }

  private void siftUp(int hole, int slot, long key, long tieBreak) {
    while (hole > 0) {
      int parent = (hole - 1) / CHILDREN;
      if (!precedes(key, tieBreak, parent)) {
        break;
      }
      fill(hole, slotAt[parent], order[2 * parent], order[2 * parent + 1]);
      hole = parent;
    }
    fill(hole, slot, key, tieBreak);
  }

  private void siftDown(int hole, int slot, long key, long tieBreak) {
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
      fill(hole, slotAt[smallest], smallestKey, smallestTieBreak);
      hole = smallest;
    }
    fill(hole, slot, key, tieBreak);
  }

  private void fill(int index, int slot, long key, long tieBreak) {
    order[2 * index] = key;
    order[2 * index + 1] = tieBreak;
    slotAt[index] = slot;
    placeOf[slot] = index;
  }

  private void grow() {
    if (size == SIZE_MAX) {
      throw new IllegalStateException("a heap holds at most " + SIZE_MAX + " entries");
    }
    int capacity = Math.min(2 * size, SIZE_MAX);
    order = Arrays.copyOf(order, 2 * capacity);
    slotAt = numbers(size, capacity, slotAt);
    placeOf = Arrays.copyOf(placeOf, capacity);
    entries = Arrays.copyOf(entries, capacity);
  }
}
