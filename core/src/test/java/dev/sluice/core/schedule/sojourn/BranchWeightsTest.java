package dev.sluice.core.schedule.sojourn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.core.model.Flow;
import dev.sluice.core.model.JobId;
import dev.sluice.core.schedule.JobTable;
import dev.sluice.core.schedule.ShareTree;
import dev.sluice.testkit.SeededCases;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BranchWeightsTest {
  private final Map<String, List<String>> hangs = new HashMap<>();
  private final Map<List<String>, Long> weights = new HashMap<>();
  private final JobTable<PhaseQueue> queues = new JobTable<>();

  /** A job with something to do, or with nothing. */
  private void job(String name, long weight, boolean busy, String... path) {
    PhaseQueue queue = new PhaseQueue(Flow.of(JobId.of(name), "t"), 0);
    queue.ownWeight = weight;
    if (busy) {
      queue.begin(false, 0);
    }
    hangs.put(name, List.of(path));
    queues.add(queue);
  }

  /** What each busy job weighs. */
  private Map<String, Long> weigh() {
    BranchWeights branches =
        new BranchWeights(
            new ShareTree(flow -> hangs.getOrDefault(flow.job().toString(), List.of()), weights));
    queues.forEach(queue ->
        assertThat(branches.place(queue))
            .isEqualTo(!hangs.getOrDefault(queue.job().toString(), List.of()).isEmpty()));
    Map<String, Long> weighs = new HashMap<>();
    branches.weigh(queues, (queue, weight) -> weighs.put(queue.job().toString(), weight), 0);
    branches.weigh(
        queues,
        (queue, weight) ->
            assertThat(weight).as("once more").isEqualTo(weighs.get(queue.job().toString())),
        0);
    return weighs;
  }

  @Test
  void aShareIsAPartOfAPartOfThoseThatAreBusy() {
    weights.put(List.of("physics"), 3L);
    weights.put(List.of("physics", "bob"), 2L);
    job("a1", 3, true, "physics", "ann");
    job("a2", 1, true, "physics", "ann");
    job("a3", 9, false, "physics", "ann");
    job("b1", 5, true, "physics", "bob");
    job("c1", 7, true, "biology", "cyd");
    job("d1", 7, false, "geology", "dan");
    job("e1", 4, true);
    double whole = BranchWeights.WHOLE;
    Map<String, Long> weighs = weigh();
    assertThat(weighs).containsOnlyKeys("a1", "a2", "b1", "c1", "e1");
    assertThat(weighs.get("a1")).isCloseTo((long) (whole * 3 / 8 / 3 * 3 / 4), within(1L));
    assertThat(weighs.get("a2")).isCloseTo((long) (whole * 3 / 8 / 3 / 4), within(1L));
    assertThat(weighs.get("b1")).isCloseTo((long) (whole * 3 / 8 * 2 / 3), within(1L));
    assertThat(weighs.get("c1")).isCloseTo((long) (whole / 8), within(1L));
    assertThat(weighs.get("e1")).isCloseTo((long) (whole * 4 / 8), within(1L));
  }

  @Test
  void nobodyWeighsNothing() {
    job("tiny", 1, true);
    job("huge", 1L << 40, true);
    assertThat(weigh()).containsEntry("tiny", 1L).containsEntry("huge", BranchWeights.WHOLE);
  }

  /** The theorem. */
  @Test
  void jobsOfAGroupAreAsTheirWeightsAndGroupsAsTheirs() {
    SeededCases.forAll(
        1_000,
        random -> {
          BranchWeightsTest test = new BranchWeightsTest();
          int users = random.nextInt(1, 6);
          long[] ofUser = random.longs(users, 1, 10).toArray();
          long allUsers = 0;
          long[] ofJobs = new long[users];
          long[] jobWeights = random.longs(20, 1, 10).toArray();
          int[] userOf = random.ints(20, 0, users).toArray();
          boolean[] busy = new boolean[20];
          for (int user = 0; user < users; user++) {
            test.weights.put(List.of("user" + user), ofUser[user]);
          }
          for (int job = 0; job < 20; job++) {
            busy[job] = random.nextInt(3) > 0;
            test.job("job" + job, jobWeights[job], busy[job], "user" + userOf[job]);
            if (busy[job]) {
              allUsers += ofJobs[userOf[job]] == 0 ? ofUser[userOf[job]] : 0;
              ofJobs[userOf[job]] += jobWeights[job];
            }
          }
          Map<String, Long> weighs = test.weigh();
          for (int job = 0; job < 20; job++) {
            int user = userOf[job];
            if (busy[job]) {
              double part =
                  (double) ofUser[user] / allUsers * jobWeights[job] / Math.max(1, ofJobs[user]);
              assertThat((double) weighs.getOrDefault("job" + job, 0L))
                  .isCloseTo(part * BranchWeights.WHOLE, within(1.0));
            } else {
              assertThat(weighs).doesNotContainKey("job" + job);
            }
          }
        });
  }
}
