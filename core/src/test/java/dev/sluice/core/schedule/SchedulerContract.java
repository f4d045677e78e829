package dev.sluice.core.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.sluice.core.model.ClientAddress;
import dev.sluice.core.model.Flow;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Operation;
import dev.sluice.core.model.Rate;
import dev.sluice.testkit.EnduranceScale;
import dev.sluice.testkit.SeededCases;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongFunction;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/**
 * What every {@link RequestScheduler} must do, whatever it prefers. The test of each scheduler
 * extends this class; it is public because those tests live in packages of their own.
 */
public abstract class SchedulerContract {
  /** A scheduler that nothing has happened to, made at the instant at which its history begins. */
  protected abstract RequestScheduler newScheduler(long nowNanos);

  /**
   * Whether at every instant that it names it hands something out. One scheduler in front of
   * another cannot promise that where both make requests wait, only that it is never late.
   */
  protected boolean namesExactInstants() {
    return true;
  }

  /**
   * Whatever happens, in whatever order and at whatever times: every request is handed out once,
   * nothing else is, a job's requests leave in the order in which they came, {@code queued()} is
   * right, the answer is Empty exactly when nothing is queued, NotBefore names the first instant at
   * which something is handed out, a reconfiguration or another capacity drops nothing, what is
   * withdrawn is all that waits, or all of it that is gone, in the order in which it came, two
   * schedulers with the same history give the same answers, and the books agree after every step.
   */
  @Test
  void keepsItsPromisesOnAnyHistory() {
    SeededCases.forAll(
        EnduranceScale.of(1_000, 3_000),
        random -> checkHistory(this::newScheduler, namesExactInstants(), random));
  }

  @Test
  void aRequestIsNotTakenTwice() {
    RequestScheduler scheduler = newScheduler(0);
    Request request = new Request(Flow.of(JobId.of("job"), "target"), Operation.READ, 1, 4_096);
    scheduler.enqueue(request, 0);
    assertThatIllegalStateException().isThrownBy(() -> scheduler.enqueue(request, 0));
    assertThat(scheduler.queued()).isEqualTo(1);
    scheduler.checkInvariants(0);
    assertThat(scheduler.next(0)).isSameAs(request);
    assertThat(scheduler.next(0)).isEqualTo(Dispatch.EMPTY);
  }

  static void checkHistory(LongFunction<RequestScheduler> factory, RandomGenerator random) {
    checkHistory(factory, true, random);
  }

  private static void checkHistory(
      LongFunction<RequestScheduler> factory, boolean exactInstants, RandomGenerator random) {
    new History(factory, exactInstants, random).check();
  }

  private static final class NumberedRequest extends Request {
    /** Its place in the order of arrival. */
    int number;

    NumberedRequest(int number, Flow flow, Operation operation, long operations, long bytes) {
      super(flow, operation, operations, bytes);
      this.number = number;
    }
  }

  /**
   * A request and its double: a request can be in one scheduler only, and a history runs on two.
   */
  private record Twins(NumberedRequest first, NumberedRequest second) {}

  /**
   * One random history, run on two schedulers side by side. The second is never asked earlier than
   * it said to, so that asking in vain is seen to change nothing.
   */
  private static final class History {
    private static final int JOBS_MAX = 20;
    private static final int STEPS_MAX = 200;
    private static final long PERIOD_NANOS = 100_000_000;
    private static final Operation[] OPERATIONS = Operation.values();

    final RandomGenerator random;
    final boolean exactInstants;
    final int jobs;
    final List<Deque<Twins>> waiting = new ArrayList<>();
    final List<Twins> served = new ArrayList<>();
    final RequestScheduler first;
    final RequestScheduler second;
    Shares shares = Shares.NONE;
    int made;

    /** Handed out, or withdrawn for good. */
    int handedOut;

    long nowNanos;

    History(LongFunction<RequestScheduler> factory, boolean exactInstants, RandomGenerator random) {
      this.random = random;
      this.exactInstants = exactInstants;
      jobs = 1 + random.nextInt(JOBS_MAX);
      for (int job = 0; job < jobs; job++) {
        waiting.add(new ArrayDeque<>());
      }
      nowNanos = random.nextLong(1L << random.nextInt(1, 55));
      first = factory.apply(nowNanos);
      second = factory.apply(nowNanos);
    }

    void check() {
      int steps = random.nextInt(STEPS_MAX);
      // Each history leans its own way: queues that run full, queues that run empty.
      int enqueueInTen = random.nextInt(2, 7);
      for (int step = 0; step < steps; step++) {
        if (random.nextBoolean()) {
          nowNanos += random.nextLong(1L << random.nextInt(1, 32));
        }
        int kind = random.nextInt(10);
        if (random.nextInt(25) == 0) {
          reconfigure(random.nextBoolean());
        } else if (random.nextInt(30) == 0) {
          resize();
        } else if (random.nextInt(50) == 0) {
          withdrawAll();
        } else if (random.nextInt(20) == 0) {
          withdrawSome();
        } else if (kind < enqueueInTen) {
          enqueue();
        } else if (kind < 8) {
          ask();
        } else {
          complete();
        }
        checkBooks();
      }
      drain();
    }

    void enqueue() {
      int burst = random.nextInt(8) == 0 ? random.nextInt(2, 20) : 1;
      int job = random.nextInt(jobs);
      for (int i = 0; i < burst; i++) {
        Flow flow =
            new Flow(
                jobId(job),
                "user" + job % 4,
                "group" + job % 2,
                ClientAddress.LOCAL,
                "/export",
                "target");
        Operation operation = OPERATIONS[random.nextInt(OPERATIONS.length)];
        long operations = random.nextInt(6) == 0 ? random.nextInt(5) : 1;
        long bytes =
            switch (random.nextInt(4)) {
              case 0 -> 0;
              case 1 -> 4_096;
              case 2 -> 1 << 20;
              default -> random.nextLong(1 << 20);
            };
        Twins twins =
            new Twins(
                new NumberedRequest(made, flow, operation, operations, bytes),
                new NumberedRequest(made, flow, operation, operations, bytes));
        made++;
        first.enqueue(twins.first, nowNanos);
        second.enqueue(twins.second, nowNanos);
        waiting.get(job).add(twins);
      }
    }

    /** Asks for a request; what must wait is asked for again, often enough when its time comes. */
    void ask() {
      Dispatch answer = askBoth();
      if (answer instanceof Dispatch.NotBefore(long nanos)) {
        if (random.nextInt(3) == 0) {
          askInVain(nanos);
        }
        if (nanos != Long.MAX_VALUE && random.nextInt(3) == 0) {
          nowNanos = nanos;
          Dispatch inTime = askBoth();
          if (exactInstants) {
            assertThat(inTime).as("the answer when its time has come").isInstanceOf(Request.class);
          }
        }
      }
    }

    void askInVain(long nanos) {
      long latest = Math.min(nanos - 1, nowNanos + 10 * PERIOD_NANOS);
      long earlier = random.nextBoolean() ? latest : random.nextLong(nowNanos, latest + 1);
      assertThat(first.next(earlier))
          .as("asked at %s, before %s", earlier, nanos)
          .isEqualTo(new Dispatch.NotBefore(nanos));
      nowNanos = earlier;
    }

    Dispatch askBoth() {
      Dispatch answer = first.next(nowNanos);
      Dispatch same = second.next(nowNanos);
      switch (answer) {
        case Request request -> {
          assertThat(request).isInstanceOf(NumberedRequest.class);
          NumberedRequest numbered = (NumberedRequest) request;
          Twins expected = waiting.get(jobNumber(request)).poll();
          assertThat(expected)
              .as("what waits of the job of request %s", numbered.number)
              .isNotNull();
          assertThat(request).as("the job's oldest request").isSameAs(expected.first);
          assertThat(same).as("the other scheduler's answer").isSameAs(expected.second);
          served.add(expected);
          handedOut++;
        }
        case Dispatch.NotBefore(long nanos) -> {
          assertThat(made).as("requests, when told to wait").isGreaterThan(handedOut);
          assertThat(nanos).as("the instant to wait for").isGreaterThan(nowNanos);
          if (nanos == Long.MAX_VALUE) {
            checkThatOnlyAReconfigurationHelps();
          }
          assertThat(same).as("the other scheduler's answer").isEqualTo(answer);
        }
        case Dispatch.Empty _ -> {
          assertThat(handedOut).as("handed out, when there is no more").isEqualTo(made);
          assertThat(same).as("the other scheduler's answer").isEqualTo(answer);
        }
      }
      return answer;
    }

    void checkThatOnlyAReconfigurationHelps() {
      for (int job = 0; job < jobs; job++) {
        if (!waiting.get(job).isEmpty()) {
          int index = shares.indexOf(jobId(job));
          assertThat(index >= 0 && shares.tokens(index) == 0)
              .as("job %s, told to wait for ever, has no tokens", job)
              .isTrue();
        }
      }
    }

    void complete() {
      if (served.isEmpty()) {
        return;
      }
      Twins twins = served.remove(random.nextInt(served.size()));
      long asked = twins.first.bytes();
      long actual =
          switch (random.nextInt(4)) {
            case 0 -> 0;
            case 1 -> asked;
            case 2 -> random.nextLong(asked + 1);
            default -> asked + random.nextLong(1 << 20);
          };
      long operations = random.nextInt(3) == 0 ? random.nextLong(500) : twins.first.operations();
      first.complete(twins.first, operations, actual, nowNanos);
      second.complete(twins.second, operations, actual, nowNanos);
    }

    void reconfigure(boolean allowZero) {
      List<JobId> listed = new ArrayList<>();
      for (int job = 0; job < jobs; job++) {
        if (random.nextInt(3) > 0) {
          listed.add(jobId(job));
        }
      }
      listed.sort(null);
      long[] tokens = new long[listed.size()];
      long[] weights = new long[listed.size()];
      long[] reserved = new long[listed.size()];
      boolean reserves = random.nextBoolean();
      for (int i = 0; i < tokens.length; i++) {
        tokens[i] =
            switch (random.nextInt(5)) {
              case 0 -> Shares.UNLIMITED;
              case 1 -> allowZero ? 0 : 1;
              default -> 1 + random.nextLong(1L << random.nextInt(1, 24));
            };
        weights[i] = 1 + random.nextLong(1L << random.nextInt(1, 10));
        if (reserves && random.nextBoolean()) {
          reserved[i] = Math.min(tokens[i], random.nextLong(1L << random.nextInt(1, 24)));
        }
      }
      shares =
          Shares.ofColumns(listed.toArray(JobId[]::new), tokens, weights, PERIOD_NANOS)
              .withReserves(reserved);
      first.reconfigure(shares, nowNanos);
      second.reconfigure(shares, nowNanos);
    }

    void resize() {
      long tokensPerSecond =
          random.nextInt(4) == 0
              ? Rate.TOKENS_PER_SECOND_MAX
              : 1 + random.nextLong(1L << random.nextInt(1, 40));
      first.resize(tokensPerSecond, nowNanos);
      second.resize(tokensPerSecond, nowNanos);
    }

    /** Everything that waits comes out in the order of arrival, and can go in again. */
    void withdrawAll() {
      List<Request> withdrawn = first.withdrawAll(nowNanos);
      List<Request> same = second.withdrawAll(nowNanos);
      assertThat(first.queued()).as("queued() after all was withdrawn").isZero();
      first.checkInvariants(nowNanos);
      assertThat(first.next(nowNanos)).isEqualTo(Dispatch.EMPTY);
      assertThat(numbers(withdrawn)).isSorted().hasSize(made - handedOut).isEqualTo(numbers(same));
      withdrawn.forEach(request -> first.enqueue(request, nowNanos));
      same.forEach(request -> second.enqueue(request, nowNanos));
    }

    /** Those that are gone come out in the order of arrival, and all others stay. */
    void withdrawSome() {
      int keptInFour = random.nextInt(4);
      boolean wholeJobs = random.nextBoolean();
      Set<Integer> gone = new HashSet<>();
      for (Deque<Twins> ofJob : waiting) {
        boolean jobIsKept = random.nextInt(4) < keptInFour;
        ofJob.removeIf(twins -> {
          boolean kept = wholeJobs ? jobIsKept : random.nextInt(4) < keptInFour;
          return !kept && gone.add(twins.first.number);
        });
      }
      List<Request> withdrawn = first.withdrawIf(request -> isIn(gone, request), nowNanos);
      List<Request> same = second.withdrawIf(request -> isIn(gone, request), nowNanos);
      handedOut += gone.size();
      assertThat(numbers(withdrawn))
          .isSorted()
          .containsExactlyInAnyOrderElementsOf(gone)
          .isEqualTo(numbers(same));
      checkBooks();
      if (random.nextBoolean()) {
        for (int i = 0; i < withdrawn.size(); i++) {
          comeAgain(new Twins((NumberedRequest) withdrawn.get(i), (NumberedRequest) same.get(i)));
        }
      }
    }

    void comeAgain(Twins twins) {
      twins.first.number = made;
      twins.second.number = made;
      made++;
      first.enqueue(twins.first, nowNanos);
      second.enqueue(twins.second, nowNanos);
      waiting.get(jobNumber(twins.first)).add(twins);
    }

    static boolean isIn(Set<Integer> numbers, Request request) {
      return request instanceof NumberedRequest numbered && numbers.contains(numbered.number);
    }

    static List<Integer> numbers(List<Request> requests) {
      return requests.stream().map(request -> ((NumberedRequest) request).number).toList();
    }

    void checkBooks() {
      assertThat(first.queued()).as("queued()").isEqualTo(made - handedOut);
      first.checkInvariants(nowNanos);
      second.checkInvariants(nowNanos);
    }

    /** With time moving to each instant the scheduler names, everything is served. */
    void drain() {
      if (anyoneWithoutTokens()) {
        reconfigure(false);
      }
      boolean waited = false;
      while (handedOut < made) {
        switch (askBoth()) {
          case Dispatch.NotBefore(long nanos) -> {
            assertThat(waited && exactInstants)
                .as("told to wait again when its time has come")
                .isFalse();
            assertThat(nanos).as("the instant to wait for").isLessThan(Long.MAX_VALUE);
            nowNanos = nanos;
            waited = true;
          }
          case Request _, Dispatch.Empty _ -> waited = false;
        }
        if (!waited && random.nextInt(4) == 0) {
          complete();
        }
        checkBooks();
      }
      assertThat(askBoth()).isEqualTo(Dispatch.EMPTY);
      while (!served.isEmpty()) {
        complete();
        checkBooks();
      }
      assertThat(askBoth()).isEqualTo(Dispatch.EMPTY);
    }

    boolean anyoneWithoutTokens() {
      for (int i = 0; i < shares.size(); i++) {
        if (shares.tokens(i) == 0) {
          return true;
        }
      }
      return false;
    }

    static JobId jobId(int job) {
      return JobId.of("job" + job);
    }

    static int jobNumber(Request request) {
      return Integer.parseInt(request.job().toString().substring("job".length()));
    }
  }
}
