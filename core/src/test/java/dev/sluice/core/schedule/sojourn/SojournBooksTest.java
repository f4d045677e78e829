package dev.sluice.core.schedule.sojourn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.core.model.Flow;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Operation;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.schedule.Request;
import dev.sluice.core.schedule.ShareTree;
import dev.sluice.core.schedule.Shares;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Who is charged what, who is remembered and who is forgotten, and what groups make of it. */
class SojournBooksTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long PER_SECOND = 1_000;

  /** Where jobs hang; those that are not here are under the root. */
  private final Map<String, List<String>> hangs = new HashMap<>();

  private final ShareTree tree =
      new ShareTree(flow -> hangs.getOrDefault(flow.job().toString(), List.of()), Map.of());

  /** What a job's requests really cost, where that is not what they are taken for. */
  private final Map<String, Long> costs = new HashMap<>();

  private SojournScheduler scheduler = on(ShareTree.flat());
  private long nowNanos = 1_000 * SECOND;

  private static SojournScheduler on(ShareTree tree) {
    return new SojournScheduler(new Target("t", PER_SECOND, TokenUnit.OPERATIONS), tree);
  }

  private static Flow flow(String job) {
    return Flow.of(JobId.of(job), "t");
  }

  private void send(String job, int requests) {
    send(job, requests, 1);
  }

  private void send(String job, int requests, long price) {
    for (int i = 0; i < requests; i++) {
      scheduler.enqueue(new Request(flow(job), Operation.GETATTR, price, 0), nowNanos);
    }
  }

  /** Names these jobs, by what they weigh and what is told of their phases. */
  private void reconfigure(Map<String, Long> weights, Map<String, Long> told) {
    Map<String, Long> sorted = new TreeMap<>(weights);
    JobId[] jobs = sorted.keySet().stream().map(JobId::of).toArray(JobId[]::new);
    long[] unlimited = new long[jobs.length];
    Arrays.fill(unlimited, Shares.UNLIMITED);
    scheduler.reconfigure(
        Shares.ofColumns(
                jobs,
                unlimited,
                sorted.values().stream().mapToLong(Long::longValue).toArray(),
                SECOND)
            .withPhases(
                sorted.keySet().stream().mapToLong(job -> told.getOrDefault(job, 0L)).toArray()),
        nowNanos);
  }

  private Request next() {
    Request request = (Request) scheduler.next(nowNanos);
    nowNanos += SECOND / PER_SECOND * request.operations();
    return request;
  }

  private void complete(Request request) {
    scheduler.complete(
        request, costs.getOrDefault(request.job().toString(), request.operations()), 0, nowNanos);
    scheduler.checkInvariants(nowNanos);
  }

  /** Serves so many requests; how many of them were each job's. */
  private Map<String, Integer> serve(int requests) {
    Map<String, Integer> served = new HashMap<>();
    for (int i = 0; i < requests; i++) {
      Request request = next();
      served.merge(request.job().toString(), 1, Integer::sum);
      complete(request);
    }
    return served;
  }

  // ---- Side by side ----

  @Test
  void aPhaseOfKnownSizeSharesWithWhoseSizeNobodyKnows() {
    reconfigure(Map.of("known", 1L, "unknown", 1L), Map.of("known", 1_000L));
    send("unknown", 2_000);
    send("known", 1_000);
    assertThat(serve(1)).as("at the same place in virtual time").containsOnlyKeys("known");
    assertThat(serve(999).get("known")).isBetween(499, 500);
  }

  @Test
  void whoComesBackIsAheadByWhatIsRememberedOfAllTogether() {
    send("back", 5);
    send("always", 20_000);
    serve(10_000);
    send("back", 5_000);
    // Two seconds of the target, divided by two.
    assertThat(serve(900)).containsOnlyKeys("back");
    assertThat(serve(2_100).get("back")).isBetween(1_090, 1_110);
  }

  @Test
  void aKnownPhaseThatComesBackIsAheadJustSo() {
    reconfigure(Map.of("back", 1L, "always", 1L), Map.of("back", 900L));
    send("always", 20_000);
    serve(10_000);
    send("back", 900);
    // An eighth of a thousand at once, and then five for every four of the other.
    assertThat(serve(150)).containsOnlyKeys("back");
    assertThat(serve(900).get("back")).isBetween(500, 510);
  }

  /** Who goes on and on after a small phase of known size is ahead by no more than that again. */
  @Test
  void whatIsMoreThanWasExpectedIsAheadByNoMoreThanAsMuchAgain() {
    reconfigure(Map.of("back", 1L, "always", 1L), Map.of("back", 50L));
    send("back", 5);
    send("always", 20_000);
    serve(10_000);
    send("back", 5_000);
    assertThat(serve(95)).containsOnlyKeys("back");
    assertThat(serve(1_000).get("back")).isBetween(500, 510);
  }

  /**
   * A second's phase takes four and is late by three; the next begins ten seconds after it, with a
   * small one in between, and takes two. So of a second and a half that count of the first, and the
   * one of the next, each second of ten and a half has its part.
   */
  @Test
  void howLateAPhaseWasIsNotedWhenTheNextBegins() {
    reconfigure(Map.of("late", 1L, "other", 3L), Map.of());
    send("late", 1_000);
    send("other", 20_000);
    serve(8_000);
    send("late", 5);
    serve(2_000);
    reconfigure(Map.of("late", 1L, "other", 1L), Map.of());
    send("late", 1_000);
    serve(1);
    assertThat(scheduler.leastStretch()).isCloseTo(2.5 / 10.5, within(0.005));
  }

  /** Where no phase had a date for long, who had its share meanwhile owes nothing for it. */
  @Test
  void whoSharedBeforeItsPhasesWereKnownOwesNothingForThat() {
    send("always", 60_000);
    send("now", 5_000);
    serve(10_200);
    send("now", 6_000);
    assertThat(scheduler.planned()).isEqualTo(1);
    assertThat(serve(10_000).get("now")).as("as many as last time").isBetween(4_900, 5_300);
    serve(300);
    assertThat(scheduler.planned()).as("it is larger than last time").isZero();
    assertThat(serve(1_000).get("now")).isBetween(490, 510);
  }

  /** What is remembered is divided among those who are there, and not among those who were. */
  @Test
  void whoIsForgottenWeighsNothing() {
    for (int i = 0; i < 98; i++) {
      send("gone" + i, 1);
    }
    send("back", 5);
    serve(103);
    reconfigure(Map.of("back", 1L, "always", 1L), Map.of());
    send("always", 20_000);
    serve(10_000);
    send("back", 5_000);
    assertThat(serve(900)).containsOnlyKeys("back");
  }

  // ---- What is charged ----

  @Test
  void whatRequestsReallyCostIsCharged() {
    send("dear", 2_000, 2);
    send("cheap", 2_000, 2);
    costs.put("dear", 6L);
    assertThat(serve(400).get("dear")).isBetween(98, 102);
    costs.put("dear", 1L);
    assertThat(serve(300).get("dear")).isBetween(195, 205);
  }

  @Test
  void whatRequestsOfAKnownPhaseReallyCostIsChargedToo() {
    reconfigure(Map.of("dear", 1L, "cheap", 1L), Map.of("dear", 10_000L));
    send("dear", 2_000);
    send("cheap", 2_000);
    costs.put("dear", 3L);
    assertThat(serve(400).get("dear")).isBetween(98, 102);
  }

  @Test
  void whatARequestCostIsNeverLessThanNothing() {
    send("a", 1);
    Request served = next();
    assertThatThrownBy(() -> scheduler.complete(served, -1, 0, nowNanos))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** By how many tokens a phase of one request is late beside another does not stretch it. */
  @Test
  void aRequestIsNotCutToPieces() {
    reconfigure(Map.of("a", 1L, "b", 1L), Map.of("a", 100L, "b", 100L));
    send("a", 1, 100);
    send("b", 1, 100);
    next();
    assertThat(scheduler.leastStretch()).isZero();
  }

  @Test
  void whoSharesTakesFromThoseOfKnownSize() {
    reconfigure(Map.of("a", 1L, "shares", 1L), Map.of("a", 500L));
    send("a", 500);
    send("shares", 500);
    next();
    // It takes a second in place of half a one, and ten times that is taken for its cycle.
    assertThat(scheduler.leastStretch()).isCloseTo(0.1, within(0.001));
  }

  // ---- Weights ----

  @Test
  void anotherWeightHoldsAtOnce() {
    send("a", 4_000);
    send("b", 4_000);
    assertThat(serve(1_000).get("a")).isBetween(495, 505);
    reconfigure(Map.of("a", 3L, "b", 1L), Map.of());
    assertThat(serve(1_000).get("a")).isBetween(745, 755);
  }

  @Test
  void whoOwesTokensOwesAsManyAtAnotherWeight() {
    send("owes", 2, 1_000);
    send("other", 2_000);
    Request large = next();
    assertThat(large.job()).hasToString("owes");
    complete(large);
    reconfigure(Map.of("owes", 10L, "other", 1L), Map.of());
    int before = 0;
    for (Request request = next(); request.job().toString().equals("other"); request = next()) {
      complete(request);
      before++;
    }
    assertThat(before).isBetween(95, 105);
  }

  // ---- Groups ----

  private void twoGroups() {
    hangs.put("a", List.of("x"));
    hangs.put("b", List.of("x"));
    hangs.put("c", List.of("y"));
    for (String job : List.of("a", "b", "c")) {
      send(job, 5_000);
    }
  }

  @Test
  void whoWaitsMeanwhileIsGroupedAnewAndMoved() {
    twoGroups();
    send("free", 5_000);
    assertThat(serve(1_000).get("c")).isBetween(245, 255);
    scheduler.regroup(tree, nowNanos);
    assertThat(serve(1_200).get("c")).as("a third beside x and a job alone").isBetween(390, 410);
    hangs.put("b", List.of("y"));
    scheduler.place(flow("b"), nowNanos);
    assertThat(serve(1_200).get("a")).isBetween(390, 410);
    scheduler.place(flow("nobody"), nowNanos);
    scheduler.checkInvariants(nowNanos);
  }

  @Test
  void whoIsPlacedFirstMakesATreeOfIt() {
    scheduler = on(tree);
    for (String job : List.of("a", "b", "c")) {
      send(job, 5_000);
    }
    assertThat(serve(900).get("c")).isBetween(295, 305);
    for (String job : List.of("a", "b")) {
      hangs.put(job, List.of("x"));
      scheduler.place(flow(job), nowNanos);
    }
    assertThat(serve(1_000).get("c")).isBetween(490, 510);
  }

  @Test
  void whereJobsAreGroupedTheirWeightsCountInTheirGroups() {
    scheduler = on(tree);
    twoGroups();
    reconfigure(Map.of("a", 3L, "b", 1L, "c", 1L), Map.of());
    Map<String, Integer> served = serve(2_000);
    assertThat(served.get("a")).isBetween(740, 760);
    assertThat(served.get("c")).isBetween(990, 1_010);
  }

  /** Weights over a tree hold for ten microseconds for each job. */
  @Test
  void whatGroupsWeighHoldsForAWhile() {
    scheduler = on(tree);
    twoGroups();
    long weighedNanos = nowNanos;
    serveAt(1, weighedNanos);
    hangs.put("b", List.of("y"));
    scheduler.place(flow("b"), weighedNanos);
    assertThat(serveAt(1_000, weighedNanos + 29_999).get("a")).isBetween(245, 255);
    assertThat(serveAt(1_000, weighedNanos + 30_000).get("a")).isBetween(495, 505);
  }

  /** Serves so many requests in no time. */
  private Map<String, Integer> serveAt(int requests, long atNanos) {
    Map<String, Integer> served = new HashMap<>();
    for (int i = 0; i < requests; i++) {
      Request request = (Request) scheduler.next(atNanos);
      served.merge(request.job().toString(), 1, Integer::sum);
      scheduler.complete(request, 1, 0, atNanos);
    }
    return served;
  }

  // ---- Who is forgotten, and who takes turns ----

  @Test
  void whoHasADateIsNotForgotten() {
    reconfigure(Map.of("early", 1L, "other", 1L), Map.of("early", 100L, "other", 1_000L));
    send("early", 50);
    send("other", 1_000);
    assertThat(serve(50)).containsOnlyKeys("early");
    scheduler.reconfigure(Shares.NONE, nowNanos);
    scheduler.checkInvariants(nowNanos);
    assertThat(scheduler.planned()).as("half of its phase is still to come").isEqualTo(2);
    send("early", 50);
    assertThat(serve(50)).containsOnlyKeys("early");
    scheduler.reconfigure(Shares.NONE, nowNanos);
    assertThat(scheduler.planned()).isEqualTo(1);
    scheduler.checkInvariants(nowNanos);
  }

  /** All but one of those that are many, each of which moves much. */
  private void nearlyManyMoveMuch() {
    for (int i = 1; i < LongPhases.MANY; i++) {
      send("job" + i, 1_100);
    }
    serve((LongPhases.MANY - 1) * 1_100 - 4);
  }

  @Test
  void whoIsForgottenIsNotOneOfMany() {
    nearlyManyMoveMuch();
    // What is handed out to them last is never done.
    for (int i = 1; i < LongPhases.MANY; i++) {
      next();
    }
    scheduler.reconfigure(Shares.NONE, nowNanos);
    send("new", 3_000);
    serve(2_000);
    assertThat(scheduler.planned()).isZero();
  }

  @Test
  void whoseFirstPhaseIsOverIsNotOneOfMany() {
    nearlyManyMoveMuch();
    serve(4);
    nowNanos += SECOND;
    for (int i = 1; i < LongPhases.MANY; i++) {
      send("job" + i, 5_000);
    }
    send("new", 5_000);
    assertThat(serve(9_000).get("new")).isGreaterThan(1_500);
    assertThat(scheduler.planned()).isZero();
  }

  /**
   * Of those that take turns it is learnt what they come to: who is longer does not hold them up.
   */
  @Test
  void whoIsMuchLongerThanOthersThatTookTurnsGoesOnByWeight() {
    send("endless", 40_000);
    for (int i = 0; i < LongPhases.MANY; i++) {
      send("job" + i, 3_000);
    }
    serve(8_000);
    assertThat(scheduler.planned()).isPositive();
    serve(25_000);
    assertThat(scheduler.planned()).isZero();
  }

  // ---- Virtual time ----

  /** Requests of a gibibyte: virtual time would overflow after eight thousand of each job. */
  @Test
  void virtualTimeIsSetBackAndEverybodyIsServedAsBefore() {
    long large = Request.COST_MAX;
    scheduler =
        new SojournScheduler(new Target("t", large, TokenUnit.OPERATIONS), ShareTree.flat());
    reconfigure(Map.of("a", 1L, "b", 1L, "known", 1L), Map.of("known", PlannedPhases.TOKENS_MAX));
    send("a", 3, large);
    send("b", 3, large);
    for (int window = 0; window < 90; window++) {
      if (window == 1) {
        send("known", 1_024, large);
      }
      Map<String, Integer> served = new HashMap<>();
      for (int i = 0; i < 300; i++) {
        Request request = (Request) scheduler.next(nowNanos);
        String job = request.job().toString();
        served.merge(job, 1, Integer::sum);
        scheduler.complete(request, large, 0, nowNanos);
        if (!job.equals("known")) {
          send(job, 1, large);
        }
      }
      scheduler.checkInvariants(nowNanos);
      if (window >= 1 && window <= 10) {
        assertThat(served.get("known")).as("window %s", window).isBetween(98, 102);
      } else if (window > 12) {
        assertThat(served.get("a")).as("window %s", window).isBetween(148, 152);
      }
    }
  }
}
