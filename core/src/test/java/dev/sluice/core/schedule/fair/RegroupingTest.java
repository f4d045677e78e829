package dev.sluice.core.schedule.fair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.sluice.core.model.ClientAddress;
import dev.sluice.core.model.Flow;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Operation;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.schedule.Dispatch;
import dev.sluice.core.schedule.Request;
import dev.sluice.core.schedule.ShareTree;
import dev.sluice.core.schedule.Shares;
import dev.sluice.testkit.EnduranceScale;
import dev.sluice.testkit.SeededCases;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** What happens to jobs and their requests when the tree of shares becomes another. */
class RegroupingTest {
  /**
   * Nothing is dropped, each job's requests keep their order, and from each regrouping on
   *
   * <pre>|W1/w1 - W2/w2| &lt;= p1/w1 + p2/w2</pre>
   *
   * <p>for members of one group of the tree of then, whatever came before.
   */
  @Test
  void theBoundHoldsFromEachRegroupingOnAndNothingIsDropped() {
    SeededCases.forAll(EnduranceScale.of(2_000, 8_000), random -> new World(random).run());
  }

  @Test
  void aUserWithManyJobsHasOneShareAsSoonAsSharesAreByUser() {
    FairScheduler scheduler = new FairScheduler(TokenUnit.BYTES, ShareTree.flat());
    for (int job = 0; job < 101; job++) {
      scheduler.enqueue(request(job, job < 100 ? "many" : "one"), 0);
      scheduler.enqueue(request(job, job < 100 ? "many" : "one"), 0);
    }
    assertThat(servedOfOne(scheduler, 1_010)).isEqualTo(10);
    scheduler.regroup(ShareTree.byUser(), 0);
    assertThat(servedOfOne(scheduler, 1_000)).isBetween(499, 501);
    scheduler.regroup(ShareTree.flat(), 0);
    assertThat(servedOfOne(scheduler, 1_010)).isBetween(9, 11);
  }

  /** Of so many requests in turn, those of job 100; each comes back at once. */
  private static int servedOfOne(FairScheduler scheduler, int count) {
    int served = 0;
    for (int i = 0; i < count; i++) {
      Request request = ready(scheduler);
      served += jobNumber(request.job()) == 100 ? 1 : 0;
      scheduler.enqueue(request, 0);
      scheduler.checkInvariants(0);
    }
    return served;
  }

  /** Without what it owes it would be first in each group that it comes to. */
  @Test
  void aJobThatIsMovedAfterEachRequestGainsNothing() {
    Map<Integer, String> groups = new HashMap<>(Map.of(0, "a", 1, "a", 2, "b"));
    ShareTree tree = byNumber(groups);
    FairScheduler scheduler = new FairScheduler(TokenUnit.BYTES, tree);
    int[] served = new int[3];
    for (int job = 0; job < 3; job++) {
      scheduler.enqueue(request(job, ""), 0);
      scheduler.enqueue(request(job, ""), 0);
    }
    for (int i = 0; i < 4_000; i++) {
      Request request = ready(scheduler);
      int job = jobNumber(request.job());
      served[job]++;
      scheduler.enqueue(request, 0);
      if (job == 0) {
        groups.merge(0, "b", (before, _) -> before.equals("a") ? "b" : "a");
        scheduler.place(request.flow(), 0);
      }
      scheduler.checkInvariants(0);
    }
    // Half of one half wherever it is, and the two others share the rest.
    assertThat(served[0]).isLessThanOrEqualTo(1_340);
    assertThat(served[1]).isGreaterThanOrEqualTo(1_320);
    assertThat(served[2]).isGreaterThanOrEqualTo(1_320);
  }

  /** Nor one that is alone wherever it comes: a group that is entered owes what the job does. */
  @Test
  void aJobThatIsMovedFromOneEmptyGroupToAnotherGainsNothing() {
    Map<Integer, String> groups = new HashMap<>(Map.of(0, "a", 1, "c"));
    FairScheduler scheduler = new FairScheduler(TokenUnit.BYTES, byNumber(groups));
    int[] served = new int[2];
    for (int job = 0; job < 2; job++) {
      scheduler.enqueue(request(job, ""), 0);
      scheduler.enqueue(request(job, ""), 0);
    }
    for (int i = 0; i < 1_000; i++) {
      Request request = ready(scheduler);
      int job = jobNumber(request.job());
      served[job]++;
      scheduler.enqueue(request, 0);
      if (job == 0) {
        groups.put(0, "group" + i);
        scheduler.place(request.flow(), 0);
      }
    }
    assertThat(served[0]).isBetween(499, 501);
  }

  /** The group that both are in has had nothing more by that. */
  @Test
  void aJobThatIsMovedWithinAGroupDoesNotChargeIt() {
    Map<Integer, List<String>> paths =
        new HashMap<>(Map.of(0, List.of("g", "x"), 1, List.of("other")));
    ShareTree tree =
        new ShareTree(flow -> paths.getOrDefault(jobNumber(flow.job()), List.of()), Map.of());
    FairScheduler scheduler = new FairScheduler(TokenUnit.BYTES, tree);
    for (int i = 0; i < 2; i++) {
      scheduler.enqueue(new Request(flow(0, ""), Operation.READ, 1, 100), 0);
    }
    for (int i = 0; i < 40; i++) {
      scheduler.enqueue(new Request(flow(1, ""), Operation.READ, 1, 10), 0);
    }
    assertThat(jobNumber(ready(scheduler).job())).isZero();
    for (int i = 0; i < 9; i++) {
      assertThat(jobNumber(ready(scheduler).job())).isEqualTo(1);
    }
    paths.put(0, List.of("g", "y"));
    scheduler.place(flow(0, ""), 0);
    scheduler.checkInvariants(0);
    assertThat(jobNumber(ready(scheduler).job())).isEqualTo(1);
    assertThat(jobNumber(ready(scheduler).job())).isZero();
  }

  @Test
  void aJobOfWhichMoreIsKnownIsPlacedAnewWithWhatItHasQueued() {
    FairScheduler scheduler = new FairScheduler(TokenUnit.BYTES, ShareTree.byUser());
    for (int i = 0; i < 400; i++) {
      scheduler.enqueue(request(0, "alice"), 0);
      scheduler.enqueue(request(1, "1001"), 0);
      scheduler.enqueue(request(2, "bob"), 0);
    }
    assertThat(served(scheduler, 300)).containsExactly(100, 100, 100);
    scheduler.place(flow(1, "alice"), 0);
    scheduler.checkInvariants(0);
    int[] served = served(scheduler, 400);
    assertThat(served[0]).isBetween(99, 101);
    assertThat(served[1]).isBetween(99, 101);
    assertThat(served[2]).isBetween(199, 201);
  }

  @Test
  void aJobThatNobodyKnowsIsPlacedWhenItComes() {
    FairScheduler scheduler = new FairScheduler(TokenUnit.BYTES, ShareTree.byUser());
    scheduler.place(flow(7, "alice"), 0);
    assertThat(scheduler.remembered()).isZero();
  }

  @Test
  void anotherWeightOfAGroupCountsAtOnce() {
    Function<Flow, List<String>> byUser = flow -> List.of(flow.user());
    FairScheduler scheduler = new FairScheduler(TokenUnit.BYTES, new ShareTree(byUser, Map.of()));
    for (int i = 0; i < 2_000; i++) {
      scheduler.enqueue(request(0, "alice"), 0);
      scheduler.enqueue(request(1, "bob"), 0);
    }
    assertThat(served(scheduler, 100)[0]).isEqualTo(50);
    scheduler.regroup(new ShareTree(byUser, Map.of(List.of("alice"), 3L)), 0);
    assertThat(served(scheduler, 400)[0]).isBetween(299, 301);
    scheduler.regroup(new ShareTree(byUser, Map.of(List.of("bob"), 1_000L)), 0);
    assertThat(served(scheduler, 1_001)[0]).isBetween(0, 2);
  }

  @Test
  void groupsThatAreLeftAreForgotten() {
    FairScheduler scheduler = new FairScheduler(TokenUnit.BYTES, ShareTree.byUser());
    for (int round = 0; round < 200; round++) {
      String prefix = "round" + round;
      scheduler.regroup(new ShareTree(flow -> List.of(prefix + flow.user(), "x"), Map.of()), 0);
      for (int job = 0; job < 10; job++) {
        scheduler.enqueue(request(job, "user" + job), 0);
      }
      for (int i = 0; i < 10; i++) {
        ready(scheduler);
      }
      scheduler.checkInvariants(0);
      assertThat(scheduler.remembered()).isLessThanOrEqualTo(100);
    }
  }

  @Test
  void aTreeThatHasNoPlaceForAJobChangesNothing() {
    FairScheduler scheduler = new FairScheduler(TokenUnit.BYTES, ShareTree.byUser());
    for (int i = 0; i < 100; i++) {
      scheduler.enqueue(request(0, "alice"), 0);
      scheduler.enqueue(request(1, "bob"), 0);
      scheduler.enqueue(request(2, "bob"), 0);
    }
    ShareTree bad =
        new ShareTree(
            flow ->
                jobNumber(flow.job()) == 2
                    ? Collections.nCopies(ShareTree.DEPTH_MAX + 1, "deep")
                    : List.of(),
            Map.of());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> scheduler.regroup(bad, 0))
        .withMessageContaining("job002");
    scheduler.checkInvariants(0);
    assertThat(served(scheduler, 100)).containsExactly(50, 25, 25);
  }

  /** As when clients go whose requests had made virtual time large. */
  @Test
  void whatIsWithdrawnOrMovedLeavesTagsInBounds() {
    SeededCases.forAll(
        2_000,
        random -> {
          FairScheduler scheduler =
              new FairScheduler(new TokenUnit(TokenUnit.PRICE_MAX, 1), ShareTree.byUser());
          List<Request> served = new ArrayList<>();
          for (int step = 0; step < 100; step++) {
            switch (random.nextInt(7)) {
              case 0, 1 -> {
                int job = random.nextInt(5);
                scheduler.enqueue(
                    new Request(flow(job, "user" + job % 2), Operation.WRITE, Request.COST_MAX, 0),
                    0);
              }
              case 2, 3 -> {
                if (scheduler.next(0) instanceof Request request) {
                  served.add(request);
                }
              }
              case 4 -> {
                if (!served.isEmpty()) {
                  scheduler.complete(served.removeLast(), Long.MAX_VALUE, Long.MAX_VALUE, 0);
                }
              }
              case 5 -> {
                int job = random.nextInt(5);
                scheduler.withdrawIf(request -> jobNumber(request.job()) == job, 0);
              }
              default ->
                  scheduler.regroup(
                      random.nextBoolean() ? ShareTree.flat() : ShareTree.byUser(), 0);
            }
            scheduler.checkInvariants(0);
          }
        });
  }

  /** A scheduler whose tree is changed at random, and what it should keep to. */
  private static final class World {
    private static final int JOBS = 8;

    final RandomGenerator random;
    final FairScheduler scheduler;
    final List<List<String>> paths = new ArrayList<>();
    final long[] jobWeights = new long[JOBS];
    final long[] largest = new long[JOBS];
    final int[] queued = new int[JOBS];
    final long[] sent = new long[JOBS];
    final long[] got = new long[JOBS];

    /** The largest request of any job that ever was in a group. */
    final Map<List<String>, Long> largestOfGroup = new HashMap<>();

    Map<List<String>, Long> groupWeights = Map.of();

    /** By the names of two members, how their services differ since both compete. */
    final Map<String, long[]> differences = new HashMap<>();

    World(RandomGenerator random) {
      this.random = random;
      Arrays.fill(jobWeights, 1);
      for (int job = 0; job < JOBS; job++) {
        paths.add(List.of());
      }
      scheduler = new FairScheduler(TokenUnit.BYTES, tree());
    }

    void run() {
      int steps = random.nextInt(200);
      for (int step = 0; step < steps; step++) {
        int kind = random.nextInt(30);
        if (kind == 0) {
          regroup();
        } else if (kind == 1) {
          placeOne();
        } else if (kind == 2) {
          reweigh();
        } else if (kind < 16) {
          enqueue(random.nextInt(JOBS), 1 + random.nextInt(4));
        } else {
          serve();
        }
        scheduler.checkInvariants(0);
      }
      int left = Arrays.stream(queued).sum();
      assertThat(scheduler.queued()).isEqualTo(left);
      while (left-- > 0) {
        serve();
      }
      assertThat(scheduler.next(0)).isEqualTo(Dispatch.EMPTY);
      assertThat(got).isEqualTo(sent);
    }

    List<String> randomPath() {
      List<String> path = new ArrayList<>();
      for (int depth = random.nextInt(3); depth > 0; depth--) {
        path.add("group" + random.nextInt(3));
      }
      return path;
    }

    ShareTree tree() {
      return new ShareTree(flow -> paths.get(jobNumber(flow.job())), groupWeights);
    }

    void regroup() {
      Map<List<String>, Long> weights = new HashMap<>();
      for (int job = 0; job < JOBS; job++) {
        paths.set(job, randomPath());
        joins(job);
        for (int depth = 1; depth <= paths.get(job).size(); depth++) {
          weights.put(paths.get(job).subList(0, depth), random.nextLong(1, 51));
        }
      }
      groupWeights = weights;
      scheduler.regroup(tree(), 0);
      differences.clear();
    }

    void placeOne() {
      int job = random.nextInt(JOBS);
      paths.set(job, randomPath());
      joins(job);
      scheduler.place(flow(job, ""), 0);
      differences.clear();
    }

    void reweigh() {
      JobId[] ids = new JobId[JOBS];
      long[] tokens = new long[JOBS];
      Arrays.fill(tokens, Shares.UNLIMITED);
      for (int job = 0; job < JOBS; job++) {
        ids[job] = job(job);
        jobWeights[job] = random.nextLong(1, 51);
      }
      scheduler.reconfigure(Shares.ofColumns(ids, tokens, jobWeights.clone(), 1), 0);
      differences.clear();
    }

    /** The groups of a job may owe for a request of its. */
    void joins(int job) {
      for (int depth = 1; depth <= paths.get(job).size(); depth++) {
        largestOfGroup.merge(paths.get(job).subList(0, depth), largest[job], Math::max);
      }
    }

    void enqueue(int job, int count) {
      for (int i = 0; i < count; i++) {
        long bytes = 1 + random.nextLong(1L << random.nextInt(1, 20));
        scheduler.enqueue(new Request(flow(job, ""), Operation.READ, ++sent[job], bytes), 0);
        queued[job]++;
        largest[job] = Math.max(largest[job], bytes);
        joins(job);
      }
    }

    void serve() {
      if (Arrays.stream(queued).sum() == 0) {
        return;
      }
      Request request = ready(scheduler);
      int job = jobNumber(request.job());
      assertThat(request.operations()).as("in order").isEqualTo(++got[job]);
      List<String> path = paths.get(job);
      for (int depth = path.size(); depth >= 0; depth--) {
        // The member of the group at this depth that was served, and all others of the group.
        List<String> group = path.subList(0, depth);
        String served = member(job, depth);
        for (int other = 0; other < JOBS; other++) {
          boolean inGroup =
              paths.get(other).size() >= depth && paths.get(other).subList(0, depth).equals(group);
          if (inGroup && competes(other, depth) && !member(other, depth).equals(served)) {
            count(job, other, depth, request.bytes());
          }
        }
      }
      queued[job]--;
      for (int depth = path.size(); depth >= 0; depth--) {
        if (!competes(job, depth)) {
          String gone = member(job, depth);
          differences.keySet().removeIf(pair -> Arrays.asList(pair.split("\\|")).contains(gone));
        }
      }
    }

    /** What a job is, or is in, among the members of its group at this depth. */
    String member(int job, int depth) {
      List<String> path = paths.get(job);
      return path.size() == depth ? "job" + job : String.join("/", path.subList(0, depth + 1));
    }

    boolean competes(int job, int depth) {
      if (paths.get(job).size() == depth) {
        return queued[job] > 0;
      }
      String member = member(job, depth);
      for (int other = 0; other < JOBS; other++) {
        if (queued[other] > 0
            && paths.get(other).size() > depth
            && member(other, depth).equals(member)) {
          return true;
        }
      }
      return false;
    }

    long weight(int job, int depth) {
      List<String> path = paths.get(job);
      return path.size() == depth
          ? jobWeights[job]
          : groupWeights.getOrDefault(path.subList(0, depth + 1), 1L);
    }

    long largest(int job, int depth) {
      List<String> path = paths.get(job);
      return path.size() == depth
          ? largest[job]
          : largestOfGroup.getOrDefault(path.subList(0, depth + 1), 1L);
    }

    /** Several jobs may stand for one other group: it is counted once, by the first of them. */
    void count(int job, int other, int depth, long bytes) {
      String theirs = member(other, depth);
      for (int before = 0; before < other; before++) {
        if (paths.get(before).size() > depth && member(before, depth).equals(theirs)) {
          return;
        }
      }
      String mine = member(job, depth);
      boolean inOrder = mine.compareTo(theirs) < 0;
      long[] range =
          differences.computeIfAbsent(
              inOrder ? mine + "|" + theirs : theirs + "|" + mine, _ -> new long[3]);
      // W1 × w2 - W2 × w1, and how high and low it was.
      range[0] += (inOrder ? 1 : -1) * bytes * weight(other, depth);
      range[1] = Math.max(range[1], range[0]);
      range[2] = Math.min(range[2], range[0]);
      assertThat(range[1] - range[2])
          .as("%s and %s", mine, theirs)
          .isLessThanOrEqualTo(
              largest(job, depth) * weight(other, depth)
                  + largest(other, depth) * weight(job, depth));
    }
  }

  private static ShareTree byNumber(Map<Integer, String> groups) {
    return new ShareTree(
        flow -> List.of(groups.getOrDefault(jobNumber(flow.job()), "nobody")), Map.of());
  }

  private static JobId job(int number) {
    return JobId.of("job%03d".formatted(number));
  }

  private static int jobNumber(JobId job) {
    return Integer.parseInt(job.toString().substring(3));
  }

  private static Flow flow(int job, String user) {
    return new Flow(job(job), user, "", ClientAddress.LOCAL, "", "target");
  }

  private static Request request(int job, String user) {
    return new Request(flow(job, user), Operation.WRITE, 1, 1_000);
  }

  private static Request ready(FairScheduler scheduler) {
    Dispatch answer = scheduler.next(0);
    assertThat(answer).isInstanceOf(Request.class);
    return (Request) answer;
  }

  private static int[] served(FairScheduler scheduler, int count) {
    int[] served = new int[3];
    for (int i = 0; i < count; i++) {
      served[jobNumber(ready(scheduler).job())]++;
    }
    return served;
  }
}
