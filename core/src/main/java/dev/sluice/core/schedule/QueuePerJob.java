package dev.sluice.core.schedule;

import dev.sluice.core.model.Flow;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/**
 * The books of a scheduler with a queue for each job: which there are, what the shares say of them,
 * how many requests wait. Which is next is its own matter.
 *
 * <p>A job that has nothing queued and that a reconfiguration does not name is forgotten.
 *
 * @param <Q> what is kept of a job
 */
public abstract class QueuePerJob<Q extends JobQueue> implements RequestScheduler {
  protected final JobTable<Q> queues = new JobTable<>();

  private Shares shares = Shares.NONE;
  private long reconfigurations;
  private long arrivals;
  private int queued;

  /** For a job that was not known; {@code index} as in {@link #configure}. */
  protected abstract Q newQueue(Flow flow, int index, long nowNanos);

  /**
   * Carries out what the shares say of a job now.
   *
   * @param index where they list it; negative where they do not
   */
  protected abstract void configure(Q queue, int index, long nowNanos);

  /** Puts a queue where it belongs of which these requests were taken away. */
  protected abstract void withdrawn(Q queue, List<Request> requests, long nowNanos);

  /** Whether a job may be forgotten that has nothing queued and is not listed. */
  protected boolean isForgettable(Q queue) {
    return true;
  }

  /** A job is forgotten. */
  protected void forget(Q queue) {}

  /** All jobs are configured by other shares. */
  protected void reconfigured(long nowNanos) {}

  /** What jobs may have. */
  protected final Shares shares() {
    return shares;
  }

  /** The queue of a request's job, which is known from now on. */
  protected final Q queue(Request request, long nowNanos) {
    Q queue = queues.get(request);
    if (queue == null) {
      queue = newQueue(request.flow(), shares.indexOf(request.job()), nowNanos);
      queues.add(queue);
    }
    return queue;
  }

  /** Puts a request at the end of its queue; answers whether nothing else was queued there. */
  protected final boolean append(Q queue, Request request) {
    boolean wasEmpty = queue.isEmpty();
    queue.append(request, arrivals++);
    queued++;
    return wasEmpty;
  }

  /** Takes the first request of a queue, which must have one. */
  protected final Request take(Q queue) {
    Request request = queue.poll();
    if (request == null) {
      throw new IllegalStateException(queue + " competes and has nothing queued");
    }
    queued--;
    return request;
  }

  @Override
  public final void reconfigure(Shares changed, long nowNanos) {
    shares = changed;
    reconfigurations++;
    for (int i = 0; i < changed.size(); i++) {
      Q queue = queues.get(changed.job(i));
      if (queue != null) {
        queue.namedBy = reconfigurations;
        configure(queue, i, nowNanos);
      }
    }
    queues.removeIf(queue -> {
      boolean forgotten =
          queue.namedBy != reconfigurations && queue.isEmpty() && isForgettable(queue);
      if (forgotten) {
        forget(queue);
      }
      return forgotten;
    });
    queues.forEach(queue -> {
      if (queue.namedBy != reconfigurations) {
        configure(queue, -1, nowNanos);
      }
    });
    reconfigured(nowNanos);
  }

  @Override
  public final List<Request> withdrawAll(long nowNanos) {
    return withdrawIf(_ -> true, nowNanos);
  }

  @Override
  public final List<Request> withdrawIf(Predicate<? super Request> gone, long nowNanos) {
    List<Request> withdrawn = new ArrayList<>();
    queues.forEach(queue -> {
      int before = withdrawn.size();
      if (queue.moveIf(gone, withdrawn)) {
        withdrawn(queue, withdrawn.subList(before, withdrawn.size()), nowNanos);
      }
    });
    queued -= withdrawn.size();
    withdrawn.sort(Comparator.comparingLong(Request::sequence));
    return withdrawn;
  }

  @Override
  public final int queued() {
    return queued;
  }

  /** Throws where not as many requests wait as were counted; answers how many queues have some. */
  protected final int checkQueued() {
    int[] sums = {0, 0};
    queues.forEach(queue -> {
      sums[0] += queue.size();
      sums[1] += queue.isEmpty() ? 0 : 1;
    });
    if (sums[0] != queued) {
      throw new IllegalStateException(sums[0] + " requests wait; the books say " + queued);
    }
    return sums[1];
  }
}
