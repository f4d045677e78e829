package dev.sluice.core.schedule.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.core.classify.FlowMatch;
import dev.sluice.core.model.Flow;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Operation;
import dev.sluice.core.model.Rate;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.schedule.Dispatch;
import dev.sluice.core.schedule.Request;
import dev.sluice.core.schedule.SchedulerKind;
import dev.sluice.core.schedule.registry.Schedulers;
import dev.sluice.core.schedule.tbf.TbfLimit;
import dev.sluice.core.schedule.tbf.TbfRule;
import dev.sluice.testkit.SeededCases;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a job saves while it asks for less than its limit, and spends above it. */
class BurstCreditsTest {
  private static final long SECOND = Rate.NANOS_PER_SECOND;
  private static final long BYTES = 256 << 10;
  private static final Target TARGET = new Target("t", 1_000_000_000, TokenUnit.BYTES);

  /** A job that always wants more, on a target that serves a request in a millisecond. */
  private static final class World {
    private static final long SERVICE_NANOS = 1_000_000;

    final LimitedScheduler scheduler;
    final List<Long> servedNanos = new ArrayList<>();
    long nowNanos;

    World(long bytesPerSecond, long burstSeconds) {
      scheduler = new LimitedScheduler(Schedulers.create(SchedulerKind.FAIR, TARGET), TARGET);
      TbfLimit limit =
          new TbfLimit(
              TokenUnit.BYTES, Rate.perSecond(bytesPerSecond), bytesPerSecond * burstSeconds);
      scheduler.limit(
          List.of(new TbfRule("slow", FlowMatch.parse("job=a"), limit, null)), nowNanos);
      request();
    }

    private void request() {
      scheduler.enqueue(
          new Request(Flow.of(JobId.of("a"), "t"), Operation.WRITE, 1, BYTES), nowNanos);
    }

    /** Wants all it can get until then. */
    void busyUntil(long untilNanos) {
      while (nowNanos < untilNanos) {
        switch (scheduler.next(nowNanos)) {
          case Request served -> {
            servedNanos.add(nowNanos);
            scheduler.complete(served, 1, BYTES, nowNanos);
            nowNanos += SERVICE_NANOS;
            request();
          }
          case Dispatch.NotBefore(long nanos) -> nowNanos = nanos;
          case Dispatch.Empty _ -> throw new AssertionError("something is always queued");
        }
      }
    }

    double servedBytes(long fromNanos, long untilNanos) {
      return (double)
          (BYTES
              * servedNanos.stream()
                  .filter(nanos -> nanos >= fromNanos && nanos < untilNanos)
                  .count());
    }
  }

  @Test
  void whatWasSavedIsSpentAboveTheLimitAndNoMore() {
    SeededCases.forAll(
        50,
        random -> {
          long rate = 2_000_000 + random.nextLong(20_000_000);
          long burst = 1 + random.nextLong(10);
          World world = new World(rate, burst);
          world.busyUntil(2 * burst * SECOND);
          // However long it asks for nothing, it saves no more than it may.
          long idle = random.nextLong(3 * burst) * SECOND;
          long from = world.nowNanos + idle;
          world.nowNanos = from;
          world.busyUntil(from + burst * SECOND);
          double saved = (double) Math.min(idle / SECOND * rate, burst * rate);
          double had = world.servedBytes(from, from + burst * SECOND);
          assertThat(had)
              .as("spent above the limit")
              .isCloseTo(saved + burst * (double) rate, within(3.0 * BYTES));
        });
  }

  @Test
  void overNoTimeIsItMoreThanTheRateAndTheCredits() {
    SeededCases.forAll(
        20,
        random -> {
          long rate = 2_000_000 + random.nextLong(10_000_000);
          long burst = 1 + random.nextLong(5);
          World world = new World(rate, burst);
          for (int i = 0; i < 4; i++) {
            world.busyUntil(world.nowNanos + random.nextLong(2 * burst * SECOND));
            world.nowNanos += random.nextLong(2 * burst * SECOND);
          }
          List<Long> served = world.servedNanos;
          for (int first = 0; first < served.size(); first += 7) {
            for (int last = first; last < served.size(); last += 11) {
              double bytes = (double) (last - first + 1) * BYTES;
              double seconds = (double) (served.get(last) - served.get(first)) / SECOND;
              assertThat(bytes)
                  .isLessThanOrEqualTo((double) Math.max(BYTES, burst * rate) + rate * seconds + 1);
            }
          }
        });
  }
}
