package dev.sluice.gateway.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.model.JobId;
import dev.sluice.gateway.memory.JobMemory.Speed;
import dev.sluice.gateway.memory.JobMemory.Verdict;
import dev.sluice.testkit.SeededCases;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class JobMemoryTest {
  private static final long MIB = 1 << 20;
  private static final long SECOND = 1_000_000_000L;
  private static final JobMemory.KnownSpeed NOTHING_KNOWN = _ -> Speed.UNKNOWN;

  @Test
  void whatIsHeldAndWhatIsFreeIsAll() {
    SeededCases.forAll(
        500,
        random -> {
          long total = 1_000 + random.nextLong(100_000);
          MemoryBudget budget = new MemoryBudget(total);
          List<ArrayDeque<Long>> taken = new ArrayList<>();
          for (int i = 0; i < 5; i++) {
            taken.add(new ArrayDeque<>());
          }
          long now = 0;
          for (int step = 0; step < 300; step++) {
            now += random.nextLong(SECOND / 4);
            int who = random.nextInt(5);
            JobMemory job = budget.of(JobId.of("job" + who));
            long held = job.heldBytes();
            long free = budget.freeBytes();
            if (random.nextInt(3) == 0 && !taken.get(who).isEmpty()) {
              long bytes = taken.get(who).remove();
              if (random.nextBoolean()) {
                job.end(bytes, now);
              } else {
                job.giveUp(bytes, now);
              }
            } else {
              long bytes = 1 + random.nextLong(total / 4);
              Verdict verdict = job.take(bytes, NOTHING_KNOWN, now);
              if (held == 0) {
                assertThat(verdict == Verdict.TAKEN)
                    .as("who has nothing gets what there is")
                    .isEqualTo(bytes <= free);
              }
              if (verdict == Verdict.TAKEN) {
                taken.get(who).add(bytes);
              }
            }
            long sum = 0;
            for (JobMemory each : budget.jobs()) {
              sum += each.heldBytes();
            }
            assertThat(sum + budget.freeBytes()).isEqualTo(total);
            assertThat(budget.freeBytes()).isNotNegative();
          }
        });
  }

  @Test
  void aJobThatWaitsLeavesTheReserveToOthers() {
    MemoryBudget budget = new MemoryBudget(1_024 * MIB);
    for (int i = 0; i < 20; i++) {
      JobMemory waiting = budget.of(JobId.of("waiting" + i));
      int taken = 0;
      while (waiting.take(MIB, NOTHING_KNOWN, i) == Verdict.TAKEN) {
        taken++;
      }
      assertThat(taken).isPositive();
    }
    assertThat(budget.freeBytes()).isGreaterThanOrEqualTo(budget.reserveBytes() / 2 - 20 * MIB);
    JobMemory quick = budget.of(JobId.of("quick"));
    for (long now = SECOND; now < 20 * SECOND; now += SECOND / 100) {
      assertThat(quick.take(MIB, NOTHING_KNOWN, now)).isEqualTo(Verdict.TAKEN);
      assertThat(quick.take(MIB, NOTHING_KNOWN, now)).isEqualTo(Verdict.TAKEN);
      quick.end(MIB, now + 1_000);
      quick.end(MIB, now + 1_000);
    }
  }

  @Test
  void aJobThatIsAloneMayHaveHalfOfWhatIsNotInReserve() {
    MemoryBudget budget = new MemoryBudget(1_024 * MIB);
    JobMemory alone = budget.of(JobId.of("alone"));
    while (alone.take(MIB, NOTHING_KNOWN, 0) == Verdict.TAKEN) {
      assertThat(alone.heldBytes()).isLessThan(1_024 * MIB);
    }
    assertThat(alone.heldBytes()).isBetween(380 * MIB, 386 * MIB);
  }

  /** Whatever a job's speed, it may have under way what it gets done in eight seconds. */
  @Test
  void whatAJobMayHaveUnderWayFollowsItsSpeed() {
    SeededCases.forAll(
        200,
        random -> {
          MemoryBudget budget = new MemoryBudget(1_024 * MIB);
          JobMemory job = budget.of(JobId.of("job"));
          long bytesPerSecond = 100_000 + random.nextLong(20_000_000);
          long bytes = 1 + random.nextLong(MIB);
          boolean isKnown = random.nextBoolean();
          JobMemory.KnownSpeed known =
              isKnown ? _ -> new Speed(bytesPerSecond, Long.MAX_VALUE) : NOTHING_KNOWN;
          long done = 0;
          long most = 0;
          long now = 0;
          // It is brought as much as it may have, and gets done what its speed says.
          for (int tick = 0; tick < 3_000; tick++) {
            now += SECOND / 100;
            Verdict verdict;
            do {
              verdict = job.take(bytes, known, now);
            } while (verdict == Verdict.TAKEN);
            while ((done + bytes) / (double) bytesPerSecond * SECOND <= now && job.requests() > 0) {
              job.end(bytes, now);
              done += bytes;
            }
            if (now > 20 * SECOND) {
              most = Math.max(most, job.heldBytes());
            }
          }
          long expected = 8 * MIB + 8 * bytesPerSecond;
          long byRequests = 64 * bytes + 8 * bytesPerSecond;
          assertThat(most)
              .isBetween(Math.min(expected, byRequests) / 3, isKnown ? 2 * expected : 400 * MIB);
        });
  }

  @Test
  void aJobThatHasHadNothingToDoIsForgotten() {
    MemoryBudget budget = new MemoryBudget(1_000);
    JobMemory job = budget.of(JobId.of("job"));
    assertThat(job.take(10, NOTHING_KNOWN, 0)).isEqualTo(Verdict.TAKEN);
    budget.forgetIdle(100 * SECOND);
    assertThat(budget.jobs()).hasSize(1);
    job.end(10, 100 * SECOND);
    budget.forgetIdle(101 * SECOND);
    assertThat(budget.jobs()).hasSize(1);
    budget.forgetIdle(120 * SECOND);
    assertThat(budget.jobs()).isEmpty();
  }

  @Test
  void racingJobsGiveAllBack() throws Exception {
    MemoryBudget budget = new MemoryBudget(10_000);
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 8; t++) {
      JobId job = JobId.of("job" + t / 2);
      threads.add(
          Thread.ofPlatform()
              .start(() -> {
                for (int i = 0; i < 20_000; i++) {
                  long bytes = 1L + i % 3_000;
                  JobMemory memory = budget.of(job);
                  if (memory.take(bytes, NOTHING_KNOWN, i) == Verdict.TAKEN) {
                    memory.end(bytes, i);
                  }
                }
              }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(budget.freeBytes()).isEqualTo(10_000);
    budget.jobs().forEach(job -> assertThat(job.requests()).isZero());
  }
}
