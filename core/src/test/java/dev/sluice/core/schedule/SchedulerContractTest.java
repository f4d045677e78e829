package dev.sluice.core.schedule;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.model.Flow;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Operation;
import dev.sluice.core.schedule.fifo.FifoScheduler;
import dev.sluice.testkit.SeededCases;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Shows that the contract can fail: each scheduler here breaks one of its promises. */
class SchedulerContractTest {
  /** Right in everything until a subclass breaks it. */
  private static class Forwarding implements RequestScheduler {
    final FifoScheduler sound = new FifoScheduler();
    int calls;

    @Override
    public void enqueue(Request request, long nowNanos) {
      sound.enqueue(request, nowNanos);
    }

    @Override
    public Dispatch next(long nowNanos) {
      return sound.next(nowNanos);
    }

    @Override
    public void complete(Request request, long actualOperations, long actualBytes, long nowNanos) {
      sound.complete(request, actualOperations, actualBytes, nowNanos);
    }

    @Override
    public void reconfigure(Shares shares, long nowNanos) {
      sound.reconfigure(shares, nowNanos);
    }

    @Override
    public List<Request> withdrawAll(long nowNanos) {
      return sound.withdrawAll(nowNanos);
    }

    @Override
    public List<Request> withdrawIf(Predicate<? super Request> gone, long nowNanos) {
      return sound.withdrawIf(gone, nowNanos);
    }

    @Override
    public int queued() {
      return sound.queued();
    }

    @Override
    public void checkInvariants(long nowNanos) {
      sound.checkInvariants(nowNanos);
    }
  }

  @Test
  void aSoundSchedulerPasses() {
    SeededCases.forAll(
        100, random -> SchedulerContract.checkHistory(_ -> new Forwarding(), random));
  }

  @Test
  void losingARequestIsSeen() {
    assertBroken(_ ->
        new Forwarding() {
          @Override
          public void reconfigure(Shares shares, long nowNanos) {
            sound.next(nowNanos);
          }
        });
  }

  @Test
  void inventingARequestIsSeen() {
    assertBroken(_ ->
        new Forwarding() {
          @Override
          public Dispatch next(long nowNanos) {
            return ++calls % 10 == 0
                ? new Request(Flow.of(JobId.of("job0"), "target"), Operation.READ, 1, 1)
                : sound.next(nowNanos);
          }
        });
  }

  @Test
  void servingTheNewestFirstIsSeen() {
    assertBroken(_ ->
        new Forwarding() {
          final Deque<Request> stack = new ArrayDeque<>();

          @Override
          public void enqueue(Request request, long nowNanos) {
            stack.push(request);
          }

          @Override
          public Dispatch next(long nowNanos) {
            return stack.isEmpty() ? Dispatch.EMPTY : stack.pop();
          }

          @Override
          public int queued() {
            return stack.size();
          }
        });
  }

  @Test
  void aDeadlineThatHasPassedIsSeen() {
    assertBroken(_ -> waiting(0, 0));
  }

  @Test
  void aDeadlineAtWhichNothingIsReadyIsSeen() {
    assertBroken(_ -> waiting(1_000, 1));
  }

  @Test
  void aDeadlineAfterWhichThereIsAnotherIsSeen() {
    assertBroken(_ -> waiting(1_000, -1));
  }

  @Test
  void aDeadlineThatIsKeptPasses() {
    SeededCases.forAll(
        100, random -> SchedulerContract.checkHistory(_ -> waiting(1_000, 0), random));
  }

  @Test
  void beingTiredForEverIsSeen() {
    assertBroken(_ ->
        new Forwarding() {
          @Override
          public Dispatch next(long nowNanos) {
            return queued() > 0 ? new Dispatch.NotBefore(Long.MAX_VALUE) : sound.next(nowNanos);
          }
        });
  }

  @Test
  void emptyWhileSomethingWaitsIsSeen() {
    assertBroken(_ ->
        new Forwarding() {
          @Override
          public Dispatch next(long nowNanos) {
            return ++calls % 7 == 0 ? Dispatch.EMPTY : sound.next(nowNanos);
          }
        });
  }

  @Test
  void waitingForNothingIsSeen() {
    assertBroken(_ ->
        new Forwarding() {
          @Override
          public Dispatch next(long nowNanos) {
            return queued() == 0 ? new Dispatch.NotBefore(nowNanos + 1) : sound.next(nowNanos);
          }
        });
  }

  @Test
  void withdrawingTooMuchIsSeen() {
    assertBroken(_ ->
        new Forwarding() {
          @Override
          public List<Request> withdrawIf(Predicate<? super Request> gone, long nowNanos) {
            return sound.withdrawAll(nowNanos);
          }
        });
  }

  @Test
  void aWrongCountIsSeen() {
    assertBroken(_ ->
        new Forwarding() {
          @Override
          public int queued() {
            return Math.min(20, sound.queued());
          }
        });
  }

  @Test
  void booksThatDoNotAgreeAreSeen() {
    assertBroken(_ ->
        new Forwarding() {
          @Override
          public void checkInvariants(long nowNanos) {
            if (++calls == 5) {
              throw new IllegalStateException("broken books");
            }
          }
        });
  }

  @Test
  void twoSchedulersThatDisagreeAreSeen() {
    int[] made = {0};
    assertBroken(_ ->
        made[0]++ % 2 == 0
            ? new Forwarding()
            : new Forwarding() {
              @Override
              public Dispatch next(long nowNanos) {
                return ++calls == 20 ? new Dispatch.NotBefore(nowNanos + 1) : sound.next(nowNanos);
              }
            });
  }

  private static void assertBroken(LongFunction<RequestScheduler> factory) {
    assertThatThrownBy(() ->
            SeededCases.forAll(200, random -> SchedulerContract.checkHistory(factory, random)))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("seed");
  }

  /** Hands out one request per pause, and names an instant that is off by {@code errorNanos}. */
  private static Forwarding waiting(long pauseNanos, long errorNanos) {
    return new Forwarding() {
      long readyNanos = Long.MIN_VALUE;

      @Override
      public Dispatch next(long nowNanos) {
        if (queued() == 0) {
          return Dispatch.EMPTY;
        }
        if (nowNanos < readyNanos + errorNanos || (pauseNanos == 0 && ++calls % 2 == 0)) {
          return new Dispatch.NotBefore(readyNanos);
        }
        readyNanos = nowNanos + pauseNanos;
        return sound.next(nowNanos);
      }
    };
  }
}
