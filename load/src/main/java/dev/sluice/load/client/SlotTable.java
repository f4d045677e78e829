package dev.sluice.load.client;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The slots of a session of version 4, and who waits for one, in the order in which they came. Low
 * numbers are used first, so that a server that asks for fewer is heeded.
 *
 * @param <T> who asks
 */
final class SlotTable<T> {
  /** Where one request may be under way; whoever has it counts its requests. */
  static final class Slot {
    private final int number;
    private int sequence;

    private Slot(int number) {
      this.number = number;
    }

    int number() {
      return number;
    }

    /** The number of its next request. */
    int next() {
      return ++sequence;
    }
  }

  /** Somebody who has a slot now. */
  record Turn<T>(T asker, Slot slot) {}

  private final int size;
  private final PriorityQueue<Slot> free =
      new PriorityQueue<>(Comparator.comparingInt(slot -> slot.number));
  private final Deque<T> waiting = new ArrayDeque<>();
  private int limit;

  SlotTable(int size) {
    this.size = size;
    this.limit = size;
    for (int i = 0; i < size; i++) {
      free.add(new Slot(i));
    }
  }

  int size() {
    return size;
  }

  /** A slot, or null: then its turn comes. */
  synchronized @Nullable Slot take(T asker) {
    if (waiting.isEmpty() && hasOne()) {
      return free.remove();
    }
    waiting.add(asker);
    return null;
  }

  /** A slot before anybody has asked for one. */
  synchronized Slot first() {
    return free.remove();
  }

  /** Gives a slot back; answers whose turn it is now. */
  synchronized List<Turn<T>> release(Slot slot) {
    free.add(slot);
    return turns();
  }

  /** Uses no more slots than so many, at least one; answers whose turn it is now. */
  synchronized List<Turn<T>> limit(int slots) {
    limit = Math.clamp(slots, 1, size);
    return turns();
  }

  /** Those who wait, who do so no longer. */
  synchronized List<T> leave() {
    List<T> all = List.copyOf(waiting);
    waiting.clear();
    return all;
  }

  /** Whether nobody has a slot, or waits for one. */
  synchronized boolean isIdle() {
    return free.size() == size && waiting.isEmpty();
  }

  private List<Turn<T>> turns() {
    List<Turn<T>> turns = new ArrayList<>();
    while (!waiting.isEmpty() && hasOne()) {
      turns.add(new Turn<>(waiting.remove(), free.remove()));
    }
    return turns;
  }

  private boolean hasOne() {
    Slot first = free.peek();
    return first != null && first.number < limit;
  }
}
