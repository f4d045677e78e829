package dev.sluice.core.schedule.fifo;

import dev.sluice.core.schedule.Dispatch;
import dev.sluice.core.schedule.Request;
import dev.sluice.core.schedule.RequestQueue;
import dev.sluice.core.schedule.RequestScheduler;
import dev.sluice.core.schedule.Shares;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Serves requests in the order in which they came, whoever sent them. It honours nothing of a
 * share: neither reserve nor weight nor limit.
 */
public final class FifoScheduler implements RequestScheduler {
  private final RequestQueue queue = new RequestQueue();
  private long sequence;

  @Override
  public void enqueue(Request request, long nowNanos) {
    queue.append(request, sequence++);
  }

  @Override
  public Dispatch next(long nowNanos) {
    Request request = queue.poll();
    return request == null ? Dispatch.EMPTY : request;
  }

  /** What it cost changes nothing: nobody is charged. */
  @Override
  public void complete(Request request, long actualOperations, long actualBytes, long nowNanos) {}

  /** Shares change nothing: nobody has one. */
  @Override
  public void reconfigure(Shares shares, long nowNanos) {}

  @Override
  public List<Request> withdrawAll(long nowNanos) {
    List<Request> waiting = new ArrayList<>(queue.size());
    for (Request request = queue.poll(); request != null; request = queue.poll()) {
      waiting.add(request);
    }
    return waiting;
  }

  @Override
  public List<Request> withdrawIf(Predicate<? super Request> gone, long nowNanos) {
    List<Request> withdrawn = new ArrayList<>();
    queue.moveIf(gone, withdrawn);
    return withdrawn;
  }

  @Override
  public int queued() {
    return queue.size();
  }

  @Override
  public void checkInvariants(long nowNanos) {
    if (queue.isEmpty() != (queue.size() == 0)) {
      throw new IllegalStateException("queue size " + queue.size());
    }
  }
}
