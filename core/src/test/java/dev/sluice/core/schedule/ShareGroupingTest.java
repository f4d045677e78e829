package dev.sluice.core.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.sluice.core.model.Flow;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Operation;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.schedule.ShareGrouping.Level;
import dev.sluice.core.schedule.limit.LimitedScheduler;
import dev.sluice.core.schedule.registry.Schedulers;
import dev.sluice.testkit.SeededCases;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.assertj.core.data.Offset;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class ShareGroupingTest {
  private static final ShareGrouping BY_ACCOUNT_AND_USER =
      new ShareGrouping(
          List.of(Level.ACCOUNT, Level.USER),
          Map.of(Level.ACCOUNT, Map.of("physics", 3L), Level.USER, Map.of("alice", 2L)));

  @Test
  void aPathHasANameForEachLevelAndOneForNobody() {
    assertThat(BY_ACCOUNT_AND_USER.path(new JobOwner("physics", "alice", "staff")))
        .containsExactly("physics", "alice");
    assertThat(BY_ACCOUNT_AND_USER.path(new JobOwner("", "alice", "staff")))
        .containsExactly("(none)", "alice");
    assertThat(new ShareGrouping(List.of(Level.GROUP), Map.of()).path(JobOwner.UNKNOWN))
        .containsExactly("(none)");
    assertThat(ShareGrouping.FLAT.path(new JobOwner("physics", "alice", "staff"))).isEmpty();
    assertThat(ShareGrouping.FLAT.isFlat()).isTrue();
    assertThat(BY_ACCOUNT_AND_USER.isFlat()).isFalse();
  }

  @Test
  void aNameWeighsTheSameWhereverItTurnsUp() {
    assertThat(BY_ACCOUNT_AND_USER.weight(List.of("physics"))).isEqualTo(3);
    assertThat(BY_ACCOUNT_AND_USER.weight(List.of("biology"))).isEqualTo(1);
    assertThat(BY_ACCOUNT_AND_USER.weight(List.of("physics", "alice"))).isEqualTo(2);
    assertThat(BY_ACCOUNT_AND_USER.weight(List.of("biology", "alice"))).isEqualTo(2);
    // A user who is called as an account is does not weigh what that does.
    assertThat(BY_ACCOUNT_AND_USER.weight(List.of("biology", "physics"))).isEqualTo(1);
    assertThat(BY_ACCOUNT_AND_USER.weight(List.of("a", "b", "alice"))).isEqualTo(1);
  }

  private static ShareGrouping weighedBy(Map<String, Double> accounts, Map<String, Double> users) {
    return BY_ACCOUNT_AND_USER.weighedBy(
        new AccountShares("Slurm", accounts, Map.of("biology", users)));
  }

  @Test
  void whatIsSaidCountsForMoreThanWhatSomebodyElseGives() {
    ShareGrouping grouping =
        weighedBy(Map.of("physics", 9.0, "biology", 1.5), Map.of("alice", 7.0, "bob", 4.0));
    long one = grouping.weight(List.of("unheard of"));
    assertThat(grouping.weight(List.of("physics"))).as("is said").isEqualTo(3 * one);
    assertThat(2 * grouping.weight(List.of("biology"))).isEqualTo(3 * one);
    long user = grouping.weight(List.of("biology", "carol"));
    assertThat(grouping.weight(List.of("biology", "alice"))).as("is said").isEqualTo(2 * user);
    assertThat(grouping.weight(List.of("biology", "bob"))).isEqualTo(4 * user);
    assertThat(grouping.weight(List.of("physics", "bob"))).as("elsewhere").isEqualTo(1);
    assertThat(grouping.sharesOn(List.of("biology", "bob"))).isEqualTo("1.50 / 4");
    assertThat(grouping.sharesOn(List.of("physics", "alice"))).isEqualTo("3 / 2");
    assertThat(BY_ACCOUNT_AND_USER.sharesOn(List.of("physics", "bob"))).isEqualTo("3 / 1");
    assertThat(grouping.words()).isEqualTo("account, user, job, with the shares of Slurm");
    assertThat(BY_ACCOUNT_AND_USER.weighedBy(AccountShares.NONE)).isEqualTo(BY_ACCOUNT_AND_USER);
  }

  @Test
  void theLargestWeightThatIsSaidMeansSoManyShares() {
    ShareGrouping grouping =
        new ShareGrouping(
                List.of(Level.ACCOUNT),
                Map.of(Level.ACCOUNT, Map.of("physics", ShareTree.WEIGHT_MAX)))
            .weighedBy(new AccountShares("Slurm", Map.of("biology", 2.0), Map.of()));
    assertThat(grouping.weight(List.of("physics"))).isEqualTo(ShareTree.WEIGHT_MAX);
    assertThat(grouping.weight(List.of("biology"))).isEqualTo(2);
  }

  @Test
  void usersThatAreInNoAccountAreEqual() {
    AccountShares shares =
        new AccountShares("Slurm", Map.of("a", 5.0), Map.of("a", Map.of("bob", 5.0)));
    ShareGrouping byUser =
        new ShareGrouping(List.of(Level.USER, Level.ACCOUNT), Map.of()).weighedBy(shares);
    assertThat(byUser.weight(List.of("bob"))).isEqualTo(1);
    assertThat(byUser.weight(List.of("bob", "a")))
        .isEqualTo(5 * byUser.weight(List.of("bob", "b")));
  }

  /** Weights are to each other as the shares are, and who has none is served all the same. */
  @Test
  void weightsAreToEachOtherAsShares() {
    SeededCases.forAll(
        2_000,
        random -> {
          double magnitude = Math.pow(10, random.nextInt(10));
          boolean whole = random.nextBoolean();
          double[] shares = new double[3];
          for (int i = 0; i < shares.length; i++) {
            double share = 1 + random.nextDouble() * magnitude;
            shares[i] = whole ? Math.floor(share) : share;
          }
          ShareGrouping grouping =
              new ShareGrouping(List.of(Level.ACCOUNT), Map.of())
                  .weighedBy(
                      new AccountShares(
                          "Slurm",
                          Map.of("a", shares[0], "b", shares[1], "c", shares[2], "d", 0.0),
                          Map.of()));
          long[] weights = new long[shares.length];
          int most = 0;
          for (int i = 0; i < shares.length; i++) {
            weights[i] = grouping.weight(List.of(String.valueOf("abc".charAt(i))));
            assertThat(weights[i]).isBetween(1L, ShareTree.WEIGHT_MAX);
            most = shares[i] > shares[most] ? i : most;
          }
          boolean exact = whole && shares[most] <= ShareTree.WEIGHT_MAX;
          for (int i = 0; i < shares.length; i++) {
            if (exact) {
              assertThat(weights[i])
                  .isEqualTo(((long) shares[i]) * grouping.weight(List.of("one share")));
            } else if (shares[i] > shares[most] / 1_000) {
              assertThat((double) weights[i] / weights[most])
                  .as("%s of %s", shares[i], Arrays.toString(shares))
                  .isCloseTo(shares[i] / shares[most], Percentage.withPercentage(0.2));
            }
          }
          assertThat(grouping.weight(List.of("d"))).isEqualTo(1);
        });
  }

  @Test
  void sharesThatCannotBeAreRefused() {
    for (double share : new double[] {-1, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new AccountShares("Slurm", Map.of("physics", share), Map.of()))
          .withMessageContaining("physics");
    }
  }

  @Test
  void whatCannotBeIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ShareGrouping(List.of(Level.USER, Level.USER), Map.of()));
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> new ShareGrouping(List.of(Level.USER), Map.of(Level.GROUP, Map.of("x", 1L))))
        .withMessageContaining("group");
    for (long weight : new long[] {0, ShareTree.WEIGHT_MAX + 1}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() ->
              new ShareGrouping(List.of(Level.USER), Map.of(Level.USER, Map.of("bob", weight))))
          .withMessageContaining("user bob")
          .withMessageContaining("not " + weight);
    }
  }

  @Test
  void wordsNameTheBranchAndItsParts() {
    Map<JobId, JobOwner> owners =
        Map.of(
            JobId.of("17"), new JobOwner("physics", "alice", ""),
            JobId.of("18"), new JobOwner("physics", "alice", ""),
            JobId.of("19"), new JobOwner("physics", "bob", ""),
            JobId.of("20"), new JobOwner("", "carol", ""));
    BranchShares shares = branches(BY_ACCOUNT_AND_USER, owners, 1, 1, 8, 5);
    assertThat(shares.words(JobId.of("17")))
        .isEqualTo("physics / alice / job 17: 1/2 of 2/3 of 3/4, 25.0 %");
    assertThat(shares.words(JobId.of("19")))
        .isEqualTo("physics / bob / job 19: 1/3 of 3/4, 25.0 %");
    assertThat(shares.words(JobId.of("20"))).isEqualTo("(none) / carol / job 20: 1/4");
    BranchShares alone = branches(BY_ACCOUNT_AND_USER, Map.of(JobId.of("17"), JobOwner.UNKNOWN), 4);
    assertThat(alone.words(JobId.of("17"))).isEqualTo("(none) / (none) / job 17: all");
  }

  @Test
  void aPartThatIsNoReadableFractionIsInPercent() {
    Map<JobId, JobOwner> owners =
        Map.of(
            JobId.of("17"), new JobOwner("physics", "alice", ""),
            JobId.of("18"), new JobOwner("biology", "bob", ""));
    ShareGrouping grouping =
        new ShareGrouping(List.of(Level.ACCOUNT), Map.of())
            .weighedBy(
                new AccountShares("Slurm", Map.of("physics", 500_000.7, "biology", 1e6), Map.of()));
    assertThat(branches(grouping, owners, 1, 1).words(JobId.of("17")))
        .isEqualTo("physics / job 17: 33.3 %");
  }

  @Test
  void aFractionIsInLowestTermsAndInPercentBeyondFourDigits() {
    assertThat(wordsOfFirst(5_000, 10_000)).isEqualTo("job 17: 1/3");
    assertThat(wordsOfFirst(1, 9_998)).isEqualTo("job 17: 1/9999");
    assertThat(wordsOfFirst(1, 9_999)).isEqualTo("job 17: 0.0100 %");
  }

  private static String wordsOfFirst(long first, long second) {
    Map<JobId, JobOwner> owners =
        Map.of(JobId.of("17"), JobOwner.UNKNOWN, JobId.of("18"), JobOwner.UNKNOWN);
    return branches(ShareGrouping.FLAT, owners, first, second).words(JobId.of("17"));
  }

  private static BranchShares branches(
      ShareGrouping grouping, Map<JobId, JobOwner> owners, long... weights) {
    JobId[] jobs = owners.keySet().stream().sorted().toArray(JobId[]::new);
    long[] tokens = new long[jobs.length];
    Arrays.fill(tokens, Shares.UNLIMITED);
    Shares shares = Shares.ofColumns(jobs, tokens, weights, 1_000);
    return new BranchShares(grouping, shares, job -> owners.getOrDefault(job, JobOwner.UNKNOWN));
  }

  /** What is said is what the scheduler does while all are busy. */
  @Test
  void partsAddUpToAllAndAreWhatJobsGet() {
    SeededCases.forAll(
        300,
        random -> {
          ShareGrouping grouping = grouping(random);
          Map<JobId, JobOwner> owners = new HashMap<>();
          int count = 1 + random.nextInt(8);
          for (int i = 0; i < count; i++) {
            owners.put(JobId.of("job" + i), owner(random));
          }
          long[] weights = random.longs(count, 1, 9).toArray();
          BranchShares branches = branches(grouping, owners, weights);
          double sum = owners.keySet().stream().mapToDouble(branches::part).sum();
          assertThat(sum).isCloseTo(1, Offset.offset(1e-9));
          Map<JobId, Integer> served = served(grouping, owners, weights);
          owners
              .keySet()
              .forEach(job ->
                  assertThat(served.getOrDefault(job, 0) / (double) REQUESTS)
                      .as("%s of %s", branches.words(job), grouping)
                      .isCloseTo(branches.part(job), Offset.offset(0.005)));
        });
  }

  @Test
  void anyGroupingMayFollowAnyOther() {
    SeededCases.forAll(
        500,
        random -> {
          Target target = new Target("t", 1_000, TokenUnit.OPERATIONS);
          RequestScheduler scheduler = Schedulers.create(SchedulerKind.FAIR, target);
          Map<JobId, JobOwner> owners = new HashMap<>();
          for (int step = 0; step < 60; step++) {
            JobId job = JobId.of("job" + random.nextInt(6));
            switch (random.nextInt(4)) {
              case 0 -> {
                owners.put(job, owner(random));
                scheduler.regroup(
                    grouping(random)
                        .tree(flow -> owners.getOrDefault(flow.job(), JobOwner.UNKNOWN)),
                    0);
              }
              case 1 -> {
                Dispatch _ = scheduler.next(0);
              }
              default -> scheduler.enqueue(new Request(Flow.of(job, "t"), Operation.READ, 1, 0), 0);
            }
            scheduler.checkInvariants(0);
          }
        });
  }

  private static final int REQUESTS = 4_000;

  /** Behind limits, and grouped only when requests wait already. */
  private static Map<JobId, Integer> served(
      ShareGrouping grouping, Map<JobId, JobOwner> owners, long[] weights) {
    Target target = new Target("t", 1_000, TokenUnit.OPERATIONS);
    LimitedScheduler scheduler =
        new LimitedScheduler(Schedulers.create(SchedulerKind.FAIR, target), target);
    JobId[] jobs = owners.keySet().stream().sorted().toArray(JobId[]::new);
    long[] tokens = new long[jobs.length];
    Arrays.fill(tokens, Shares.UNLIMITED);
    scheduler.reconfigure(Shares.ofColumns(jobs, tokens, weights, 1_000), 0);
    for (JobId job : jobs) {
      for (int i = 0; i < 3; i++) {
        scheduler.enqueue(new Request(Flow.of(job, "t"), Operation.READ, 1, 0), 0);
      }
    }
    scheduler.regroup(grouping.tree(flow -> owners.getOrDefault(flow.job(), JobOwner.UNKNOWN)), 0);
    Map<JobId, Integer> served = new HashMap<>();
    for (int i = 0; i < REQUESTS; i++) {
      if (scheduler.next(0) instanceof Request request) {
        served.merge(request.job(), 1, Integer::sum);
        scheduler.enqueue(request, 0);
      }
    }
    return served;
  }

  private static ShareGrouping grouping(RandomGenerator random) {
    List<Level> levels = new ArrayList<>();
    Map<Level, Map<String, Long>> weights = new HashMap<>();
    for (Level level : Level.values()) {
      if (random.nextBoolean()) {
        levels.add(random.nextInt(levels.size() + 1), level);
        weights.put(level, Map.of("one", random.nextLong(1, 5), "(none)", random.nextLong(1, 5)));
      }
    }
    return new ShareGrouping(levels, weights);
  }

  private static JobOwner owner(RandomGenerator random) {
    String[] names = {"", "one", "two"};
    return new JobOwner(
        names[random.nextInt(3)], names[random.nextInt(3)], names[random.nextInt(3)]);
  }
}
