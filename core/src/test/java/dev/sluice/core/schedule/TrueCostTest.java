package dev.sluice.core.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.core.classify.FlowMatch;
import dev.sluice.core.model.Flow;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Operation;
import dev.sluice.core.model.Rate;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.schedule.limit.LimitedScheduler;
import dev.sluice.core.schedule.registry.Schedulers;
import dev.sluice.core.schedule.tbf.TbfLimit;
import dev.sluice.core.schedule.tbf.TbfRule;
import dev.sluice.testkit.EnduranceScale;
import dev.sluice.testkit.SeededCases;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What requests turn out to cost is what jobs pay, however much more or less that is. */
class TrueCostTest {
  private static final long SECOND = Rate.NANOS_PER_SECOND;
  private static final int OPERATIONS_MAX = 400;
  private static final JobId JOB = JobId.of("job");

  /** What a request turns out to cost, and when that is told. */
  private record Cost(Request request, long operations, long bytes, long toldNanos) {}

  /** A job that always has something waiting, and what it truly got. */
  private static final class Greedy {
    final RequestScheduler scheduler;
    final RandomGenerator random;
    final long latestNanos;
    final PriorityQueue<Cost> untold =
        new PriorityQueue<>(Comparator.comparingLong(Cost::toldNanos));
    long operations;
    long bytes;

    /** What those cost that were not told of when the last one was handed out. */
    long untoldOperations;

    long untoldBytes;

    Greedy(RequestScheduler scheduler, long latestNanos, RandomGenerator random) {
      this.scheduler = scheduler;
      this.random = random;
      this.latestNanos = latestNanos;
    }

    /** Takes all it gets, at the very instants at which it gets it. */
    void run(long beginNanos, long endNanos) {
      long now = beginNanos;
      for (int i = 0; i < 3; i++) {
        scheduler.enqueue(newRequest(), now);
      }
      while (now < endNanos) {
        switch (scheduler.next(now)) {
          case Request request -> {
            serve(request, now);
            scheduler.enqueue(newRequest(), now);
          }
          case Dispatch.NotBefore(long nanos) -> {
            Cost first = untold.peek();
            now = first == null ? nanos : Math.min(nanos, first.toldNanos);
          }
          case Dispatch.Empty _ -> throw new AssertionError("something waits");
        }
        tell(now);
        scheduler.checkInvariants(now);
      }
    }

    private Request newRequest() {
      Operation operation = random.nextBoolean() ? Operation.READDIR : Operation.WRITE;
      return new Request(Flow.of(JOB, "t"), operation, 1, operation == Operation.WRITE ? 1_000 : 0);
    }

    /** A directory is dearer than was thought, and that is told later; a short write at once. */
    private void serve(Request request, long nowNanos) {
      Cost cost =
          request.operation() == Operation.WRITE
              ? new Cost(request, 1, random.nextLong(1_001), nowNanos)
              : new Cost(
                  request,
                  1 + random.nextLong(OPERATIONS_MAX),
                  random.nextLong(1_000),
                  nowNanos + random.nextLong(latestNanos + 1));
      operations += cost.operations;
      bytes += cost.bytes;
      untold.add(cost);
      untoldOperations = untold.stream().mapToLong(Cost::operations).sum();
      untoldBytes = untold.stream().mapToLong(Cost::bytes).sum();
    }

    private void tell(long nowNanos) {
      for (Cost cost = untold.peek();
          cost != null && cost.toldNanos <= nowNanos;
          cost = untold.peek()) {
        untold.remove();
        scheduler.complete(cost.request, cost.operations, cost.bytes, nowNanos);
      }
    }

    long worth(TokenUnit unit) {
      return unit.price(operations, bytes);
    }

    long untoldWorth(TokenUnit unit) {
      return unit.price(untoldOperations, untoldBytes);
    }
  }

  /** The theorem above {@link LimitedScheduler} for what requests truly cost. */
  @ParameterizedTest
  @EnumSource
  void aLimitedJobGetsItsLimitNoMoreAndNoLess(SchedulerKind inner) {
    SeededCases.forAll(
        EnduranceScale.of(15, 60),
        random -> {
          TokenUnit unit =
              switch (random.nextInt(3)) {
                case 0 -> TokenUnit.OPERATIONS;
                case 1 -> TokenUnit.BYTES;
                default -> new TokenUnit(1 + random.nextLong(4_096), 1);
              };
          TbfLimit limit = limit(unit, random);
          LimitedScheduler scheduler = limited(inner, limit, null);
          Greedy job = new Greedy(scheduler, random.nextLong(SECOND), random);
          long seconds = 300;
          job.run(0, seconds * SECOND);
          long largest = unit.price(OPERATIONS_MAX, 1_000);
          long due = limit.rate().tokens() * seconds;
          assertThat(job.worth(unit))
              .isBetween(
                  due - largest, due + limit.depthTokens() + largest + job.untoldWorth(unit));
        });
  }

  private static TbfLimit limit(TokenUnit unit, RandomGenerator random) {
    long ordinary = unit.price(OPERATIONS_MAX / 4, 500);
    long rate = ordinary + random.nextLong(10 * ordinary);
    return new TbfLimit(unit, Rate.perSecond(rate), 1 + random.nextLong(3 * ordinary));
  }

  private static LimitedScheduler limited(
      SchedulerKind inner, TbfLimit limit, @Nullable TbfLimit second) {
    Target target = new Target("t", 1_000_000_000, TokenUnit.OPERATIONS);
    LimitedScheduler scheduler = new LimitedScheduler(Schedulers.create(inner, target), target);
    scheduler.limit(List.of(new TbfRule("rule", FlowMatch.ofJob(JOB), limit, second)), 0);
    return scheduler;
  }

  /** Half of the requests do 200 operations on average, and all move 500 bytes. */
  @Test
  void ofTwoLimitsTheTighterIsUsedUpAndTheOtherHolds() {
    SeededCases.forAll(
        EnduranceScale.of(15, 60),
        random -> {
          boolean operationsAreTighter = random.nextBoolean();
          long requests = 20 + random.nextLong(100);
          long operations = requests * 100;
          long bytes = requests * 500;
          TbfLimit first =
              TbfLimit.of(
                  TokenUnit.OPERATIONS,
                  Rate.perSecond(operationsAreTighter ? operations : 5 * operations));
          TbfLimit second =
              TbfLimit.of(
                  TokenUnit.BYTES, Rate.perSecond(operationsAreTighter ? 5 * bytes : bytes));
          LimitedScheduler scheduler = limited(SchedulerKind.FAIR, first, second);
          Greedy job = new Greedy(scheduler, SECOND / 100, random);
          long seconds = 100;
          job.run(0, seconds * SECOND);
          double operationsUsed = (double) job.operations / (first.rate().tokens() * seconds);
          double bytesUsed = (double) job.bytes / (second.rate().tokens() * seconds);
          double over = 0.05 + (double) second.depthTokens() / (second.rate().tokens() * seconds);
          assertThat(operationsUsed).isLessThan(1.05);
          assertThat(bytesUsed).isLessThan(1 + over);
          assertThat(operationsAreTighter ? operationsUsed : bytesUsed).isGreaterThan(0.97);
        });
  }

  /** A share in tokens is kept as exactly as a limit. */
  @ParameterizedTest
  @EnumSource(names = {"TBF", "MLWDF"})
  void aJobGetsItsTokensNoMoreAndNoLess(SchedulerKind kind) {
    SeededCases.forAll(
        EnduranceScale.of(15, 60),
        random -> {
          Target target = new Target("t", 1_000_000, TokenUnit.OPERATIONS);
          RequestScheduler scheduler = Schedulers.create(kind, target);
          long tokens = 100 + random.nextLong(1_000);
          scheduler.reconfigure(
              Shares.ofColumns(new JobId[] {JOB}, new long[] {tokens}, new long[] {1}, SECOND), 0);
          Greedy job = new Greedy(scheduler, random.nextLong(SECOND / 10), random);
          long seconds = 300;
          job.run(0, seconds * SECOND);
          long due = tokens * seconds;
          assertThat(job.operations)
              .isBetween(
                  due - OPERATIONS_MAX,
                  due + tokens + OPERATIONS_MAX + job.untoldWorth(TokenUnit.OPERATIONS));
        });
  }

  /** Whoever orders by shares divides what requests truly cost, not what they were taken for. */
  @ParameterizedTest
  @EnumSource(names = {"FAIR", "IOSETS", "SOJOURN"})
  void sharesAreSharesOfWhatItTrulyCosts(SchedulerKind kind) {
    SeededCases.forAll(
        EnduranceScale.of(15, 100),
        random -> {
          Target target = new Target("t", 1_000_000, TokenUnit.OPERATIONS);
          RequestScheduler scheduler = Schedulers.create(kind, target);
          JobId other = JobId.of("other");
          long weight = 1 + random.nextLong(9);
          scheduler.reconfigure(
              Shares.ofColumns(
                  new JobId[] {JOB, other},
                  new long[] {Shares.UNLIMITED, Shares.UNLIMITED},
                  new long[] {weight, 10 + weight},
                  SECOND),
              0);
          long entries = 1 + random.nextLong(OPERATIONS_MAX);
          long[] operations = {0, 0};
          for (int i = 0; i < 4; i++) {
            scheduler.enqueue(directory(JOB), 0);
            scheduler.enqueue(directory(other), 0);
          }
          for (int i = 0; i < 40_000; i++) {
            Request request = (Request) scheduler.next(0);
            boolean large = request.job().equals(JOB);
            operations[large ? 0 : 1] += large ? entries : 1;
            scheduler.enqueue(directory(request.job()), 0);
            scheduler.complete(request, large ? entries : 1, 0, 0);
          }
          double share = (double) operations[0] / (operations[0] + operations[1]);
          assertThat(share).isCloseTo((double) weight / (10 + 2 * weight), within(0.05));
        });
  }

  private static Request directory(JobId job) {
    return new Request(Flow.of(job, "t"), Operation.READDIR, 1, 0);
  }
}
