package dev.sluice.gateway.target;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Operation;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.schedule.SchedulerKind;
import dev.sluice.gateway.target.TargetService.Bringer;
import dev.sluice.testkit.Eventually;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class TargetVitalsTest {
  private static final JobId JOB = JobId.of("4711");

  /** A storage that does not answer: its requests stay in service, and the oldest tells. */
  @Test
  void aRequestThatTheStorageKeepsShows() throws Exception {
    CountDownLatch answers = new CountDownLatch(1);
    TargetSettings settings =
        new TargetSettings(new Target("disk", 1_000_000_000, TokenUnit.BYTES), false, 2);
    try (TargetService target = new TargetService(settings, SchedulerKind.FIFO)) {
      assertThat(target.vitals(System.nanoTime()).oldestInServiceNanos()).isZero();
      for (int i = 0; i < 5; i++) {
        Thread.ofPlatform()
            .daemon()
            .start(() -> {
              ToyRequest request = new ToyRequest(JOB, Operation.WRITE, 10, _ -> await(answers));
              if (target.submit(request, Bringer.HAS_MORE, System.nanoTime())) {
                request.detach();
                Served served = request.serve();
                target.complete(request, served, System.nanoTime());
              }
            });
      }
      Eventually.await(
          "two requests are with the storage and three wait",
          () -> {
            TargetVitals vitals = target.vitals(System.nanoTime());
            return vitals.inService() == 2 && vitals.queued() == 3;
          });
      long later = System.nanoTime() + TimeUnit.SECONDS.toNanos(45);
      TargetVitals stuck = target.vitals(later);
      assertThat(stuck.oldestInServiceNanos()).isGreaterThan(TimeUnit.SECONDS.toNanos(44));
      assertThat(stuck.heldBack()).as("all workers are busy").isTrue();
      assertThat(stuck.workersAlive()).isEqualTo(stuck.workers()).isEqualTo(2);
      answers.countDown();
      Eventually.await(
          "all is served",
          () -> {
            TargetVitals vitals = target.vitals(System.nanoTime());
            return vitals.handedOut() == 5 && vitals.oldestInServiceNanos() == 0;
          });
      TargetTally tally = target.tally();
      assertThat(tally.all().operations(ServiceTally.Kind.WRITE)).isEqualTo(5);
      assertThat(tally.all().bytes(ServiceTally.Kind.WRITE)).isEqualTo(50);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
