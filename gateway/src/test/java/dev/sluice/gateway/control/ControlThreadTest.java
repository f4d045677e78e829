package dev.sluice.gateway.control;

import static dev.sluice.testkit.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.model.JobId;
import dev.sluice.core.policy.PolicyInfo;
import dev.sluice.document.LimitsReader;
import dev.sluice.gateway.config.PolicyChoice;
import dev.sluice.jobs.JobDirectory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ControlThreadTest {
  private static final JobId A = JobId.of("a");

  private final FakeTarget target = new FakeTarget("t");

  @Test
  void decidesByTheClock() throws Exception {
    synchronized (target) {
      target.arrived.put(A, 5L);
    }
    TestPolicy policy = new TestPolicy(PolicyInfo.Scope.EACH_TARGET_ALONE);
    try (ControlThread _ = new ControlThread(plan(policy.choice()), PolicyControls.FORGETFUL)) {
      await("three tokens", () -> target.tokens("a") >= 3);
    }
  }

  /** A policy that never comes back must not keep the gateway from another, nor from stopping. */
  @Test
  void aPolicyThatHangsIsLeftBehind() throws Exception {
    CountDownLatch hangs = new CountDownLatch(1);
    TestPolicy policy = new TestPolicy(PolicyInfo.Scope.EACH_TARGET_ALONE);
    policy.before =
        () -> {
          hangs.countDown();
          while (policy.before != null) {
            Thread.onSpinWait();
          }
        };
    try (ControlThread control =
        new ControlThread(plan(policy.choice()), PolicyControls.FORGETFUL)) {
      hangs.await();
      control.loop().decideBy(PolicyChoice.of("fair", Map.of()), System.nanoTime());
      await(
          "decisions",
          () -> control.loop().status(System.nanoTime()).targets().getFirst().decisions() > 1);
    } finally {
      policy.before = null;
    }
  }

  @Test
  void everythingMayChangeAtOnceAndTheLoopGoesOn() throws Exception {
    AtomicReference<@Nullable Throwable> failed = new AtomicReference<>();
    String[] policies = {"none", "static", "fair", "adaptbf"};
    try (ControlThread control =
        new ControlThread(
            plan(PolicyChoice.of("fair", Map.of("period", "1 ms"))), PolicyControls.FORGETFUL)) {
      List<Thread> threads = new ArrayList<>();
      for (int t = 0; t < 4; t++) {
        int number = t;
        threads.add(
            Thread.ofPlatform()
                .uncaughtExceptionHandler((_, e) -> failed.set(e))
                .start(() -> {
                  for (int i = 0; i < 300; i++) {
                    long now = System.nanoTime();
                    ControlLoop loop = control.loop();
                    switch ((i + number) % 4) {
                      case 0 ->
                          loop.decideBy(
                              PolicyChoice.of(policies[i % 4], Map.of("period", "1 ms")), now);
                      case 1 -> loop.observeOnly(i % 8 < 4, now);
                      case 2 -> loop.setJob(A, i + 1L, LimitsReader.limit("1 MB/s"), now);
                      default -> loop.status(now);
                    }
                    control.wake();
                  }
                }));
      }
      for (Thread thread : threads) {
        thread.join();
      }
      control.loop().observeOnly(false, System.nanoTime());
      control.loop().decideBy(PolicyChoice.of("fair", Map.of("period", "1 ms")), System.nanoTime());
      await(
          "decisions",
          () -> control.loop().status(System.nanoTime()).targets().getFirst().decisions() > 3);
    }
    assertThat(failed.get()).isNull();
  }

  private ControlPlan plan(PolicyChoice choice) {
    return new ControlPlan(choice, false, List.of(target), List.of(), JobDirectory.EMPTY);
  }
}
