package dev.sluice.core.schedule.iosets;

import dev.sluice.core.model.Flow;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.schedule.Dispatch;
import dev.sluice.core.schedule.IndexedHeap;
import dev.sluice.core.schedule.QueuePerJob;
import dev.sluice.core.schedule.Request;
import dev.sluice.core.schedule.Turns;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The order of IO-Sets (Boito, Pallez, Teylo and Vidal, 2023), as one server keeps it. Jobs with
 * equal weights are a set. Within a set one job is served at a time, in the order of their ids
 * unless the shares say otherwise; sets are served in rounds, each for as many credits as its
 * priority gives it.
 *
 * <p>Theorem. A credit is a quantum of the target's tokens: one request where operations count, and
 * as much as a request of {@link #QUANTUM_BYTES} costs where bytes do. While the same sets are
 * backlogged, w is the smallest of their weights and no request costs more than a quantum, every
 * set of weight v is served {@code floor(v/w)} or {@code ceil(v/w)} credits in every round and,
 * over any n rounds in a row, {@code n·v/w} up to less than one credit and one request. Where the
 * requests cost one credit and v is a multiple of w, that is exact in every round.
 *
 * <p>A set that becomes backlogged takes part in the round that goes on; what it does not use of a
 * round is not saved up. A job that the shares do not list is a set of its own with {@link
 * #UNLISTED_WEIGHT}.
 *
 * <p>Within a set nobody starves unless the {@link Turns} have no bound: a job that has something
 * queued and was not served for that long comes next. It keeps its turn while it has something
 * queued, and for no longer than the same time while others have waited so long as well: of n jobs,
 * none waits longer than n times the bound for its set.
 *
 * <p>Of a share it honours the weight, by which it finds the set, and the order; reserves and
 * limits change nothing.
 */
public final class IoSetsScheduler extends QueuePerJob<SetQueue> {
  /** The weight that stands for the priority 1. */
  public static final long PRIORITY_ONE = 1_000_000_000L;

  /** The weight of a job of which nobody has said anything: the priority 1/50. */
  public static final long UNLISTED_WEIGHT = PRIORITY_ONE / 50;

  /** Bound on a weight, so that credits fit; a larger one counts as this. */
  public static final long WEIGHT_MAX = 1L << 40;

  /** What a credit is good for where bytes count. */
  public static final long QUANTUM_BYTES = 1 << 20;

  /** Bound on what a request counts with. */
  private static final long PRICE_MAX = 1L << 31;

  /** Bound on the rounds that are gone through at once, so that credits fit. */
  private static final long ROUNDS_AT_ONCE_MAX = 1L << 20;

  private final TokenUnit unit;
  private final long quantumTokens;
  private long tokensPerSecond;

  /** The sets of listed jobs, by weight. */
  private final Map<Long, JobSet> sets = new HashMap<>();

  /** Backlogged sets with credit in this round, the highest priority first. */
  private final IndexedHeap<JobSet> open = new IndexedHeap<>();

  /** Backlogged sets without credit in this round. */
  private final List<JobSet> spent = new ArrayList<>();

  private long round;

  /** The smallest weight of the backlogged sets when the round began. */
  private long leastWeight = 1;

  public IoSetsScheduler(Target target) {
    unit = target.unit();
    tokensPerSecond = target.tokensPerSecond();
    quantumTokens =
        unit.tokensPerByte() == 0 ? price(1, 0) : Math.min(price(1, QUANTUM_BYTES), 1 << 21);
  }

  @Override
  public void enqueue(Request request, long nowNanos) {
    SetQueue queue = queue(request, nowNanos);
    if (append(queue, request)) {
      queue.set.noteReturn(queue, nowNanos);
      queue.unservedSinceNanos = nowNanos;
      queue.joinedSequence = request.sequence();
      queue.rank = rank(queue);
      join(queue);
    }
  }

  /** How long a phase of its set takes, and so how long a job may wait for its turn, is another. */
  @Override
  public void resize(long tokensPerSecond, long nowNanos) {
    this.tokensPerSecond = tokensPerSecond;
  }

  @Override
  protected SetQueue newQueue(Flow flow, int index, long nowNanos) {
    SetQueue queue =
        new SetQueue(flow.job(), index < 0 ? unlistedSet() : set(shares().weight(index)));
    queue.place = Math.max(index, 0);
    return queue;
  }

  private long rank(SetQueue queue) {
    return switch (shares().turns().order()) {
      case ID -> queue.place;
      case ARRIVAL -> queue.joinedSequence;
    };
  }

  private JobSet unlistedSet() {
    return new JobSet(UNLISTED_WEIGHT, false);
  }

  private JobSet set(long weight) {
    return sets.computeIfAbsent(Math.min(weight, WEIGHT_MAX), w -> new JobSet(w, true));
  }

  private void join(SetQueue queue) {
    JobSet set = queue.set;
    set.add(queue);
    if (set.backlogged() > 1) {
      return;
    }
    if (open.isEmpty() && spent.isEmpty()) {
      leastWeight = set.weight;
      round++;
    }
    if (set.creditedRound != round) {
      set.credit(quantumTokens, leastWeight, 1, round);
    }
    if (set.balance > 0) {
      open.insert(set, -set.weight, set.isShared() ? 0 : queue.peekSequence());
    } else {
      spent.add(set);
    }
  }

  @Override
  public Dispatch next(long nowNanos) {
    JobSet set = open.peek();
    while (set == null) {
      if (spent.isEmpty()) {
        return Dispatch.EMPTY;
      }
      beginRound();
      set = open.peek();
    }
    SetQueue queue = set.current(shares().turns().maxWait(), tokensPerSecond, nowNanos);
    Request request = take(queue);
    long price = price(request.operations(), request.bytes());
    set.served(queue, price, nowNanos);
    if (set.backlogged() == 0) {
      open.remove(set);
    } else if (set.balance <= 0) {
      open.remove(set);
      spent.add(set);
    }
    return request;
  }

  /** Gives every backlogged set its credits; all have spent theirs. */
  private void beginRound() {
    long least = Long.MAX_VALUE;
    for (JobSet set : spent) {
      least = Math.min(least, set.weight);
    }
    // Who is in debt for a large request may have to sit out rounds; if all are, nothing happens in
    // those, and they are gone through at once.
    long rounds = ROUNDS_AT_ONCE_MAX;
    for (JobSet set : spent) {
      rounds = Math.min(rounds, -set.balance / (set.weight * quantumTokens / least) + 1);
    }
    leastWeight = least;
    round += rounds;
    int kept = 0;
    for (JobSet set : spent) {
      set.credit(quantumTokens, least, rounds, round);
      if (set.balance > 0) {
        open.insert(set, -set.weight, set.isShared() ? 0 : set.oldestSequence());
      } else {
        spent.set(kept++, set);
      }
    }
    spent.subList(kept, spent.size()).clear();
  }

  /** Corrects what the job's set was charged. */
  @Override
  public void complete(Request request, long actualOperations, long actualBytes, long nowNanos) {
    request.requireCost(actualOperations, actualBytes);
    long difference =
        price(Math.min(actualOperations, Request.COST_MAX), Math.min(actualBytes, PRICE_MAX))
            - price(request.operations(), request.bytes());
    SetQueue queue = queues.get(request);
    if (difference == 0 || queue == null) {
      return;
    }
    JobSet set = queue.set;
    boolean wasOpen = set.isQueued();
    set.balance = Math.clamp(set.balance - difference, -PRICE_MAX, JobSet.BALANCE_MAX);
    if (set.backlogged() > 0 && wasOpen != (set.balance > 0)) {
      if (wasOpen) {
        open.remove(set);
        spent.add(set);
      } else {
        spent.remove(set);
        open.insert(set, -set.weight, set.isShared() ? 0 : set.oldestSequence());
      }
    }
  }

  /**
   * Replaces a job's priority and with it its set. A job that changes its set takes along what it
   * has queued and waits there in its turn; a set that stays keeps its credit.
   */
  @Override
  protected void configure(SetQueue queue, int index, long nowNanos) {
    if (index >= 0) {
      place(queue, set(shares().weight(index)), index);
    } else if (queue.set.isShared()) {
      place(queue, unlistedSet(), 0);
    }
  }

  @Override
  protected void reconfigured(long nowNanos) {
    Set<JobSet> needed = new HashSet<>();
    queues.forEach(queue -> needed.add(queue.set));
    sets.values().retainAll(needed);
  }

  @SuppressWarnings("ReferenceEquality") // This very set.
  private void place(SetQueue queue, JobSet set, int place) {
    queue.place = place;
    queue.rank = rank(queue);
    if (queue.set == set) {
      set.reorder(queue);
      return;
    }
    boolean waits = !queue.isEmpty();
    if (waits) {
      leave(queue);
    }
    queue.set = set;
    if (waits) {
      join(queue);
    }
  }

  private void leave(SetQueue queue) {
    JobSet set = queue.set;
    set.remove(queue);
    if (set.backlogged() == 0) {
      if (set.isQueued()) {
        open.remove(set);
      } else {
        spent.remove(set);
      }
    }
  }

  @Override
  protected void withdrawn(SetQueue queue, List<Request> requests, long nowNanos) {
    if (queue.isEmpty()) {
      leave(queue);
    }
  }

  @Override
  public void checkInvariants(long nowNanos) {
    open.checkInvariants();
    int waiting = checkQueued();
    Set<JobSet> backlogged = new HashSet<>();
    queues.forEach(queue -> {
      if (!queue.isEmpty()) {
        backlogged.add(queue.set);
      }
      if (queue.isEmpty() == queue.isQueued()) {
        throw new IllegalStateException(queue + " has " + queue.size() + " and is misplaced");
      }
    });
    if (backlogged.size() != open.size() + spent.size()) {
      throw new IllegalStateException(
          backlogged.size()
              + " sets have something queued; the books say "
              + open.size()
              + " and "
              + spent.size());
    }
    int jobs = 0;
    for (JobSet set : backlogged) {
      set.checkInvariants();
      jobs += set.backlogged();
      if (set.isQueued() != (set.balance > 0) || set.isQueued() == spent.contains(set)) {
        throw new IllegalStateException(set + " has credit for " + set.balance + ": misplaced");
      }
    }
    if (jobs != waiting) {
      throw new IllegalStateException(waiting + " jobs wait, the sets know of " + jobs);
    }
  }

  private long price(long operations, long bytes) {
    return Math.clamp(unit.price(operations, bytes), 1, PRICE_MAX);
  }
}
