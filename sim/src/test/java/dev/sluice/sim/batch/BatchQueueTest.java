package dev.sluice.sim.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.sluice.core.model.JobId;
import dev.sluice.sim.scenario.JobSpec;
import dev.sluice.testkit.SeededCases;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class BatchQueueTest {

  @Test
  void startsInOrderWhileThereAreNodes() {
    BatchQueue queue = new BatchQueue(4);
    queue.submitted(job("a", 2, 100), 0);
    queue.submitted(job("b", 2, 100), 0);
    queue.submitted(job("c", 1, 100), 0);
    assertThat(queue.startable(0)).containsExactly(JobId.of("a"), JobId.of("b"));
    assertThat(queue.startable(0)).isEmpty();
    queue.ended(JobId.of("a"), 40);
    assertThat(queue.startable(40)).containsExactly(JobId.of("c"));
  }

  @Test
  void aShortJobGoesFirstIfItEndsByTheReservation() {
    BatchQueue queue = new BatchQueue(4);
    queue.submitted(job("running", 3, 100), 0);
    queue.submitted(job("head", 4, 50), 0);
    queue.submitted(job("too-long", 1, 101), 0);
    queue.submitted(job("just-fits", 1, 100), 0);
    assertThat(queue.startable(0)).containsExactly(JobId.of("running"), JobId.of("just-fits"));
    assertThat(queue.headReservationNanos(0)).hasValue(100);
  }

  @Test
  void aLongJobGoesFirstIfItTakesOnlyNodesTheHeadDoesNotNeed() {
    BatchQueue queue = new BatchQueue(10);
    queue.submitted(job("running", 6, 100), 0);
    queue.submitted(job("head", 8, 50), 0);
    queue.submitted(job("three", 3, 1_000), 0);
    queue.submitted(job("two", 2, 1_000), 0);
    queue.submitted(job("one", 1, 1_000), 0);
    // At 100 all ten are free and the head takes eight: two are spare, not three.
    assertThat(queue.startable(0)).containsExactly(JobId.of("running"), JobId.of("two"));
    assertThat(queue.headReservationNanos(0)).hasValue(100);
    assertThat(queue.freeNodes()).isEqualTo(2);
  }

  @Test
  void aJobThatOverrunsIsTakenToEndAnyMoment() {
    BatchQueue queue = new BatchQueue(2);
    queue.submitted(job("late", 1, 10), 0);
    queue.submitted(job("head", 2, 10), 0);
    assertThat(queue.startable(0)).containsExactly(JobId.of("late"));
    queue.submitted(job("small", 1, 1), 0);
    assertThat(queue.startable(500)).isEmpty();
    assertThat(queue.headReservationNanos(500)).hasValue(500);
  }

  @Test
  void refusesWhatCanNeverRun() {
    BatchQueue queue = new BatchQueue(2);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> queue.submitted(job("wide", 3, 10), 0))
        .withMessage("job wide: expected 1 to 2 nodes, not 3");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> queue.submitted(job("unknown", 1, 0), 0))
        .withMessage("job unknown: a job that queues needs an estimate of at least 1 ns");
    queue.submitted(job("twice", 1, 10), 0);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> queue.submitted(job("twice", 1, 10), 0))
        .withMessage("job twice is in the queue already");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> queue.ended(JobId.of("twice"), 0))
        .withMessage("job twice is not running");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new BatchQueue(0))
        .withMessage("a cluster has at least 1 node, not 0");
    queue.startable(7);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> queue.startable(6))
        .withMessage("time does not go back: it was 7 ns, not 6 ns");
  }

  /**
   * The queue starts what the oracle starts, whether estimates are right or wrong; and where they
   * are upper bounds, nobody starts after the reservation it once had.
   */
  @Test
  void startsWhatTheNaiveOracleStartsAndBreaksNoReservation() {
    SeededCases.forAll(3_000, random -> replay(random, random.nextInt(3) == 0));
  }

  private static void replay(RandomGenerator random, boolean overruns) {
    long nodes = random.nextLong(1, 20);
    BatchQueue queue = new BatchQueue(nodes);
    Oracle oracle = new Oracle(nodes);
    Map<JobId, Long> endsAt = new HashMap<>();
    Map<JobId, Long> runTimes = new HashMap<>();
    Map<JobId, Long> promises = new HashMap<>();
    int jobs = random.nextInt(1, 40);
    int submitted = 0;
    for (long now = 0; submitted < jobs || queue.waitingJobs() + queue.runningJobs() > 0; now++) {
      for (Map.Entry<JobId, Long> running : List.copyOf(endsAt.entrySet())) {
        if (running.getValue() == now) {
          endsAt.remove(running.getKey());
          queue.ended(running.getKey(), now);
          oracle.ended(running.getKey());
        }
      }
      while (submitted < jobs && random.nextInt(3) == 0) {
        long estimate = random.nextLong(1, 30);
        JobSpec job = job("j" + submitted++, random.nextLong(1, nodes + 1), estimate);
        long longest = overruns ? 2 * estimate : estimate;
        runTimes.put(job.id(), random.nextLong(1, longest + 1));
        queue.submitted(job, now);
        oracle.waiting.add(job);
      }
      List<JobId> started = queue.startable(now);
      assertThat(started).isEqualTo(oracle.start(now));
      queue.checkInvariants();
      assertThat(oracle.freeNow()).isBetween(0L, nodes);
      for (JobId id : started) {
        endsAt.put(id, now + runTimes.getOrDefault(id, 1L));
        if (!overruns) {
          assertThat(now).isLessThanOrEqualTo(promises.getOrDefault(id, Long.MAX_VALUE));
        }
      }
      if (!oracle.waiting.isEmpty()) {
        long reservation = queue.headReservationNanos(now).orElseThrow();
        assertThat(reservation).isEqualTo(oracle.earliest(oracle.waiting.get(0), now));
        promises.merge(oracle.waiting.get(0).id(), reservation, Math::min);
      }
    }
    assertThat(queue.freeNodes()).isEqualTo(nodes);
  }

  /**
   * The definition, tried out instant by instant: a later job may start if with it running the head
   * could start no later than without.
   */
  private static final class Oracle {
    private final long nodes;
    private final List<JobSpec> waiting = new ArrayList<>();
    private final Map<JobSpec, Long> startedAt = new HashMap<>();

    Oracle(long nodes) {
      this.nodes = nodes;
    }

    void ended(JobId id) {
      startedAt.keySet().removeIf(job -> job.id().equals(id));
    }

    /** How many nodes are free at an instant, seen from now, by the estimates. */
    long freeAt(long instant, long now) {
      long free = nodes;
      for (Map.Entry<JobSpec, Long> running : startedAt.entrySet()) {
        long end = running.getValue() + running.getKey().estimateNanos();
        boolean overrun = end <= now;
        if (!overrun && instant < end) {
          free -= running.getKey().nodes();
        }
      }
      return free;
    }

    long freeNow() {
      return nodes - startedAt.keySet().stream().mapToLong(JobSpec::nodes).sum();
    }

    long earliest(JobSpec job, long now) {
      long instant = now;
      while (freeAt(instant, now) < job.nodes()) {
        instant++;
      }
      return instant;
    }

    List<JobId> start(long now) {
      List<JobId> started = new ArrayList<>();
      while (!waiting.isEmpty() && fitsNow(waiting.get(0))) {
        started.add(run(waiting.get(0), now));
      }
      for (JobSpec job : List.copyOf(waiting)) {
        JobSpec head = waiting.get(0);
        if (job.equals(head) || !fitsNow(job)) {
          continue;
        }
        long before = earliest(head, now);
        startedAt.put(job, now);
        long after = earliest(head, now);
        startedAt.remove(job);
        if (after <= before) {
          started.add(run(job, now));
        }
      }
      return started;
    }

    private boolean fitsNow(JobSpec job) {
      return freeNow() >= job.nodes();
    }

    private JobId run(JobSpec job, long now) {
      waiting.remove(job);
      startedAt.put(job, now);
      return job.id();
    }
  }

  private static JobSpec job(String name, long nodes, long estimateNanos) {
    return new JobSpec(JobId.of(name), "", nodes, 0, estimateNanos, List.of());
  }
}
