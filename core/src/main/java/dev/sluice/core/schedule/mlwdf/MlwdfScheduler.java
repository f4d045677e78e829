package dev.sluice.core.schedule.mlwdf;

import dev.sluice.core.model.Flow;
import dev.sluice.core.model.Rate;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.schedule.Dispatch;
import dev.sluice.core.schedule.IndexedHeap;
import dev.sluice.core.schedule.QueuePerJob;
import dev.sluice.core.schedule.Request;
import dev.sluice.core.schedule.Shares;
import java.util.List;

/**
 * M-LWDF (Andrews and others, 2001) with tokens, as SDQPro extends it: of the jobs that have
 * requests and tokens, the one is next for which {@code γ·L·C + T} is largest. L is the length of
 * its queue, C what the server has for it in a slot, T how much of that it has borrowed from other
 * servers, and γ its weight.
 *
 * <p>Theorem. Whatever the order, in any window of {@code w} nanoseconds under one decision a job
 * with a limit is served at most {@code slot + rate × w} tokens and one request. A server does not
 * idle while somebody has requests and tokens.
 *
 * <p>A job that the shares do not list, or do not limit, waits for no tokens; what the server has
 * for it is then all that the server has.
 *
 * <p>Of a share it honours the weight, in the index, and the limit; a reserve changes nothing.
 */
public final class MlwdfScheduler extends QueuePerJob<MlwdfQueue> {
  /** The weight that stands for a γ of 1. */
  public static final double GAMMA_ONE = 0x1p40;

  private final TokenUnit unit;

  private double tokensPerNano;

  /** Those with requests and tokens, the most urgent first. */
  private final IndexedHeap<MlwdfQueue> ready = new IndexedHeap<>();

  /** Those with requests and without tokens, by when they have some. */
  private final IndexedHeap<MlwdfQueue> waiting = new IndexedHeap<>();

  public MlwdfScheduler(Target target) {
    unit = target.unit();
    resize(target.tokensPerSecond());
  }

  /** What the server has for jobs without a limit is another, from the next decision on. */
  @Override
  public void resize(long tokensPerSecond, long nowNanos) {
    resize(tokensPerSecond);
  }

  private void resize(long tokensPerSecond) {
    tokensPerNano = (double) tokensPerSecond / Rate.NANOS_PER_SECOND;
  }

  @Override
  public void enqueue(Request request, long nowNanos) {
    MlwdfQueue queue = queue(request, nowNanos);
    append(queue, request);
    place(queue, nowNanos);
  }

  @Override
  protected MlwdfQueue newQueue(Flow flow, int index, long nowNanos) {
    MlwdfQueue queue = new MlwdfQueue(flow.job());
    configure(queue, index, nowNanos);
    return queue;
  }

  /**
   * Replaces tokens and weight. A bucket keeps its level, up to a slot's worth of the new rate; a
   * job that was not limited so far begins with an empty one.
   */
  @Override
  protected void configure(MlwdfQueue queue, int index, long nowNanos) {
    Shares shares = shares();
    boolean limited = index >= 0 && shares.isLimited(index);
    queue.weight = index < 0 ? 1 : shares.weight(index);
    queue.borrowedTokens = limited ? shares.borrowed(index) : 0;
    queue.capacityTokens = limited ? shares.tokens(index) : tokensPerNano * shares.periodNanos();
    if (!limited) {
      queue.bucket = null;
    } else if (queue.bucket == null) {
      Rate rate = shares.rate(index);
      double tokensPerSlot = shares.tokens(index);
      queue.bucket =
          queue.known
              ? SlotBucket.beginning(rate, tokensPerSlot, nowNanos)
              : SlotBucket.full(rate, tokensPerSlot, nowNanos);
    } else {
      queue.bucket.setRate(shares.rate(index), shares.tokens(index), nowNanos);
    }
    queue.known = true;
    place(queue, nowNanos);
  }

  /** Puts a queue where it belongs, now that something about it may be another. */
  private void place(MlwdfQueue queue, long nowNanos) {
    SlotBucket bucket = queue.bucket;
    if (bucket != null) {
      bucket.refill(nowNanos);
    }
    boolean backlogged = !queue.isEmpty();
    boolean hasTokens = bucket == null || bucket.hasTokens();
    boolean isReady = queue.isReady;
    if (queue.isQueued() && (!backlogged || isReady != hasTokens)) {
      (isReady ? ready : waiting).remove(queue);
    }
    if (!backlogged) {
      return;
    }
    queue.isReady = hasTokens;
    IndexedHeap<MlwdfQueue> heap = hasTokens ? ready : waiting;
    // The bits of doubles that are not negative are ordered as they are.
    long key =
        bucket == null || hasTokens
            ? -Double.doubleToRawLongBits(queue.urgency())
            : bucket.readyAtNanos();
    if (queue.isQueued()) {
      heap.update(queue, key, queue.peekSequence());
    } else {
      heap.insert(queue, key, queue.peekSequence());
    }
  }

  @Override
  public Dispatch next(long nowNanos) {
    while (!waiting.isEmpty() && waiting.minKey() <= nowNanos) {
      place(waiting.get(0), nowNanos);
    }
    MlwdfQueue queue = ready.peek();
    if (queue == null) {
      return waiting.isEmpty() ? Dispatch.EMPTY : new Dispatch.NotBefore(waiting.minKey());
    }
    Request request = take(queue);
    if (queue.bucket != null) {
      queue.bucket.refill(nowNanos);
      queue.bucket.take(price(request.operations(), request.bytes()));
    }
    place(queue, nowNanos);
    return request;
  }

  @Override
  public void complete(Request request, long actualOperations, long actualBytes, long nowNanos) {
    request.requireCost(actualOperations, actualBytes);
    MlwdfQueue queue = queues.get(request);
    if (queue != null && queue.bucket != null) {
      queue.bucket.refill(nowNanos);
      queue.bucket.giveBack(
          price(request.operations(), request.bytes())
              - price(
                  Math.min(actualOperations, Request.COST_MAX),
                  Math.min(actualBytes, SlotBucket.PRICE_MAX)));
      place(queue, nowNanos);
    }
  }

  @Override
  protected void withdrawn(MlwdfQueue queue, List<Request> requests, long nowNanos) {
    place(queue, nowNanos);
  }

  @Override
  public void checkInvariants(long nowNanos) {
    ready.checkInvariants();
    waiting.checkInvariants();
    queues.forEach(queue -> {
      if (queue.bucket != null) {
        queue.bucket.checkInvariants();
      }
      if (queue.isQueued() == queue.isEmpty()) {
        throw new IllegalStateException(queue + " has " + queue.size() + " and is misplaced");
      }
      if (queue.isQueued()
          && queue.isReady
          && ready.key(queue) != -Double.doubleToRawLongBits(queue.urgency())) {
        throw new IllegalStateException(queue + " is not where its urgency belongs");
      }
    });
    int jobs = checkQueued();
    if (jobs != ready.size() + waiting.size()) {
      throw new IllegalStateException(
          jobs + " jobs wait; the books say " + ready.size() + " and " + waiting.size());
    }
  }

  private long price(long operations, long bytes) {
    return Math.clamp(unit.price(operations, bytes), 1, SlotBucket.PRICE_MAX);
  }
}
