package dev.sluice.core.schedule.sojourn;

import dev.sluice.core.model.Flow;
import dev.sluice.core.schedule.IndexedHeap;
import dev.sluice.core.schedule.JobQueue;
import dev.sluice.core.schedule.RequestQueue;
import dev.sluice.core.schedule.anticipation.Absence;
import dev.sluice.core.schedule.anticipation.ReturningJob;
import dev.sluice.core.schedule.terms.Terms;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One job's requests, in the order in which they came, and the phase of I/O that it is in. */
final class PhaseQueue extends JobQueue implements ReturningJob<PhaseQueue> {
  /** Who has had nothing queued and nothing in service for longer is between two phases. */
  static final long PAUSE_NANOS = 100_000_000L;

  private static final long LONG_REQUESTS = 64;
  private static final long LONG_WITHIN_NANOS = 120_000_000_000L;

  /** Who is at rest for more than this part of a phase sends now and then. */
  private static final long RESTS_PARTS = 4;

  private static final int NOT_OPEN = -1;

  /** By what the tree of shares knows where it hangs. */
  Flow flow;

  /** The groups that it hangs in, from the root down; empty where it hangs in none. */
  List<String> path = List.of();

  /** What it weighs in its group, or beside all others where it is in none. */
  long ownWeight;

  /** What it weighs beside all others. */
  long weight;

  @Nullable Terms<PhaseQueue> terms;

  /** When it comes back from having nothing queued; null where nobody asks. */
  @Nullable Absence<PhaseQueue> absence;

  /** How large its phases are, as somebody told; 0 where nobody did. */
  long toldTokens;

  /** Up to where of the virtual time it was served, or will be by its fair date. */
  long tag;

  /** How it goes on in virtual time while it shares. */
  final VirtualSteps steps = new VirtualSteps();

  final PastPhases past = new PastPhases();

  /** Its place among those that fair sharing is not done with. */
  final FairDate fairDate = new FairDate(this);

  /** After how many tokens of all phases of known size, from now, it has to be done. */
  double fairTokens;

  /** After how many in all it is late, once fair sharing is done with it. */
  long lateAfterTokens;

  /** Its place among the phases of known size that are not over; negative where it is not there. */
  int openIndex = NOT_OPEN;

  /** What the phase was expected to come to when it began. */
  long expectedTokens;

  /**
   * What the phase comes to if it turns out not to be a small one like the last; 0 where that is
   * known, or nothing is expected.
   */
  long expectedIfNotSmallTokens;

  /** What all phases of known size may have been served by the time that it is done. */
  long deadlineTokens;

  /** Whether {@link LongPhases} counts it. */
  boolean isAmongLong;

  /** What was told of its phases when this one began. */
  private long toldAtBeginTokens;

  private boolean begun;
  private boolean guessed;
  private long servedRequests;

  /** For how long it had nothing queued and nothing in service in this phase so far. */
  private long restNanos;

  private long beganNanos;
  private long servedTokens;
  private long queuedTokens;
  private long outstanding;
  private long restsSinceNanos;

  /** Orders the phases by when fair sharing would be done with them. */
  static final class FairDate extends IndexedHeap.Entry {
    final PhaseQueue queue;

    /** The date, in virtual time. */
    long tag;

    private FairDate(PhaseQueue queue) {
      this.queue = queue;
    }
  }

  PhaseQueue(Flow flow, long tag) {
    super(flow.job());
    this.flow = flow;
    this.tag = tag;
  }

  @Override
  public RequestQueue queue() {
    return this;
  }

  @Override
  public @Nullable Terms<PhaseQueue> terms() {
    return terms;
  }

  @Override
  public void setTerms(@Nullable Terms<PhaseQueue> terms) {
    this.terms = terms;
  }

  @Override
  public @Nullable Absence<PhaseQueue> absence() {
    return absence;
  }

  @Override
  public void setAbsence(Absence<PhaseQueue> absence) {
    this.absence = absence;
  }

  /** Whether its phase is one of known size, so that it has a date. */
  boolean isPlanned() {
    return openIndex != NOT_OPEN;
  }

  void setNotPlanned() {
    openIndex = NOT_OPEN;
  }

  /** Whether it is in no phase. */
  boolean isBetweenPhases(long nowNanos) {
    return !begun || (isAtRest() && nowNanos - restsSinceNanos > PAUSE_NANOS);
  }

  /** Whether it has something queued, or is in a phase. */
  boolean isBusy(long nowNanos) {
    return !isEmpty() || !isBetweenPhases(nowNanos);
  }

  private boolean isAtRest() {
    return isEmpty() && outstanding == 0;
  }

  /**
   * A phase begins; what the one before came to is remembered, unless that was small.
   *
   * @param afterSmall whether it was
   */
  void begin(boolean afterSmall, long nowNanos) {
    if (afterSmall) {
      past.goesOnPausing(nowNanos - beganNanos);
    } else if (begun) {
      boolean bulk = restNanos <= tookNanos() / RESTS_PARTS;
      past.note(servedTokens, toldAtBeginTokens, nowNanos - restsSinceNanos, bulk);
    }
    begun = true;
    toldAtBeginTokens = toldTokens;
    beganNanos = nowNanos;
    servedTokens = 0;
    servedRequests = 0;
    restNanos = 0;
    guessed = false;
    expectedIfNotSmallTokens = 0;
  }

  /** Whether it is, or was, in a phase. */
  boolean hasBegun() {
    return begun;
  }

  long beganNanos() {
    return beganNanos;
  }

  /** From when its phase began to when it was last served something. */
  private long tookNanos() {
    return restsSinceNanos - beganNanos;
  }

  /** For how long of its phase, until it was last served something, it wanted something. */
  long busyNanos() {
    return tookNanos() - restNanos;
  }

  /** A request of this price comes; to be told before it is queued. */
  void arrives(long price, long nowNanos) {
    if (isAtRest() && servedRequests > 0) {
      restNanos += nowNanos - restsSinceNanos;
    }
    queuedTokens += price;
  }

  void withdrawn(long price) {
    queuedTokens -= price;
  }

  void handedOut(long price, long nowNanos) {
    queuedTokens -= price;
    servedTokens += price;
    servedRequests++;
    outstanding++;
    restsSinceNanos = nowNanos;
  }

  /** A request that was handed out is done, and cost so much more than it was taken for. */
  void completed(long differenceTokens, long nowNanos) {
    outstanding = Math.max(0, outstanding - 1);
    restsSinceNanos = nowNanos;
    servedTokens = Math.max(0, servedTokens + differenceTokens);
  }

  /** What came of its phase so far. */
  long cameTokens() {
    return servedTokens + queuedTokens;
  }

  /** What is left of a phase of known size; at least what is queued. */
  long restTokens() {
    return Math.max(expectedTokens - servedTokens, queuedTokens);
  }

  /**
   * Whether its phase, the first that was seen of the job, has had so much, and that soon: never so
   * of a phase of few requests, which says nothing of what is to come, nor once its size was
   * guessed.
   */
  boolean isLongOfUnknownSize(long tokens, long nowNanos) {
    return servedTokens >= tokens
        && servedRequests >= LONG_REQUESTS
        && nowNanos - beganNanos <= LONG_WITHIN_NANOS
        && past.isEmpty()
        && !guessed;
  }

  /** The size of its phase is guessed from now on. */
  void setGuessed() {
    guessed = true;
  }

  /** Whether the size of its phase is no more than a guess. */
  boolean isGuessed() {
    return guessed;
  }

  /** Whether it has had all that it was expected to want. */
  boolean isServed() {
    return servedTokens >= expectedTokens;
  }

  long servedTokens() {
    return servedTokens;
  }

  long queuedTokens() {
    return queuedTokens;
  }
}
