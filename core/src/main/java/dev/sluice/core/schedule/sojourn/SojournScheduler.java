package dev.sluice.core.schedule.sojourn;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.schedule.Dispatch;
import dev.sluice.core.schedule.IndexedHeap;
import dev.sluice.core.schedule.JobTable;
import dev.sluice.core.schedule.Request;
import dev.sluice.core.schedule.RequestScheduler;
import dev.sluice.core.schedule.ShareTree;
import dev.sluice.core.schedule.Shares;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Serves phases of I/O one after another where it is known how large they are, and by weight where
 * it is not. A job's phase begins when it has had nothing to do here for {@link
 * PhaseQueue#PAUSE_NANOS}; how large it is follows from the job's last phases, or somebody told.
 *
 * <p>The target is divided by weight among the jobs whose phases are of unknown size, each for
 * itself, and all the others together: these weigh as much as those of them that fair sharing would
 * not be done with yet. Among the others {@link PhaseOrder} says who goes first. Fair sharing is
 * kept in virtual time, which goes on with every token that is served and needs no clock (after
 * Friedman and Henderson's fair sojourn protocol, 2003).
 *
 * <p>Theorem. Let all phases be as large as expected and all their requests be there when they
 * begin. Then each is done by the time fair sharing by weight would be done with it that is served
 * the same tokens, but for one largest request of each job: whatever the capacity, and however it
 * changes.
 *
 * <p>A phase that turns out larger than expected, and one that fair sharing would be done with
 * while a sixteenth of it is left, goes on by weight like one of unknown size, with what it was
 * served charged to it (after Dell'Amico's PSBS, 2016): so what somebody gains by making others
 * believe that its phases are small it pays back before it is served again. One that turns out
 * smaller is charged for what came.
 *
 * <p>The first phase of a job that has had {@link #LONG_SECONDS} of the capacity soon is, once,
 * taken to come to {@link #LONG_TIMES} times that, or to what such phases came to of late: those
 * who move much take turns, also when nobody knows them yet.
 *
 * <p>Theorem. Whatever is expected: a job that has something queued throughout, of weight w beside
 * others of weight v that want as much as they can get, and that is in a phase of unknown size, is
 * served at least {@code w/(w+v)} of the tokens, less {@link #MEMORY_SECONDS} of the capacity and a
 * largest request of each other job. So nobody starves, and the target is never idle while
 * something is queued.
 *
 * <p>Who had less than its share of late goes first: who comes back is up to {@link
 * #MEMORY_SECONDS} of the capacity ahead, all jobs together.
 *
 * <p>Of a share it honours the weight, and what is told of phases. Reserves and limits change
 * nothing.
 */
public final class SojournScheduler implements RequestScheduler {
  /** How far back it is remembered who had less than its share, in seconds of the capacity. */
  public static final long MEMORY_SECONDS = 2;

  /**
   * How much more than the least possible jobs may be stretched so that the short need not wait.
   */
  private static final double EASE = 0.003;

  /** Phases of less than this part of a second come and go too fast to be put in order. */
  private static final long SHORTEST_PARTS_OF_SECOND = 100;

  /** A phase of unknown size that took so long is a long one. */
  private static final long LONG_SECONDS = 3;

  /** A long one is taken to come to so many times what it was served. */
  private static final long LONG_TIMES = 32;

  /** So much of a phase may be left when fair sharing is done with it. */
  private static final long LATE_PARTS = 16;

  /** How many cycles of a job are taken for one phase where only the phase is known. */
  private static final double CYCLE_PHASES = 10;

  /** Virtual time is in these parts of a token for a weight of 1. */
  private static final long PARTS = 1L << 20;

  private static final long WEIGHT_MAX = ShareTree.WEIGHT_MAX;
  private static final long PRICE_MAX = 1L << 31;

  /** Larger phases are not expected, so that virtual times fit. */
  private static final long PHASE_TOKENS_MAX = 1L << 40;

  /** When virtual time is set back. */
  private static final long VIRTUAL_MAX = 1L << 60;

  /** How long an order holds for each phase in it, so that finding it costs little. */
  private static final long ORDER_HOLDS_NANOS = 10_000L;

  private static final long FIRST = Long.MIN_VALUE;
  private static final double NANOS_PER_SECOND = 1e9;

  private final TokenUnit unit;
  private final long tokensPerSecond;
  private final JobTable<PhaseQueue> queues = new JobTable<>();

  /** Jobs with something queued in a phase of unknown size, by virtual time. */
  private final IndexedHeap<PhaseQueue> shared = new IndexedHeap<>();

  private long sharedWeight;

  /** Jobs with something queued in a phase of known size, by deadline. */
  private final IndexedHeap<PhaseQueue> planned = new IndexedHeap<>();

  /** All phases of known size that are not over, with something queued or not. */
  private final List<PhaseQueue> open = new ArrayList<>();

  /** The phases that fair sharing would not be done with, by when it would be. */
  private final IndexedHeap<PhaseQueue.FairDate> fair = new IndexedHeap<>();

  private long fairWeight;

  /** Up to where of the virtual time the phases of known size were served. */
  private long plannedTag;

  /** The same as fair sharing among them alone goes on: it stands still while they do. */
  private long fairTime;

  /** What they were served in all. */
  private long plannedTokens;

  /** What long phases came to of which that was not known; 0 before the first. */
  private long typicalLongTokens;

  private final PhaseOrder order = new PhaseOrder();
  private final List<PhaseQueue> inOrder = new ArrayList<>();
  private @Nullable PhaseQueue first;
  private boolean stale;
  private long orderHoldsUntilNanos = Long.MIN_VALUE;
  private double leastStretch;

  private long virtualTime;
  private long weights;
  private long largestPrice = 1;
  private Shares shares = Shares.NONE;
  private long reconfigurations;
  private long arrivals;
  private int queued;

  public SojournScheduler(Target target) {
    unit = target.unit();
    tokensPerSecond = target.tokensPerSecond();
  }

  @Override
  public void enqueue(Request request, long nowNanos) {
    PhaseQueue queue = queues.get(request);
    if (queue == null) {
      queue = newQueue(request.job());
    }
    if (queue.isBetweenPhases(nowNanos)) {
      beginPhase(queue, nowNanos);
    }
    boolean wasEmpty = queue.isEmpty();
    long price = price(request);
    queue.arrives(price, nowNanos);
    queue.append(request, arrivals++);
    largestPrice = Math.max(largestPrice, price);
    queued++;
    if (wasEmpty) {
      compete(queue);
    }
  }

  private PhaseQueue newQueue(JobId job) {
    PhaseQueue queue = new PhaseQueue(job, virtualTime);
    int index = shares.indexOf(job);
    queue.weight = weight(index);
    queue.toldTokens = told(index);
    weights += queue.weight;
    queues.add(queue);
    return queue;
  }

  private long weight(int index) {
    return index < 0 ? 1 : Math.min(shares.weight(index), WEIGHT_MAX);
  }

  private long told(int index) {
    return index < 0 ? 0 : shares.phaseTokens(index);
  }

  private void beginPhase(PhaseQueue queue, long nowNanos) {
    endPlanned(queue);
    queue.begin(nowNanos);
    long expected = queue.past.expectedTokens(queue.toldTokens);
    if (expected > tokensPerSecond / SHORTEST_PARTS_OF_SECOND && expected <= PHASE_TOKENS_MAX) {
      plan(queue, expected);
    }
  }

  /**
   * Gives a phase a date: it comes to so much in all. What it was served of it is charged already.
   */
  private void plan(PhaseQueue queue, long expected) {
    queue.expectedTokens = expected;
    queue.openIndex = open.size();
    open.add(queue);
    // What it was served ahead of its share, and what fair sharing is not done with of its last
    // phase, comes before this one.
    long ahead = Math.max(Math.max(0, queue.tag - plannedTag), aheadOfFair(queue));
    setFairDate(queue, ahead + virtual(expected - queue.servedTokens(), queue.weight));
    queue.deadlineTokens = plannedTokens + (long) ((double) expected * fairWeight / queue.weight);
    stale = true;
  }

  /** How far from now fair sharing is done with what it was to have so far. */
  private long aheadOfFair(PhaseQueue queue) {
    return queue.fairDate.isQueued() ? queue.fairDate.tag - fairTime : 0;
  }

  private void setFairDate(PhaseQueue queue, long ahead) {
    queue.fairDate.tag = fairTime + Math.min(ahead, VIRTUAL_MAX);
    if (queue.fairDate.isQueued()) {
      fair.update(queue.fairDate, queue.fairDate.tag, 0);
    } else {
      fair.insert(queue.fairDate, queue.fairDate.tag, 0);
      fairWeight += queue.weight;
    }
  }

  /** A job that had nothing queued has something. */
  private void compete(PhaseQueue queue) {
    if (queue.isPlanned()) {
      if (planned.isEmpty()) {
        plannedTag = Math.max(plannedTag, virtualTime - memory());
      }
      planned.insert(queue, deadline(queue), queue.peekSequence());
      return;
    }
    queue.tag = Math.max(queue.tag, virtualTime - memory());
    shared.insert(queue, queue.tag, queue.peekSequence());
    sharedWeight += queue.weight;
  }

  @SuppressWarnings("ReferenceEquality") // This very job.
  private long deadline(PhaseQueue queue) {
    return queue == first ? FIRST : queue.deadlineTokens;
  }

  /** A job has nothing queued any more, or goes on in another way. */
  private void dismiss(PhaseQueue queue) {
    if (queue.isPlanned()) {
      planned.remove(queue);
    } else {
      shared.remove(queue);
      sharedWeight -= queue.weight;
    }
  }

  /** By how much of the virtual time somebody may be ahead who comes back. */
  private long memory() {
    return virtual(
        Math.min(MEMORY_SECONDS * tokensPerSecond, PHASE_TOKENS_MAX), Math.max(1, weights));
  }

  /** The virtual time that so many tokens are for a weight. */
  private static long virtual(long tokens, long weight) {
    return tokens * PARTS / weight;
  }

  @Override
  public Dispatch next(long nowNanos) {
    if (queued == 0) {
      return Dispatch.EMPTY;
    }
    if (Math.max(virtualTime, fairTime) > VIRTUAL_MAX) {
      setBack();
    }
    if (isFirstGone(nowNanos)) {
      stale = true;
    }
    if (stale && nowNanos >= orderHoldsUntilNanos) {
      putInOrder(nowNanos);
    }
    PhaseQueue byWeight = shared.peek();
    PhaseQueue byDeadline = planned.peek();
    if (byDeadline != null && (byWeight == null || plannedTag <= shared.minKey())) {
      return servePlanned(byDeadline, nowNanos);
    }
    if (byWeight == null) {
      throw new IllegalStateException(queued + " requests are queued, and nobody competes");
    }
    return serveShared(byWeight, nowNanos);
  }

  /** Whether the one that is to go first was expected to have more, and has not. */
  private boolean isFirstGone(long nowNanos) {
    return first != null && first.isEmpty() && first.isBetweenPhases(nowNanos);
  }

  private Request serveShared(PhaseQueue queue, long nowNanos) {
    virtualTime = Math.max(virtualTime, shared.minKey());
    Request request = take(queue, nowNanos);
    queue.tag = shared.minKey() + virtual(price(request), queue.weight);
    if (queue.isEmpty()) {
      dismiss(queue);
    } else if (queue.isLongOfUnknownSize(LONG_SECONDS * tokensPerSecond, nowNanos)) {
      dismiss(queue);
      queue.setGuessed();
      plan(queue, guess(queue));
      compete(queue);
    } else {
      shared.putFirstBack(queue.tag, queue.peekSequence());
    }
    return request;
  }

  /**
   * A long phase comes to about as much as others did that were not known, and at least twice what
   * it has had.
   */
  private long guess(PhaseQueue queue) {
    long most =
        typicalLongTokens == 0 ? LONG_TIMES * queue.servedTokens() : 3 * typicalLongTokens / 2;
    return Math.clamp(most, 2 * queue.servedTokens(), PHASE_TOKENS_MAX);
  }

  private Request servePlanned(PhaseQueue queue, long nowNanos) {
    virtualTime = Math.max(virtualTime, plannedTag);
    Request request = take(queue, nowNanos);
    chargePlanned(queue, price(request));
    if (queue.isEmpty()) {
      planned.remove(queue);
    }
    if (queue.isServed()) {
      goOnByWeight(queue);
    }
    passFairDates();
    return request;
  }

  private void chargePlanned(PhaseQueue queue, long tokens) {
    long time = virtual(tokens, Math.max(fairWeight, queue.weight));
    plannedTokens += tokens;
    plannedTag += time;
    fairTime += time;
  }

  private Request take(PhaseQueue queue, long nowNanos) {
    Request request = queue.poll();
    if (request == null) {
      throw new IllegalStateException(queue + " competes and has nothing queued");
    }
    queued--;
    queue.handedOut(price(request), nowNanos);
    return request;
  }

  /** A phase of known size is over, or larger than expected, or late. */
  private void goOnByWeight(PhaseQueue queue) {
    if (queue.isQueued()) {
      planned.remove(queue);
    }
    removeFromOpen(queue);
    if (!queue.isEmpty()) {
      shared.insert(queue, queue.tag, queue.peekSequence());
      sharedWeight += queue.weight;
    }
  }

  @SuppressWarnings("ReferenceEquality") // This very job.
  private void removeFromOpen(PhaseQueue queue) {
    PhaseQueue last = open.removeLast();
    if (last != queue) {
      open.set(queue.openIndex, last);
      last.openIndex = queue.openIndex;
    }
    queue.setNotPlanned();
    queue.tag = plannedTag + aheadOfFair(queue);
    if (first == queue) {
      first = null;
    }
    stale = true;
  }

  /**
   * A phase of known size has ended before it came to what was expected: what did not come is no
   * longer charged.
   */
  private void endPlanned(PhaseQueue queue) {
    if (!queue.isPlanned()) {
      return;
    }
    if (queue.isGuessed()) {
      long size = queue.servedTokens();
      typicalLongTokens += typicalLongTokens == 0 ? size : (size - typicalLongTokens) / 4;
    }
    expect(queue, queue.servedTokens());
    removeFromOpen(queue);
    passFairDates();
  }

  /** A phase of known size comes to less than was expected. */
  private void expect(PhaseQueue queue, long tokens) {
    long tooMuch = queue.expectedTokens - tokens;
    if (tooMuch > 0) {
      queue.expectedTokens = tokens;
      if (queue.fairDate.isQueued()) {
        setFairDate(queue, Math.max(0, aheadOfFair(queue) - virtual(tooMuch, queue.weight)));
      }
    }
  }

  /** Fair sharing would be done with those whose dates have come. */
  private void passFairDates() {
    while (!fair.isEmpty() && fair.minKey() <= fairTime) {
      PhaseQueue.FairDate date = fair.get(0);
      fair.remove(date);
      PhaseQueue queue = date.queue;
      fairWeight -= queue.weight;
      if (queue.isPlanned() && queue.restTokens() > queue.expectedTokens / LATE_PARTS) {
        goOnByWeight(queue);
      }
    }
  }

  private void putInOrder(long nowNanos) {
    for (int i = open.size() - 1; i >= 0; i--) {
      PhaseQueue queue = open.get(i);
      if (queue.isBetweenPhases(nowNanos)) {
        endPlanned(queue);
      } else if (queue.isGuessed()) {
        expect(queue, guess(queue));
      }
    }
    passFairDates();
    stale = false;
    orderHoldsUntilNanos = nowNanos + ORDER_HOLDS_NANOS * open.size();
    if (open.isEmpty()) {
      return;
    }
    findFairTokens();
    inOrder.clear();
    inOrder.addAll(open);
    if (open.size() > PhaseOrder.SIZE_MAX) {
      inOrder.sort(Comparator.comparingDouble(queue -> queue.fairTokens));
      first = inOrder.getFirst();
      for (PhaseQueue queue : inOrder) {
        setDeadline(queue, queue.fairTokens);
      }
      return;
    }
    addPhases(nowNanos);
    order.solve(EASE, (double) largestPrice);
    leastStretch = order.stretch();
    first = inOrder.get(order.first());
    for (int i = 0; i < inOrder.size(); i++) {
      setDeadline(inOrder.get(i), order.deadlineTokens(i));
    }
  }

  private void addPhases(long nowNanos) {
    double weightSum = 0;
    for (PhaseQueue queue : inOrder) {
      weightSum += queue.weight;
    }
    double meanWeight = weightSum / inOrder.size();
    double part = (double) Math.max(1, fairWeight) / (Math.max(1, fairWeight) + sharedWeight);
    double tokensPerNano = tokensPerSecond * part / NANOS_PER_SECOND;
    order.clear();
    for (PhaseQueue queue : inOrder) {
      double aloneNanos = queue.expectedTokens * NANOS_PER_SECOND / tokensPerSecond;
      long gapNanos = queue.past.gapNanos();
      double cycleNanos = gapNanos > 0 ? gapNanos + aloneNanos : CYCLE_PHASES * aloneNanos;
      order.add(
          (double) queue.restTokens(),
          queue.fairTokens,
          (queue.beganNanos() - nowNanos + aloneNanos) * tokensPerNano,
          cycleNanos * tokensPerNano * meanWeight / queue.weight);
    }
  }

  private void setDeadline(PhaseQueue queue, double tokens) {
    queue.deadlineTokens = plannedTokens + (long) tokens;
    if (queue.isQueued()) {
      planned.update(queue, deadline(queue), queue.peekSequence());
    }
  }

  /** Goes along fair sharing as it would be if nobody else came. */
  private void findFairTokens() {
    for (PhaseQueue queue : open) {
      queue.fairTokens = 0;
    }
    List<PhaseQueue.FairDate> byDate = new ArrayList<>(fair.size());
    for (int i = 0; i < fair.size(); i++) {
      byDate.add(fair.get(i));
    }
    byDate.sort(Comparator.comparingLong(date -> date.tag));
    double tokens = 0;
    long tag = fairTime;
    long weight = fairWeight;
    for (PhaseQueue.FairDate date : byDate) {
      tokens += (double) (date.tag - tag) / PARTS * weight;
      tag = date.tag;
      weight -= date.queue.weight;
      date.queue.fairTokens = tokens;
    }
  }

  /** Corrects what the job was charged, and with it what was expected of its phase. */
  @Override
  public void complete(Request request, long actualOperations, long actualBytes, long nowNanos) {
    request.requireCost(actualOperations, actualBytes);
    PhaseQueue queue = queues.get(request);
    if (queue == null) {
      return;
    }
    long difference =
        request.hasCost(actualOperations, actualBytes)
            ? 0
            : price(Math.min(actualOperations, Request.COST_MAX), Math.min(actualBytes, PRICE_MAX))
                - price(request);
    queue.completed(difference, nowNanos);
    if (difference == 0) {
      return;
    }
    if (queue.isPlanned()) {
      chargePlanned(queue, difference);
      if (queue.isServed()) {
        goOnByWeight(queue);
      }
      passFairDates();
    } else {
      // What is given back is not saved up.
      queue.tag = Math.max(virtualTime, queue.tag + virtual(difference, queue.weight));
      if (queue.isQueued()) {
        shared.update(queue, queue.tag, queue.peekSequence());
      }
    }
  }

  /**
   * Replaces weights, and what is told of phases that are still to come. A job keeps what it owes
   * in tokens.
   */
  @Override
  public void reconfigure(Shares changed, long nowNanos) {
    shares = changed;
    reconfigurations++;
    for (int i = 0; i < changed.size(); i++) {
      PhaseQueue queue = queues.get(changed.job(i));
      if (queue != null) {
        queue.namedBy = reconfigurations;
        queue.toldTokens = told(i);
        setWeight(queue, weight(i));
      }
    }
    queues.removeIf(this::isForgotten);
    queues.forEach(queue -> {
      if (queue.namedBy != reconfigurations) {
        queue.toldTokens = 0;
        setWeight(queue, 1);
      }
    });
  }

  private boolean isForgotten(PhaseQueue queue) {
    boolean forgotten =
        queue.namedBy != reconfigurations
            && queue.isEmpty()
            && !queue.isPlanned()
            && !queue.fairDate.isQueued();
    if (forgotten) {
      weights -= queue.weight;
    }
    return forgotten;
  }

  private void setWeight(PhaseQueue queue, long weight) {
    long before = queue.weight;
    if (weight == before) {
      return;
    }
    queue.weight = weight;
    weights += weight - before;
    queue.tag = reweighed(queue.tag, virtualTime, before, weight);
    if (queue.fairDate.isQueued()) {
      fairWeight += weight - before;
      queue.fairDate.tag = reweighed(queue.fairDate.tag, fairTime, before, weight);
      fair.update(queue.fairDate, queue.fairDate.tag, 0);
      stale = true;
    }
    if (queue.isQueued() && !queue.isPlanned()) {
      sharedWeight += weight - before;
      shared.update(queue, queue.tag, queue.peekSequence());
    }
  }

  /** The same tokens beyond an instant of virtual time at another weight. */
  private static long reweighed(long tag, long from, long before, long weight) {
    long beyond = (long) ((double) (tag - from) * before / weight);
    return tag <= from ? tag : from + Math.clamp(beyond, 1, VIRTUAL_MAX);
  }

  @Override
  public List<Request> withdrawAll(long nowNanos) {
    return withdrawIf(_ -> true, nowNanos);
  }

  @Override
  public List<Request> withdrawIf(Predicate<? super Request> gone, long nowNanos) {
    List<Request> withdrawn = new ArrayList<>();
    queues.forEach(queue -> {
      int before = withdrawn.size();
      if (queue.moveIf(gone, withdrawn)) {
        for (Request request : withdrawn.subList(before, withdrawn.size())) {
          queue.withdrawn(price(request));
        }
        if (queue.isEmpty()) {
          dismiss(queue);
        }
      }
    });
    queued -= withdrawn.size();
    withdrawn.sort(Comparator.comparingLong(Request::sequence));
    return withdrawn;
  }

  @Override
  public int queued() {
    return queued;
  }

  /** By how much of its cycle a job is stretched at least, by what was known at the last order. */
  double leastStretch() {
    return leastStretch;
  }

  /** How many phases have a date. */
  int planned() {
    return open.size();
  }

  /** Lets virtual time begin anew, so that it always fits; the order is as before. */
  private void setBack() {
    long by = virtualTime;
    long byFair = fairTime;
    virtualTime = 0;
    plannedTag = Math.max(plannedTag - by, -VIRTUAL_MAX);
    fairTime = 0;
    queues.forEach(queue -> {
      queue.tag = Math.max(queue.tag - by, -VIRTUAL_MAX);
      if (queue.fairDate.isQueued()) {
        queue.fairDate.tag -= byFair;
        fair.update(queue.fairDate, queue.fairDate.tag, 0);
      }
      if (queue.isQueued() && !queue.isPlanned()) {
        shared.update(queue, queue.tag, queue.peekSequence());
      }
    });
  }

  @Override
  public void checkInvariants(long nowNanos) {
    shared.checkInvariants();
    planned.checkInvariants();
    fair.checkInvariants();
    long[] sums = new long[6];
    queues.forEach(queue -> {
      sums[0] += queue.size();
      sums[1] += queue.isEmpty() ? 0 : 1;
      sums[2] += queue.weight;
      sums[3] += queue.isPlanned() ? 1 : 0;
      sums[4] += queue.fairDate.isQueued() ? queue.weight : 0;
      sums[5] += queue.isQueued() && !queue.isPlanned() ? queue.weight : 0;
      check(queue);
    });
    if (sums[0] != queued
        || sums[1] != shared.size() + planned.size()
        || sums[2] != weights
        || sums[3] != open.size()
        || sums[4] != fairWeight
        || sums[5] != sharedWeight) {
      throw new IllegalStateException(
          sums[0]
              + " requests of "
              + sums[1]
              + " jobs wait, "
              + sums[3]
              + " phases have a date; the books say "
              + queued
              + " of "
              + (shared.size() + planned.size())
              + ", and "
              + open.size());
    }
    if (!fair.isEmpty() && fair.minKey() <= fairTime) {
      throw new IllegalStateException("the fair date of " + fair.get(0).queue + " is past");
    }
    if (first != null && !first.isPlanned()) {
      throw new IllegalStateException(first + " is to go first and has no date");
    }
  }

  @SuppressWarnings("ReferenceEquality") // This very job.
  private void check(PhaseQueue queue) {
    if (queue.isEmpty() == queue.isQueued()
        || queue.queuedTokens() < 0
        || (queue.isEmpty() && queue.queuedTokens() != 0)
        || (queue.isPlanned() && open.get(queue.openIndex) != queue)) {
      throw new IllegalStateException(
          queue + " has " + queue.size() + " of " + queue.queuedTokens() + " and is misplaced");
    }
  }

  private long price(Request request) {
    return price(request.operations(), request.bytes());
  }

  private long price(long operations, long bytes) {
    return Math.clamp(unit.price(operations, bytes), 1, PRICE_MAX);
  }
}
