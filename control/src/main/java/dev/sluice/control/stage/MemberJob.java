package dev.sluice.control.stage;

import dev.sluice.core.model.Rate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A job as far as one member has to do with it. Not thread-safe. */
final class MemberJob {
  /** Waiting for a twentieth of the time is more than the odd token that came late. */
  private static final long PRESSED_PARTS = 20;

  private static final long MICROS_PER_SECOND = 1_000_000;

  private final StageMember member;
  private final StageJob job;
  private final int number;
  private final OperationFigures lately = new OperationFigures();
  private final Rates rates = new Rates();
  private Claim claim;

  /** Whose it is, as far as that is believed. */
  private String user;

  /** How many nodes of it are believed. */
  private long nodes;

  /** Where it is not counted, and why. */
  private Map<String, String> refused = Map.of();

  private Map<String, String> refusedTold = Map.of();
  private boolean awaitsTelling;

  /**
   * What a member says of a job.
   *
   * @param nodes how many there are
   * @param places which they are, and whose each says that it is; empty where the member does not
   *     say
   */
  record Claim(String user, long processes, long nodes, List<Place> places) {
    Claim {
      places = List.copyOf(places);
    }
  }

  /** A node that says that it has the job. */
  record Place(String node, String user) {}

  MemberJob(StageMember member, StageJob job, int number, Claim claim) {
    this.member = member;
    this.job = job;
    this.number = number;
    this.claim = claim;
    this.user = claim.user;
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

  /** Whose it is. */
  String user() {
    return user;
  }

  long processes() {
    return claim.processes;
  }

  long nodes() {
    return nodes;
  }

  /** On how many nodes it is said to be. */
  long claimedNodes() {
    return claim.nodes;
  }

  /** Where it is said to be, and whose each node says that it is. */
  List<Place> places() {
    return claim.places;
  }

  void claim(Claim now) {
    claim = now;
  }

  /** Whether any of it counts. Where nothing does, it may do what newcomers may. */
  boolean isCounted() {
    return nodes > 0;
  }

  /** Where it is not counted, and why. */
  Map<String, String> refused() {
    return refused;
  }

  /**
   * Looks at what the member says; whether something else is believed than before.
   *
   * @param whole why nothing of it counts, whatever the check says; null where something may
   */
  boolean judge(JobCheck check, @Nullable String whole) {
    Map<String, String> not = new LinkedHashMap<>();
    long counted = 0;
    String whose = null;
    for (Place place : claim.places) {
      String reason = whole;
      if (reason == null && !member.speaksFor(place.node)) {
        reason = place.node + " is not one of the nodes of " + member.name();
      }
      if (reason == null) {
        switch (check.look(job.id(), place.user, place.node)) {
          case JobCheck.Verdict.Refused(var why) -> reason = why;
          case JobCheck.Verdict.Believed(var known) -> {
            counted++;
            // As the member says, where that is believed of any node.
            whose = whose == null || known.equals(claim.user) ? known : whose;
          }
        }
      }
      if (reason != null) {
        not.put(place.node, reason);
      }
    }
    if (claim.places.isEmpty()) {
      // Only its numbers are known, and these are bounded.
      counted = whole == null ? claim.nodes : 0;
      if (whole != null) {
        not.put(member.name(), whole);
      }
    }
    String believed = whose == null ? claim.user : whose;
    boolean changed = counted != nodes || !believed.equals(user);
    nodes = counted;
    user = believed;
    refused = not;
    if (!refused.equals(refusedTold)) {
      awaitTelling();
    }
    return changed;
  }

  /** Whether what is refused was not told yet; from now on it is. */
  boolean takeRefusedUntold() {
    boolean untold = !refused.equals(refusedTold);
    refusedTold = refused;
    return untold;
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

  /** Whether it would have done more, had it been let, or may have. */
  boolean isPressed(RateKey key) {
    if (hasWaited(key)) {
      return true;
    }
    // Who waits for the very first call has not waited yet, as far as is counted; but a node that
    // uses up its part is at its limit.
    long part = rates.wanted(key.number());
    return part > 0 && usagePerSecond(key) >= part - part / PRESSED_PARTS;
  }

  private boolean hasWaited(RateKey key) {
    return lately.waitedMicros(key) * PRESSED_PARTS >= member.elapsedMicros();
  }

  /**
   * What it claims among the nodes of the job. Who uses up its part and has not waited may just
   * have as much as it wants: it may grow, but not at once to an even share that another node of
   * the job lacks.
   */
  RateSplit.NodeClaim claim(RateKey key) {
    return new RateSplit.NodeClaim(usagePerSecond(key), hasWaited(key), nodes);
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
