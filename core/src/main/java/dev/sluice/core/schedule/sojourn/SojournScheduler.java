package dev.sluice.core.schedule.sojourn;

import dev.sluice.core.model.Flow;
import dev.sluice.core.model.Rate;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.schedule.Dispatch;
import dev.sluice.core.schedule.IndexedHeap;
import dev.sluice.core.schedule.Pace;
import dev.sluice.core.schedule.QueuePerJob;
import dev.sluice.core.schedule.Request;
import dev.sluice.core.schedule.ShareTree;
import dev.sluice.core.schedule.anticipation.Anticipation;
import dev.sluice.core.schedule.terms.Competition;
import dev.sluice.core.schedule.terms.TermsInForce;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Serves phases of I/O one after another where it is known how large they are, and by weight where
 * it is not. A job's phase begins when it has had nothing to do here for {@link
 * PhaseQueue#PAUSE_NANOS}; how large it is follows from the job's last phases, or somebody told.
 * Phases that are too small to be put in order say nothing of others, but that the next may be as
 * small: that one is served by weight until more of it has come.
 *
 * <p>The target is divided by weight among the jobs whose phases are of unknown size, each for
 * itself, and all the others together: these weigh as much as those of them that fair sharing would
 * not be done with yet. Among the others {@link PhaseOrder} says who goes first. Fair sharing is
 * kept in virtual time, which goes on with every token that is served and needs no clock (after
 * Friedman and Henderson's fair sojourn protocol, 2003).
 *
 * <p>Theorem. Let all phases be as large as expected and all their requests be there when they
 * begin. Then each is done by the time fair sharing by weight would be done with it that is served
 * the same tokens, and {@link PlannedPhases#GRACE_CYCLES} of its job's cycle where that is known,
 * but for one largest request of each job: whatever the capacity, and however it changes. The grace
 * is what lets the stretch of large phases be less than by fair sharing, which always ends them
 * last.
 *
 * <p>A phase that turns out larger than expected, and one that is not done by then while a
 * sixteenth of it is left, goes on by weight like one of unknown size, with what it was served
 * charged to it (after Dell'Amico's PSBS, 2016): so what somebody gains by making others believe
 * that its phases are small it pays back before it is served again. One that turns out smaller is
 * charged for what came.
 *
 * <p>Where many jobs that nobody knows yet move much at once they take turns ({@link LongPhases}).
 *
 * <p>Theorem. Whatever is expected: a job that has something queued throughout, of weight w beside
 * others of weight v that want as much as they can get, and that is in a phase of unknown size, is
 * served at least {@code w/(w+v)} of the tokens, less {@link #MEMORY_SECONDS} of the capacity and a
 * largest request of each other job. So nobody starves, and the target is never idle while
 * something is queued.
 *
 * <p>Who had less than its share of late goes first: who comes back is up to {@link
 * #MEMORY_SECONDS} of the capacity ahead, all jobs together. Phases of known size have a little of
 * that at once and the rest bit by bit ({@link PlannedPhases#catchUp}); one that turns out larger
 * than expected is ahead by no more than as much again, for who goes on and on wants no end but a
 * share.
 *
 * <p>Of a share it honours the weight, over a tree of shares too ({@link BranchWeights}), what is
 * told of phases, reserves and limits. What these promise is above {@link TermsInForce}. What is
 * served by reserve is capacity that is not there for anybody else, and what is above holds of the
 * rest; but that a job with a reserve has the larger of that and its share by weight, not the sum.
 * Who is at its limit counts as idle, and only where all that wait are at theirs does the target
 * idle.
 *
 * <p>Asked with a {@link Pace}, it lets the target wait for who should be next and is about to come
 * back, as {@link Anticipation} says: a phase that goes first, and a share by weight, is also that
 * of a job that sends a request only when the one before is answered.
 */
public final class SojournScheduler extends QueuePerJob<PhaseQueue> {
  /** How far back it is remembered who had less than its share, in seconds of the capacity. */
  public static final long MEMORY_SECONDS = 2;

  private static final long WEIGHT_MAX = ShareTree.WEIGHT_MAX;
  private static final long PRICE_MAX = 1L << 31;

  /** How long weights over a tree hold for each job, so that finding them costs little. */
  private static final long WEIGHTS_HOLD_NANOS = 10_000L;

  private final TokenUnit unit;
  private long tokensPerSecond;

  /** Jobs with something queued in a phase of unknown size, by virtual time. */
  private final IndexedHeap<PhaseQueue> shared = new IndexedHeap<>();

  private long sharedWeight;

  private final PlannedPhases planned;
  private final LongPhases longPhases;

  private final TermsInForce<PhaseQueue> terms;

  private final Anticipation<PhaseQueue> anticipation = new Anticipation<>(this::wouldBeFirst);

  private BranchWeights branches;

  /** Whether any job hangs in a group. */
  private boolean grouped;

  private boolean weightsStale;
  private long weightsHoldUntilNanos = Long.MIN_VALUE;

  private long virtualTime;
  private long weights;

  /**
   * @param tree who divides with whom
   */
  public SojournScheduler(Target target, ShareTree tree) {
    unit = target.unit();
    tokensPerSecond = target.tokensPerSecond();
    longPhases = new LongPhases(tokensPerSecond, PlannedPhases.TOKENS_MAX);
    planned = new PlannedPhases(tokensPerSecond, longPhases, () -> sharedWeight, this::goOn);
    terms = new TermsInForce<>(unit, this::price, new Competing());
    branches = new BranchWeights(tree);
  }

  @Override
  public void enqueue(Request request, long nowNanos) {
    PhaseQueue queue = queue(request, nowNanos);
    if (queue.isBetweenPhases(nowNanos)) {
      beginPhase(queue, nowNanos);
    }
    long price = price(request);
    queue.arrives(price, nowNanos);
    planned.note(price);
    if (queue.expectedIfNotSmallTokens > 0 && !planned.isSmall(queue.cameTokens())) {
      isNotSmall(queue);
    }
    if (append(queue, request)) {
      if (queue.absence != null) {
        anticipation.returns(queue.absence, nowNanos);
      }
      if (queue.terms == null) {
        compete(queue);
      } else {
        terms.arrive(queue, queue.terms, request, nowNanos);
      }
    }
  }

  @Override
  protected PhaseQueue newQueue(Flow flow, int index, long nowNanos) {
    PhaseQueue queue = new PhaseQueue(flow, virtualTime);
    queue.ownWeight = weight(index);
    queue.weight = queue.ownWeight;
    queue.toldTokens = told(index);
    grouped |= branches.place(queue);
    weights += queue.weight;
    terms.set(queue, shares(), index, nowNanos);
    return queue;
  }

  private long weight(int index) {
    return index < 0 ? 1 : Math.min(shares().weight(index), WEIGHT_MAX);
  }

  private long told(int index) {
    return index < 0 ? 0 : shares().phaseTokens(index);
  }

  private void beginPhase(PhaseQueue queue, long nowNanos) {
    planned.end(queue);
    longPhases.leave(queue);
    boolean afterSmall = queue.hasBegun() && planned.isSmall(queue.servedTokens());
    if (queue.hasBegun() && !afterSmall) {
      planned.noteDelay(queue, nowNanos);
    }
    queue.begin(afterSmall, nowNanos);
    weightsStale = true;
    long expected = queue.past.expectedTokens(queue.toldTokens);
    if (!planned.isWorthADate(expected)) {
      return;
    }
    if (afterSmall) {
      queue.expectedIfNotSmallTokens = expected;
    } else {
      setDate(queue, expected);
    }
  }

  /** A phase that might have been as small as the one before it is not. */
  private void isNotSmall(PhaseQueue queue) {
    long expected = queue.expectedIfNotSmallTokens;
    queue.expectedIfNotSmallTokens = 0;
    if (queue.servedTokens() < expected) {
      plan(queue, expected);
    }
  }

  /** A job that shares is in a phase of known size from now on. */
  private void plan(PhaseQueue queue, long expectedTokens) {
    boolean competes = queue.isQueued();
    if (competes) {
      dismiss(queue);
    }
    setDate(queue, expectedTokens);
    if (competes) {
      compete(queue);
    }
  }

  /** Gives a phase a date. It owes nothing for what was served while no other had one. */
  private void setDate(PhaseQueue queue, long expectedTokens) {
    planned.catchUp(virtualTime, memory());
    planned.begin(queue, expectedTokens);
  }

  private final class Competing implements Competition<PhaseQueue> {
    @Override
    public boolean isCompeting(PhaseQueue queue) {
      return queue.isQueued();
    }

    @Override
    public void compete(PhaseQueue queue) {
      if (!queue.isQueued()) {
        SojournScheduler.this.compete(queue);
      }
    }

    @Override
    public void dismiss(PhaseQueue queue) {
      SojournScheduler.this.dismiss(queue);
    }
  }

  /** A job has something queued again that no limit holds back. */
  private void compete(PhaseQueue queue) {
    if (queue.isPlanned()) {
      planned.catchUp(virtualTime, memory());
      planned.enter(queue);
    } else {
      queue.tag = Math.max(queue.tag, virtualTime - memory());
      share(queue);
    }
  }

  /**
   * A phase of which a size was expected goes on by weight. Whatever its job had less than its
   * share of late, it is ahead by no more than another such phase.
   */
  private void goOn(PhaseQueue queue) {
    long asMuchAgain = FairDates.virtual(queue.expectedTokens, queue.weight);
    queue.tag = Math.max(queue.tag, virtualTime - asMuchAgain);
    share(queue);
  }

  /** A job goes on by weight, if it has something queued that no limit holds back. */
  private void share(PhaseQueue queue) {
    if (queue.isBacklogged()) {
      shared.insert(queue, queue.tag, queue.peekSequence());
      sharedWeight += queue.weight;
    }
  }

  /** A job has nothing queued any more, is at its limit, or goes on in another way. */
  private void dismiss(PhaseQueue queue) {
    if (queue.isPlanned()) {
      planned.leave(queue);
    } else {
      shared.remove(queue);
      sharedWeight -= queue.weight;
    }
  }

  /** By how much of the virtual time somebody may be ahead who comes back. */
  private long memory() {
    if (tokensPerSecond >= Rate.TOKENS_PER_SECOND_MAX) {
      return 0;
    }
    return FairDates.virtual(
        Math.min(MEMORY_SECONDS * tokensPerSecond, PlannedPhases.TOKENS_MAX), Math.max(1, weights));
  }

  @Override
  public Dispatch next(long nowNanos) {
    return nextOf(null, nowNanos);
  }

  /** Waits for who should be next and is about to come back: {@link Anticipation} says when. */
  @Override
  public Dispatch next(Pace pace, long nowNanos) {
    return nextOf(pace, nowNanos);
  }

  private Dispatch nextOf(@Nullable Pace pace, long nowNanos) {
    if (queued() == 0) {
      return Dispatch.EMPTY;
    }
    if (virtualTime > FairDates.VIRTUAL_MAX || planned.isFar()) {
      setBack();
    }
    if (grouped && weightsStale && nowNanos >= weightsHoldUntilNanos) {
      weighBranches(nowNanos);
    }
    planned.putInOrder(nowNanos);
    if (!terms.isEmpty()) {
      terms.letGo(nowNanos);
      PhaseQueue due = terms.due(nowNanos);
      if (due != null) {
        return serveByReserve(due, pace, nowNanos);
      }
    }
    PhaseQueue first = isTurnOfPlanned() ? planned.peek() : shared.peek();
    if (first == null) {
      return new Dispatch.NotBefore(terms.nextNanos());
    }
    if (pace != null) {
      long until = waitUntil(first, pace, nowNanos);
      if (until > nowNanos) {
        return new Dispatch.NotBefore(Math.min(until, terms.nextNanos()));
      }
    }
    return first.isPlanned()
        ? servePlanned(first, pace, nowNanos)
        : serveShared(first, pace, nowNanos);
  }

  /** Whether phases of known size come before those that share; not where none is there. */
  private boolean isTurnOfPlanned() {
    return planned.peek() != null && (shared.isEmpty() || planned.tag() <= shared.minKey());
  }

  /** Until when others are held for somebody who is about to come back; now when they are not. */
  private long waitUntil(PhaseQueue first, Pace pace, long nowNanos) {
    Request head = first.peek();
    return head != null && pace.isShort() && anticipation.isAnybodyAway()
        ? anticipation.holdUntil(price(head), pace, nowNanos)
        : nowNanos;
  }

  /** Whether a job that has nothing queued would be next if it had. */
  private boolean wouldBeFirst(PhaseQueue queue) {
    if (queue.isPlanned()) {
      return planned.wouldBeFirst(queue) && (shared.isEmpty() || planned.tag() <= shared.minKey());
    }
    long tag = Math.max(queue.tag, virtualTime - memory());
    return (shared.isEmpty() || tag < shared.minKey())
        && (planned.peek() == null || tag < planned.tag());
  }

  private Request servePlanned(PhaseQueue queue, @Nullable Pace pace, long nowNanos) {
    virtualTime = Math.max(virtualTime, planned.tag());
    Request request = handOut(queue, pace, nowNanos);
    long price = price(request);
    terms.handsOut(queue, price, nowNanos);
    planned.servedInTurn(queue, price);
    return reviewed(queue, request, nowNanos);
  }

  private Request serveShared(PhaseQueue queue, @Nullable Pace pace, long nowNanos) {
    virtualTime = Math.max(virtualTime, shared.minKey());
    Request request = handOut(queue, pace, nowNanos);
    long price = price(request);
    terms.handsOut(queue, price, nowNanos);
    queue.tag = shared.minKey() + queue.steps.step(price, queue.weight);
    if (!queue.isBacklogged()) {
      dismiss(queue);
    } else if (longPhases.isToTakeTurns(queue, nowNanos)) {
      queue.setGuessed();
      plan(queue, longPhases.guess(queue));
    } else {
      shared.putFirstBack(queue.tag, queue.peekSequence());
    }
    return reviewed(queue, request, nowNanos);
  }

  /**
   * Serves a job before its turn. One that shares owes by that no more than what it can be behind
   * its reserve, twice: enough for a reserve that is less than its share to change nothing in the
   * long run, and little to pay when the reserve ends.
   */
  @SuppressWarnings("ReferenceEquality") // This very job.
  private Request serveByReserve(PhaseQueue queue, @Nullable Pace pace, long nowNanos) {
    if (queue == shared.peek()) {
      virtualTime = Math.max(virtualTime, queue.tag);
    }
    Request request = handOut(queue, pace, nowNanos);
    long price = price(request);
    long mostTokens = terms.handsOut(queue, price, nowNanos);
    if (queue.isPlanned()) {
      planned.servedByReserve(queue, price);
    } else {
      long most = virtualTime + FairDates.virtual(mostTokens, queue.weight);
      long charged = queue.tag + queue.steps.step(price, queue.weight);
      queue.tag = Math.max(queue.tag, Math.min(charged, most));
      // Who has nothing left, or is at its limit, is dismissed when its terms are reviewed.
      if (queue.isBacklogged()) {
        shared.update(queue, queue.tag, queue.peekSequence());
      }
    }
    return reviewed(queue, request, nowNanos);
  }

  private Request reviewed(PhaseQueue queue, Request request, long nowNanos) {
    if (queue.terms != null) {
      terms.review(queue, nowNanos);
    }
    return request;
  }

  private Request handOut(PhaseQueue queue, @Nullable Pace pace, long nowNanos) {
    Request request = take(queue);
    long price = price(request);
    queue.handedOut(price, nowNanos);
    if (pace != null) {
      anticipation.handsOut(pace, nowNanos);
      if (queue.isEmpty()) {
        anticipation.leaves(queue, price, nowNanos);
      }
    }
    return request;
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
      planned.served(queue, difference);
    } else {
      // What is given back is not saved up.
      queue.tag = Math.max(virtualTime, queue.tag + queue.steps.step(difference, queue.weight));
      if (queue.isQueued()) {
        shared.update(queue, queue.tag, queue.peekSequence());
      }
    }
    if (queue.terms != null) {
      terms.correct(queue, queue.terms, difference, nowNanos);
    }
  }

  /**
   * Replaces the weight, the reserve and the limit, and what is told of phases that are still to
   * come. A job keeps what it owes in tokens, and what there is of a reserve or a limit.
   */
  @Override
  protected void configure(PhaseQueue queue, int index, long nowNanos) {
    queue.toldTokens = told(index);
    setOwnWeight(queue, weight(index));
    terms.set(queue, shares(), index, nowNanos);
  }

  @Override
  protected void reconfigured(long nowNanos) {
    weightsStale = true;
  }

  /**
   * What is small, how long phases take and how far back it is remembered who had less is another,
   * also of phases that go on. As long as nobody knows the capacity all phases are small, and so
   * served by weight, and nothing is remembered.
   */
  @Override
  public void resize(long tokensPerSecond, long nowNanos) {
    if (tokensPerSecond != this.tokensPerSecond) {
      this.tokensPerSecond = tokensPerSecond;
      planned.resize(tokensPerSecond);
      longPhases.resize(tokensPerSecond);
    }
  }

  @Override
  protected boolean isForgettable(PhaseQueue queue) {
    return !queue.isPlanned() && !queue.fairDate.isQueued();
  }

  @Override
  protected void forget(PhaseQueue queue) {
    weights -= queue.weight;
    longPhases.leave(queue);
    terms.forget(queue);
    if (queue.absence != null) {
      anticipation.forget(queue.absence);
    }
  }

  /** Weighs jobs by another tree. What a job owes is the same in tokens. */
  @Override
  public void regroup(ShareTree tree, long nowNanos) {
    branches = new BranchWeights(tree);
    boolean[] any = {false};
    queues.forEach(queue -> any[0] |= branches.place(queue));
    grouped = any[0];
    weightsStale = true;
    if (!grouped) {
      queues.forEach(queue -> setWeight(queue, queue.ownWeight));
    }
  }

  @Override
  public void place(Flow flow, long nowNanos) {
    PhaseQueue queue = queues.get(flow.job());
    if (queue != null) {
      queue.flow = flow;
      grouped |= branches.place(queue);
      weightsStale = true;
    }
  }

  private void weighBranches(long nowNanos) {
    branches.weigh(queues, this::setWeight, nowNanos);
    weightsStale = false;
    weightsHoldUntilNanos = nowNanos + WEIGHTS_HOLD_NANOS * queues.size();
  }

  /** Where jobs hang in groups, what it weighs beside others follows from the tree. */
  private void setOwnWeight(PhaseQueue queue, long weight) {
    queue.ownWeight = weight;
    if (!grouped) {
      setWeight(queue, weight);
    }
  }

  private void setWeight(PhaseQueue queue, long weight) {
    long before = queue.weight;
    if (weight == before) {
      return;
    }
    queue.weight = weight;
    weights += weight - before;
    queue.tag = FairDates.reweighed(queue.tag, virtualTime, before, weight);
    planned.reweighed(queue, before);
    if (queue.isQueued() && !queue.isPlanned()) {
      sharedWeight += weight - before;
      shared.update(queue, queue.tag, queue.peekSequence());
    }
  }

  @Override
  protected void withdrawn(PhaseQueue queue, List<Request> requests, long nowNanos) {
    for (Request request : requests) {
      queue.withdrawn(price(request));
    }
    if (queue.terms != null) {
      terms.review(queue, nowNanos);
    } else if (queue.isEmpty()) {
      dismiss(queue);
    }
  }

  /** By how much of its cycle a job is stretched at least, by what was known at the last order. */
  double leastStretch() {
    return planned.leastStretch();
  }

  /** How many phases have a date. */
  int planned() {
    return planned.size();
  }

  /** Lets virtual time begin anew, so that it always fits; the order is as before. */
  private void setBack() {
    long by = virtualTime;
    virtualTime = 0;
    planned.setBack(by);
    queues.forEach(queue -> {
      queue.tag = Math.max(queue.tag - by, -FairDates.VIRTUAL_MAX);
      if (queue.isQueued() && !queue.isPlanned()) {
        shared.update(queue, queue.tag, queue.peekSequence());
      }
    });
  }

  @Override
  public void checkInvariants(long nowNanos) {
    shared.checkInvariants();
    anticipation.checkInvariants();
    int waiting = checkQueued();
    long[] sums = new long[4];
    List<PhaseQueue> all = new ArrayList<>();
    queues.forEach(queue -> {
      all.add(queue);
      sums[0] += queue.weight;
      sums[1] += queue.isPlanned() ? 1 : 0;
      sums[2] += queue.fairDate.isQueued() ? queue.weight : 0;
      sums[3] += queue.isQueued() && !queue.isPlanned() ? queue.weight : 0;
      check(queue);
    });
    terms.checkInvariants(all);
    planned.checkInvariants(sums[1], sums[2]);
    if (waiting != shared.size() + planned.waiting() + terms.heldBack()
        || sums[0] != weights
        || sums[3] != sharedWeight) {
      throw new IllegalStateException(
          waiting
              + " jobs of the weight "
              + sums[0]
              + " wait, of which "
              + sums[3]
              + " share; the books say "
              + (shared.size() + planned.waiting() + terms.heldBack())
              + ", "
              + weights
              + " and "
              + sharedWeight);
    }
  }

  private void check(PhaseQueue queue) {
    if (queue.isBacklogged() != queue.isQueued()
        || queue.queuedTokens() < 0
        || (queue.isEmpty() && queue.queuedTokens() != 0)
        || !planned.isAtItsPlace(queue)) {
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
