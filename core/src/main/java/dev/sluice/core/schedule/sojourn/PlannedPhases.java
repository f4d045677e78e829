package dev.sluice.core.schedule.sojourn;

import dev.sluice.core.schedule.IndexedHeap;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The phases of known size: by when each is to be done, and which of them is next. Beside those
 * that share by weight they are one, with a place of its own in virtual time.
 */
final class PlannedPhases {
  /** Larger phases are not expected, so that virtual times fit. */
  static final long TOKENS_MAX = 1L << 40;

  /** By how much of its cycle a phase may be done later than by fair sharing. */
  static final double GRACE_CYCLES = 0.1;

  /**
   * How much more than the least possible jobs may be stretched so that the short need not wait.
   */
  private static final double EASE = 0.01;

  /** Phases of less than this part of a second come and go too fast to be put in order. */
  private static final long SHORTEST_PARTS_OF_SECOND = 100;

  /** So much of a phase may be left when it is late. */
  private static final long LATE_PARTS = 16;

  /** How many cycles of a job are taken for one phase where only the phase is known. */
  private static final double CYCLE_PHASES = 10;

  /** How long an order holds for each phase in it, so that finding it costs little. */
  private static final long ORDER_HOLDS_NANOS = 10_000L;

  /** Of what these are ahead by when they come back they have this part at once. */
  private static final long AT_ONCE_PARTS = 8;

  /** Until they have had the rest of it they weigh a quarter more: 5 in place of 4. */
  private static final long AS_IF = 5;

  private static final long IN_PLACE_OF = 4;

  /** So many requests by reserve are charged to these together between two of their turns. */
  private static final long CHARGED_OUT_OF_TURN = 64;

  private static final long FIRST = Long.MIN_VALUE;
  private static final double NANOS_PER_SECOND = 1e9;

  private final LongPhases longPhases;
  private final LongSupplier sharedWeight;
  private final Consumer<PhaseQueue> released;

  private long tokensPerSecond;

  /** Jobs with something queued in such a phase, by deadline. */
  private final IndexedHeap<PhaseQueue> waiting = new IndexedHeap<>();

  /** All such phases that are not over, with something queued or not. */
  private final List<PhaseQueue> open = new ArrayList<>();

  private final FairDates fair = new FairDates();

  /** Up to where of the virtual time they were served. */
  private long tag;

  /** Where they are while they catch up: it is not their turn before this of the virtual time. */
  private long catchingUpTag;

  /** What they were served in all. */
  private long servedTokens;

  /** What was charged by reserve since their last turn. */
  private long outOfTurnTokens;

  private long largestPrice = 1;

  private final PhaseOrder order = new PhaseOrder();
  private final List<PhaseQueue> inOrder = new ArrayList<>();
  private @Nullable PhaseQueue first;
  private boolean stale;
  private long orderHoldsUntilNanos = Long.MIN_VALUE;
  private double leastStretch;

  /**
   * @param sharedWeight what those weigh together that have something queued and share
   * @param released told of a job that goes on by weight, which is no longer among these
   */
  PlannedPhases(
      long tokensPerSecond,
      LongPhases longPhases,
      LongSupplier sharedWeight,
      Consumer<PhaseQueue> released) {
    this.tokensPerSecond = tokensPerSecond;
    this.longPhases = longPhases;
    this.sharedWeight = sharedWeight;
    this.released = released;
  }

  /** The target serves so much from now on. */
  void resize(long tokensPerSecond) {
    this.tokensPerSecond = tokensPerSecond;
    stale = true;
  }

  /** Whether a phase that comes to so much is too small to be put in order. */
  boolean isSmall(long tokens) {
    return tokens <= tokensPerSecond / SHORTEST_PARTS_OF_SECOND;
  }

  /** Whether a phase that is expected to come to so much is worth a date. */
  boolean isWorthADate(long tokens) {
    return !isSmall(tokens) && tokens <= TOKENS_MAX;
  }

  /**
   * Gives a phase a date: it comes to so much in all. What it was served of it is charged already.
   */
  void begin(PhaseQueue queue, long expectedTokens) {
    queue.expectedTokens = expectedTokens;
    queue.openIndex = open.size();
    open.add(queue);
    // What it was served ahead of its share, and what fair sharing is not done with of its last
    // phase, comes before this one.
    long ahead = Math.max(Math.max(0, queue.tag - tag), fair.ahead(queue));
    fair.set(queue, ahead + FairDates.virtual(expectedTokens - queue.servedTokens(), queue.weight));
    queue.lateAfterTokens = Long.MAX_VALUE;
    queue.deadlineTokens =
        servedTokens + (long) ((double) expectedTokens * fair.weight() / queue.weight);
    stale = true;
  }

  /**
   * Virtual time went on while these had nothing queued. Who comes back is ahead by what is
   * remembered at most. It has an eighth of that at once, so that bursts are done soon. The rest it
   * has bit by bit, as if it weighed a quarter more: a target that serves nothing but one phase of
   * large requests for long lets everybody wait who comes meanwhile, whatever its place here, for
   * they are in service.
   *
   * @param memory by how much of the virtual time somebody may be ahead
   */
  void catchUp(long virtualTime, long memory) {
    if (waiting.isEmpty()) {
      tag = Math.max(tag, virtualTime - memory);
      catchingUpTag = Math.max(catchingUpTag, virtualTime - memory / AT_ONCE_PARTS);
    }
  }

  private void goOn(long byTag) {
    tag += byTag;
    catchingUpTag += byTag * IN_PLACE_OF / AS_IF;
  }

  /** A job that had nothing queued has something. */
  void enter(PhaseQueue queue) {
    waiting.insert(queue, deadline(queue), queue.peekSequence());
  }

  @SuppressWarnings("ReferenceEquality") // This very job.
  private long deadline(PhaseQueue queue) {
    return queue == first ? FIRST : queue.deadlineTokens;
  }

  /** A job has nothing queued any more. */
  void leave(PhaseQueue queue) {
    waiting.remove(queue);
  }

  /** How large requests are: so much later than its deadline a phase may be done. */
  void note(long price) {
    largestPrice = Math.max(largestPrice, price);
  }

  /** The one that is next; null where none has anything queued. */
  @Nullable PhaseQueue peek() {
    return waiting.peek();
  }

  /** Whether one that has nothing queued would be next if it had. */
  boolean wouldBeFirst(PhaseQueue queue) {
    return waiting.isEmpty() || deadline(queue) < waiting.minKey();
  }

  /** Where of the virtual time it is their turn. */
  long tag() {
    return Math.max(tag, catchingUpTag);
  }

  /** A request was handed out in its turn. */
  void servedInTurn(PhaseQueue queue, long tokens) {
    outOfTurnTokens = 0;
    served(queue, tokens);
  }

  /** So much more was served in turn. */
  void served(PhaseQueue queue, long tokens) {
    servedTokens += tokens;
    goOn(fair.goOn(tokens, queue.weight));
    settle(queue);
  }

  /**
   * A request was handed out by reserve. For the others that is capacity which is not there: their
   * dates come no nearer by it, and fair sharing has as much less to do for this phase.
   *
   * <p>All these phases together are charged for it beside those that share, but no more than for
   * {@link #CHARGED_OUT_OF_TURN} such requests before they have a turn: so who has no reserve does
   * not wait forever for those who have.
   */
  void servedByReserve(PhaseQueue queue, long tokens) {
    if (outOfTurnTokens < CHARGED_OUT_OF_TURN * tokens) {
      outOfTurnTokens += tokens;
      goOn(FairDates.virtual(tokens, Math.max(fair.weight(), queue.weight)));
    }
    if (queue.fairDate.isQueued()) {
      fair.set(queue, Math.max(0, fair.ahead(queue) - FairDates.virtual(tokens, queue.weight)));
    }
    stale = true;
    settle(queue);
  }

  /** Puts a phase where it belongs of which something was served. */
  private void settle(PhaseQueue queue) {
    if (!queue.isBacklogged() && queue.isQueued()) {
      waiting.remove(queue);
    }
    if (queue.isServed()) {
      release(queue);
    }
    passFairDates();
  }

  /** A phase is over, or larger than expected, or late. */
  private void release(PhaseQueue queue) {
    if (queue.isQueued()) {
      waiting.remove(queue);
    }
    remove(queue);
    released.accept(queue);
  }

  @SuppressWarnings("ReferenceEquality") // This very job.
  private void remove(PhaseQueue queue) {
    PhaseQueue last = open.removeLast();
    if (last != queue) {
      open.set(queue.openIndex, last);
      last.openIndex = queue.openIndex;
    }
    queue.setNotPlanned();
    queue.tag = tag + fair.ahead(queue);
    if (first == queue) {
      first = null;
    }
    stale = true;
  }

  /**
   * A phase, if it is one of these, has ended before it came to what was expected: what did not
   * come is no longer charged.
   */
  void end(PhaseQueue queue) {
    if (!queue.isPlanned()) {
      return;
    }
    if (queue.isGuessed()) {
      longPhases.cameTo(queue.servedTokens());
    }
    expect(queue, queue.servedTokens());
    remove(queue);
    passFairDates();
  }

  /** A phase comes to less than was expected. */
  private void expect(PhaseQueue queue, long tokens) {
    long tooMuch = queue.expectedTokens - tokens;
    if (tooMuch > 0) {
      queue.expectedTokens = tokens;
      if (queue.fairDate.isQueued()) {
        fair.set(queue, Math.max(0, fair.ahead(queue) - FairDates.virtual(tooMuch, queue.weight)));
      }
    }
  }

  /** Fair sharing would be done with those whose dates have come: their grace begins. */
  private void passFairDates() {
    for (PhaseQueue queue = fair.pass(); queue != null; queue = fair.pass()) {
      if (queue.isPlanned()) {
        queue.lateAfterTokens = servedTokens + (long) (graceNanos(queue) * tokensPerNano());
        releaseIfLate(queue);
      }
    }
  }

  private void releaseIfLate(PhaseQueue queue) {
    if (servedTokens >= queue.lateAfterTokens
        && queue.restTokens() > queue.expectedTokens / LATE_PARTS) {
      release(queue);
    }
  }

  /** A job that had this weight has another. */
  void reweighed(PhaseQueue queue, long before) {
    stale |= fair.reweigh(queue, before);
  }

  /** Finds out who goes first, and by when each is to be done, unless that is still known. */
  void putInOrder(long nowNanos) {
    // The one that is to go first was expected to have more, and has not.
    if (first != null && first.isBetweenPhases(nowNanos)) {
      stale = true;
    }
    if (!stale || nowNanos < orderHoldsUntilNanos) {
      return;
    }
    for (int i = open.size() - 1; i >= 0; i--) {
      PhaseQueue queue = open.get(i);
      if (queue.isBetweenPhases(nowNanos)) {
        end(queue);
      } else if (queue.isGuessed()) {
        expect(queue, longPhases.guess(queue));
      } else {
        releaseIfLate(queue);
      }
    }
    passFairDates();
    stale = false;
    orderHoldsUntilNanos = nowNanos + ORDER_HOLDS_NANOS * open.size();
    if (open.isEmpty()) {
      return;
    }
    findDates();
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
    addToOrder(nowNanos);
    order.solve(EASE, (double) largestPrice);
    leastStretch = order.stretch();
    first = inOrder.get(order.first());
    for (int i = 0; i < inOrder.size(); i++) {
      setDeadline(inOrder.get(i), order.deadlineTokens(i));
    }
  }

  /** Finds by when each phase has to be done so that it is not late: with its grace. */
  private void findDates() {
    fair.findTokens();
    double tokensPerNano = tokensPerNano();
    for (PhaseQueue queue : open) {
      if (queue.fairDate.isQueued()) {
        queue.fairTokens += graceNanos(queue) * tokensPerNano;
      } else {
        queue.fairTokens = Math.max(0, queue.lateAfterTokens - servedTokens);
      }
    }
  }

  private void addToOrder(long nowNanos) {
    double weightSum = 0;
    for (PhaseQueue queue : inOrder) {
      weightSum += queue.weight;
    }
    double meanWeight = weightSum / inOrder.size();
    double tokensPerNano = tokensPerNano();
    order.clear();
    for (PhaseQueue queue : inOrder) {
      order.add(
          (double) queue.restTokens(),
          queue.fairTokens,
          (queue.beganNanos() - nowNanos + aloneNanos(queue) - queue.past.delayNanos())
              * tokensPerNano,
          (queue.past.cyclesNanos() + cycleNanos(queue))
              * tokensPerNano
              * meanWeight
              / queue.weight);
    }
  }

  private void setDeadline(PhaseQueue queue, double tokens) {
    queue.deadlineTokens = servedTokens + (long) tokens;
    if (queue.isQueued()) {
      waiting.update(queue, deadline(queue), queue.peekSequence());
    }
  }

  /** How much these are served together, beside those that share. */
  private double tokensPerNano() {
    double weight = Math.max(1, fair.weight());
    return tokensPerSecond * weight / (weight + sharedWeight.getAsLong()) / NANOS_PER_SECOND;
  }

  private double aloneNanos(PhaseQueue queue) {
    return aloneNanos(queue.expectedTokens);
  }

  private double aloneNanos(long tokens) {
    return tokens * NANOS_PER_SECOND / tokensPerSecond;
  }

  /** A job's phase is over, and now its next begins: by how much it was late. */
  void noteDelay(PhaseQueue queue, long nowNanos) {
    long delayNanos = Math.max(0, queue.busyNanos() - (long) aloneNanos(queue.servedTokens()));
    queue.past.noteDelay(delayNanos, nowNanos - queue.beganNanos() - delayNanos);
  }

  private double cycleNanos(PhaseQueue queue) {
    long gapNanos = queue.past.gapNanos();
    double aloneNanos = aloneNanos(queue);
    return gapNanos > 0 ? gapNanos + aloneNanos : CYCLE_PHASES * aloneNanos;
  }

  /** By how much a phase may be done later than by fair sharing. */
  private double graceNanos(PhaseQueue queue) {
    return queue.past.gapNanos() > 0 ? GRACE_CYCLES * cycleNanos(queue) : 0;
  }

  /** By how much of its cycle a job is stretched at least, by what was known at the last order. */
  double leastStretch() {
    return leastStretch;
  }

  /** How many phases there are. */
  int size() {
    return open.size();
  }

  /** How many have something queued. */
  int waiting() {
    return waiting.size();
  }

  /** Whether virtual time among these has come so far that it has to be set back. */
  boolean isFar() {
    return fair.time() > FairDates.VIRTUAL_MAX;
  }

  /** Lets virtual time begin anew, that of all by so much; the order is as before. */
  void setBack(long by) {
    tag = Math.max(tag - by, -FairDates.VIRTUAL_MAX);
    catchingUpTag = Math.max(catchingUpTag - by, -FairDates.VIRTUAL_MAX);
    fair.setBack();
  }

  /** Throws where the books do not agree with what is known of the jobs. */
  void checkInvariants(long phases, long fairWeight) {
    waiting.checkInvariants();
    fair.checkInvariants(fairWeight);
    if (phases != open.size()) {
      throw new IllegalStateException(phases + " phases have a date; the books say " + open.size());
    }
    if (first != null && !first.isPlanned()) {
      throw new IllegalStateException(first + " is to go first and has no date");
    }
  }

  /** Whether a job is where it believes to be. */
  @SuppressWarnings("ReferenceEquality") // This very job.
  boolean isAtItsPlace(PhaseQueue queue) {
    return !queue.isPlanned() || open.get(queue.openIndex) == queue;
  }
}
