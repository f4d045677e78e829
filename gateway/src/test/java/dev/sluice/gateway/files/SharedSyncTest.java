package dev.sluice.gateway.files;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testkit.Eventually;
import dev.sluice.testkit.SeededCases;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class SharedSyncTest {
  /** A storage that keeps what was written before a call began, if the call succeeds. */
  private static final class Storage {
    final AtomicInteger written = new AtomicInteger();
    final AtomicInteger underWay = new AtomicInteger();
    final AtomicInteger calls = new AtomicInteger();
    volatile int kept;
    volatile boolean overlapped;

    int sync(boolean fails, int pauses) {
      overlapped |= underWay.incrementAndGet() > 1;
      calls.incrementAndGet();
      int seen = written.get();
      for (int i = 0; i < pauses; i++) {
        Thread.onSpinWait();
      }
      if (!fails) {
        kept = Math.max(kept, seen);
      }
      underWay.decrementAndGet();
      return fails ? -5 : 0;
    }
  }

  @Test
  void whoIsToldThatItIsStableHasItStable() throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
      SeededCases.forAll(300, random -> race(threads, random));
    }
  }

  private static void race(ExecutorService threads, RandomGenerator random) throws Exception {
    Storage storage = new Storage();
    SharedSync shared = new SharedSync();
    List<Future<Boolean>> askers = new ArrayList<>();
    for (int asker = 0; asker < 8; asker++) {
      int pauses = random.nextInt(200);
      boolean fails = random.nextInt(20) == 0;
      askers.add(
          threads.submit(() -> {
            boolean held = true;
            for (int i = 0; i < 50; i++) {
              int mine = storage.written.incrementAndGet();
              int result = shared.ask(() -> storage.sync(fails, pauses));
              held &= result < 0 || storage.kept >= mine;
            }
            return held;
          }));
    }
    for (Future<Boolean> asker : askers) {
      assertThat(asker.get()).isTrue();
    }
    assertThat(storage.overlapped).isFalse();
    assertThat(storage.calls.get()).isBetween(1, 400);
  }

  @Test
  void allWhoAskMeanwhileShareOneCallAndItsFailure() throws Exception {
    SharedSync shared = new SharedSync();
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    AtomicInteger calls = new AtomicInteger();
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      Future<Integer> first =
          threads.submit(() ->
              shared.ask(() -> {
                begun.countDown();
                await(goOn);
                return 0;
              }));
      begun.await();
      List<Thread> waiting = new ArrayList<>();
      List<Integer> answers = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        waiting.add(
            Thread.ofPlatform()
                .start(() -> {
                  int answer =
                      shared.ask(() -> {
                        calls.incrementAndGet();
                        return -5;
                      });
                  synchronized (answers) {
                    answers.add(answer);
                  }
                }));
      }
      for (Thread thread : waiting) {
        Eventually.await("waits", () -> thread.getState() == Thread.State.WAITING);
      }
      goOn.countDown();
      assertThat(first.get()).isZero();
      for (Thread thread : waiting) {
        thread.join();
      }
      assertThat(calls.get()).isEqualTo(1);
      assertThat(answers).hasSize(20).containsOnly(-5);
    }
  }

  @Test
  void aCallThatThrowsIsAFailureToAllAndEndsNothing() {
    SharedSync shared = new SharedSync();
    try {
      shared.ask(() -> {
        throw new IllegalStateException("broken");
      });
    } catch (IllegalStateException e) {
      assertThat(e).hasMessage("broken");
    }
    assertThat(shared.ask(() -> 7)).isEqualTo(7);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
