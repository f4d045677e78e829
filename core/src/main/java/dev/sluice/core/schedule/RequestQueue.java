package dev.sluice.core.schedule;

import org.jspecify.annotations.Nullable;

/**
 * First in, first out, linked through the requests themselves; a request is in one queue at most.
 */
public final class RequestQueue {
  private @Nullable Request head;
  private @Nullable Request tail;
  private int size;

  /**
   * Puts a request at the end. {@code sequence} is its place in the scheduler's order of arrival.
   */
  public void append(Request request, long sequence) {
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
  public @Nullable Request peek() {
    return head;
  }

  /** Takes the oldest request; null when there is none. */
  public @Nullable Request poll() {
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

  public boolean isEmpty() {
    return head == null;
  }

  public int size() {
    return size;
  }
}
