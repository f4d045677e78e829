package dev.sluice.core.schedule;

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

  public final boolean isEmpty() {
    return head == null;
  }

  public final int size() {
    return size;
  }
}
