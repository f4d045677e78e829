package dev.sluice.core.schedule;

import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * First in, first out, linked through the requests themselves; a request is in one queue at most.
 *
 * <p>It can be an entry of a heap, because schedulers order queues by their first requests: being
 * one object with it, a queue is one place in memory.
 */
public class RequestQueue extends IndexedHeap.Entry {
  private @Nullable Request head;
  private @Nullable Request tail;
  private int size;

  /**
   * Puts a request at the end. {@code sequence} is its place in the scheduler's order of arrival.
   */
  public final void append(Request request, long sequence) {
    if (request.queued) {
      throw new IllegalStateException("the request is queued already");
    }
    request.queued = true;
    request.sequence = sequence;
    if (tail == null) {
      head = request;
    } else {
      tail.next = request;
    }
    tail = request;
    size++;
  }

  /** The oldest request, left where it is; null when there is none. */
  public final @Nullable Request peek() {
    return head;
  }

  /** Takes the oldest request; null when there is none. */
  public final @Nullable Request poll() {
    Request first = head;
    if (first != null) {
      head = first.next;
      if (head == null) {
        tail = null;
      }
      first.next = null;
      first.queued = false;
      size--;
    }
    return first;
  }

  /** Moves those that are gone to the end of a list; answers whether there were any. */
  public final boolean moveIf(Predicate<? super Request> gone, List<Request> moved) {
    int before = size;
    Request kept = null;
    Request at = head;
    while (at != null) {
      Request after = at.next;
      if (gone.test(at)) {
        if (kept == null) {
          head = after;
        } else {
          kept.next = after;
        }
        at.next = null;
        at.queued = false;
        size--;
        moved.add(at);
      } else {
        kept = at;
      }
      at = after;
    }
    tail = kept;
    return size < before;
  }

  public final boolean isEmpty() {
    return head == null;
  }

  public final int size() {
    return size;
  }
}
