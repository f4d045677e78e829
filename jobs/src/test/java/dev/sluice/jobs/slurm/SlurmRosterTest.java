package dev.sluice.jobs.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testkit.SeededCases;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SlurmRosterTest {
  private static final long GRACE = SlurmRoster.GRACE_NANOS;

  private final SlurmRoster roster = new SlurmRoster();

  @Test
  void anAnswerAloneIsEnough() {
    roster.answered(List.of(Fixtures.job(1, "n1"), Fixtures.job(2, "n2")), 0);
    assertThat(ids()).containsExactlyInAnyOrder(1L, 2L);
    roster.answered(List.of(Fixtures.job(2, "n2")), 1);
    assertThat(ids()).containsExactly(2L);
  }

  @Test
  void aStartIsBelievedAgainstAnOlderAnswer() {
    roster.told(told(1), 10);
    roster.answered(List.of(), 5);
    assertThat(ids()).containsExactly(1L);
    roster.answered(List.of(), 10 + GRACE);
    assertThat(ids()).as("announced before Slurm counts it as running").containsExactly(1L);
  }

  @Test
  void anEndIsBelievedAgainstAnOlderAnswerAndWhileSlurmTidiesUp() {
    roster.told(told(1), 0);
    roster.told(told(), 100);
    roster.answered(List.of(Fixtures.job(1, "n1")), 50);
    assertThat(ids()).isEmpty();
    roster.answered(List.of(ending(1)), 100 + 2 * GRACE);
    assertThat(ids()).isEmpty();
    roster.answered(List.of(), 100 + 3 * GRACE);
    roster.answered(List.of(Fixtures.job(1, "n1")), 100 + 4 * GRACE);
    assertThat(ids()).as("the number is in use again").containsExactly(1L);
  }

  @Test
  void aStartWhoseEndWentUnheardIsForgotten() {
    roster.told(told(1), 0);
    roster.answered(List.of(), GRACE + 1);
    assertThat(ids()).isEmpty();
    assertThat(roster.stale()).isEqualTo(1);
    roster.answered(List.of(Fixtures.job(1, "n1")), GRACE + 2);
    assertThat(ids()).containsExactly(1L);
    assertThat(roster.stale()).isZero();
  }

  @Test
  void whatRunsWithoutAHookIsKnownFromTheNextAnswer() {
    roster.told(told(1), 0);
    roster.told(told(), 1);
    roster.answered(List.of(Fixtures.job(1, "n1")), 2 + GRACE);
    assertThat(ids()).as("put back into the queue, begun again, and no hook ran").hasSize(1);
  }

  @Test
  void twoAccountsOfAJobCompleteEachOther() {
    SlurmJob hook =
        new SlurmJob(
            1,
            OptionalLong.empty(),
            OptionalLong.empty(),
            "hook",
            "alice",
            OptionalInt.of(7),
            "",
            "",
            "n[1-2]",
            2,
            99,
            OptionalLong.empty(),
            false);
    SlurmJob answer =
        new SlurmJob(
            1,
            OptionalLong.empty(),
            OptionalLong.empty(),
            "",
            "alice",
            OptionalInt.empty(),
            "bio",
            "urgent",
            "n[1-3]",
            3,
            0,
            OptionalLong.empty(),
            false);
    roster.told(Map.of(1L, hook), 0);
    roster.answered(List.of(answer), 1);
    SlurmJob both = roster.jobs().getFirst();
    assertThat(both.name()).isEqualTo("hook");
    assertThat(both.uid()).hasValue(7);
    assertThat(both.qos()).isEqualTo("urgent");
    assertThat(both.nodeList()).as("a job may have grown").isEqualTo("n[1-3]");
    assertThat(both.startSeconds()).isEqualTo(99);
  }

  /**
   * Jobs come and go, hooks tell of it at once, answers come late and now and then not: where every
   * hook runs, what is known is always what runs; where some do not, it is so again with an answer
   * that was asked for a grace after the last change.
   */
  @Test
  void whatIsKnownIsWhatRuns() {
    SeededCases.forAll(
        100,
        random -> {
          boolean everyHookRuns = random.nextBoolean();
          SlurmRoster tried = new SlurmRoster();
          Map<Long, SlurmJob> running = new TreeMap<>();
          Map<Long, SlurmJob> spool = new HashMap<>();
          List<SlurmJob> asked = null;
          long askedNanos = 0;
          long now = 0;
          long next = 1;
          for (int step = 0; step < 100; step++) {
            now += random.nextLong(GRACE / 4);
            switch (random.nextInt(5)) {
              case 0, 1 -> {
                boolean hook = everyHookRuns || random.nextInt(4) > 0;
                SlurmJob job = Fixtures.job(next, "n" + next);
                next++;
                running.put(job.id(), job);
                if (hook) {
                  spool.put(job.id(), job);
                }
              }
              case 2 -> {
                Long over = oneOf(running, random);
                if (over != null) {
                  running.remove(over);
                  if (everyHookRuns || random.nextInt(4) > 0) {
                    spool.remove(over);
                  }
                }
              }
              case 3 -> {
                asked = new ArrayList<>(running.values());
                askedNanos = now;
              }
              default -> {
                if (asked != null) {
                  tried.answered(asked, askedNanos);
                  asked = null;
                }
              }
            }
            tried.told(spool, now);
            tried.checkInvariants();
            if (everyHookRuns) {
              assertThat(ids(tried)).isEqualTo(running.keySet());
            }
          }
          tried.answered(new ArrayList<>(running.values()), now + GRACE + 1);
          tried.told(spool, now + GRACE + 1);
          assertThat(ids(tried)).isEqualTo(running.keySet());
        });
  }

  private static @Nullable Long oneOf(Map<Long, SlurmJob> jobs, RandomGenerator random) {
    return jobs.isEmpty() ? null : new ArrayList<>(jobs.keySet()).get(random.nextInt(jobs.size()));
  }

  private Set<Long> ids() {
    roster.checkInvariants();
    return ids(roster);
  }

  private static Set<Long> ids(SlurmRoster roster) {
    Set<Long> ids = new HashSet<>();
    roster.jobs().forEach(job -> ids.add(job.id()));
    return ids;
  }

  private static Map<Long, SlurmJob> told(long... ids) {
    Map<Long, SlurmJob> jobs = new HashMap<>();
    for (long id : ids) {
      jobs.put(id, Fixtures.job(id, "n" + id));
    }
    return jobs;
  }

  private static SlurmJob ending(long id) {
    SlurmJob job = Fixtures.job(id, "n" + id);
    return new SlurmJob(
        id,
        job.array(),
        job.arrayTask(),
        job.name(),
        job.user(),
        job.uid(),
        job.account(),
        job.qos(),
        job.nodeList(),
        1,
        0,
        OptionalLong.empty(),
        true);
  }
}
