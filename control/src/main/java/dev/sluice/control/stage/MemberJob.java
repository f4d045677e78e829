package dev.sluice.control.stage;

import dev.sluice.core.model.Rate;

/** A job as far as one member has to do with it. Not thread-safe. */
final class MemberJob {
  /** Waiting for a twentieth of the time is more than the odd token that came late. */
  private static final long PRESSED_PARTS = 20;

  private static final long MICROS_PER_SECOND = 1_000_000;

  private final StageMember member;
  private final StageJob job;
  private final int number;
  private final String user;
  private final OperationFigures lately = new OperationFigures();
  private final Rates rates = new Rates();
  private long processes;
  private long nodes;
  private boolean awaitsTelling;

  MemberJob(StageMember member, StageJob job, int number, String user, long processes, long nodes) {
    this.member = member;
    this.job = job;
    this.number = number;
    this.user = user;
    this.processes = processes;
    this.nodes = nodes;
  }

  StageJob job() {
    return job;
  }

  StageMember member() {
    return member;
  }

  /** What the member calls it. */
  int number() {
    return number;
  }

  /** Whose the member says that it is. */
  String user() {
    return user;
  }

  long processes() {
    return processes;
  }

  long nodes() {
    return nodes;
  }

  void resize(long newProcesses, long newNodes) {
    processes = newProcesses;
    nodes = newNodes;
  }

  /** What the last reports said that belong together. */
  OperationFigures lately() {
    return lately;
  }

  /**
   * What was done here lately. Who says that it was more than it was let do is believed no more
   * than that: a little was saved up, or the limit does not hold, or it is a lie, and none of them
   * is a reason to let it have more than others.
   */
  long usagePerSecond(RateKey key) {
    long used = lately.used(key);
    if (used == 0) {
      return 0;
    }
    double perSecond = (double) used * MICROS_PER_SECOND / member.elapsedMicros();
    long limit = rates.wanted(key.number());
    // Of whom nothing was decided yet, more than of a newcomer is not believed either.
    long allowed = limit == Rates.NONE ? member.newcomersPerSecond(key) : limit;
    long most = allowed == Rates.NONE ? Rate.TOKENS_PER_SECOND_MAX : allowed;
    return (long) Math.min(perSecond, (double) most);
  }

  /** Whether it would have done more, had it been let. */
  boolean isPressed(RateKey key) {
    if (lately.waitedMicros(key) * PRESSED_PARTS >= member.elapsedMicros()) {
      return true;
    }
    // Who waits for the very first call has not waited yet, as far as is counted; but a node that
    // uses up its part is at its limit.
    long part = rates.wanted(key.number());
    return part > 0 && usagePerSecond(key) >= part - part / PRESSED_PARTS;
  }

  RateSplit.NodeClaim claim(RateKey key) {
    return new RateSplit.NodeClaim(usagePerSecond(key), isPressed(key), nodes);
  }

  void want(RateKey key, long perSecond) {
    if (rates.want(key.number(), perSecond)) {
      awaitTelling();
    }
  }

  void wantOnly(long[] numberBits) {
    if (rates.keepOnly(numberBits)) {
      awaitTelling();
    }
  }

  private void awaitTelling() {
    if (!awaitsTelling) {
      awaitsTelling = true;
      member.awaitsTelling(this);
    }
  }

  long wanted(RateKey key) {
    return rates.wanted(key.number());
  }

  /** What must be told, in pairs; from now on it is told. */
  Rates toBeTold() {
    awaitsTelling = false;
    return rates;
  }
}
