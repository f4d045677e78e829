package dev.sluice.core.schedule.tbf;

import org.jspecify.annotations.Nullable;

/**
 * Queues whose first request has its tokens, in the order of deadline and tie break: a list linked
 * through the queues themselves.
 *
 * <p>A heap keeps any order at the price of a walk through memory. But whoever has tokens when a
 * request comes first in its queue is due at once, hence after all who were due before; joining the
 * end of a list is all there is to it. Whoever would not come last is refused, and goes to the
 * heap.
 */
final class ReadyLine {
  private @Nullable TbfQueue first;
  private @Nullable TbfQueue last;

  /** Puts a queue at the end if that is where it belongs; answers whether it is. */
  boolean append(TbfQueue queue, long deadlineNanos, long tieBreak) {
    TbfQueue end = last;
    if (end != null && end.isAfter(deadlineNanos, tieBreak)) {
      return false;
    }
    queue.ready = true;
    queue.readyNanos = deadlineNanos;
    queue.readyTieBreak = tieBreak;
    queue.before = end;
    if (end == null) {
      first = queue;
    } else {
      end.after = queue;
    }
    last = queue;
    return true;
  }

  /** Takes out a queue that is in the line. */
  void remove(TbfQueue queue) {
    TbfQueue before = queue.before;
    TbfQueue after = queue.after;
    if (before == null) {
      first = after;
    } else {
      before.after = after;
    }
    if (after == null) {
      last = before;
    } else {
      after.before = before;
    }
    queue.before = null;
    queue.after = null;
    queue.ready = false;
  }

  /** The first queue, left where it is; null when there is none. */
  @Nullable TbfQueue first() {
    return first;
  }

  /** Re-derives the order and the links; throws {@link IllegalStateException}. */
  @SuppressWarnings("ReferenceEquality") // Links are between objects, not between equals.
  void checkInvariants() {
    TbfQueue before = null;
    for (TbfQueue queue = first; queue != null; queue = queue.after) {
      if (!queue.ready || queue.isQueued() || queue.before != before) {
        throw new IllegalStateException(queue.job() + " is in the line of the ready by mistake");
      }
      if (before != null && before.isAfter(queue.readyNanos, queue.readyTieBreak)) {
        throw new IllegalStateException(queue.job() + " is in line after one that is due later");
      }
      before = queue;
    }
    if (last != before) {
      throw new IllegalStateException("the line of the ready does not end with its last");
    }
  }
}
