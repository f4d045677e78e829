package dev.sluice.gateway.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.core.capacity.CapacityBelief;
import dev.sluice.core.capacity.CapacityBounds;
import dev.sluice.core.model.Flow;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Operation;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.schedule.Dispatch;
import dev.sluice.core.schedule.SchedulerKind;
import dev.sluice.core.schedule.Shares;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/** A target whose capacity is found out, in virtual time, before a disk that serves in turn. */
class FoundCapacityTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long PERIOD = SECOND / 10;
  private static final int BYTES = 256 << 10;
  private static final TokenUnit UNIT = new TokenUnit(16 << 10, 1);
  private static final JobId ONE = JobId.of("one");
  private static final JobId THREE = JobId.of("three");

  /** What the disk takes for a request: 160 a second. */
  private static final long SERVICE_NANOS = SECOND / 160;

  private static final long QUICK_NANOS = 100_000;

  private static final double TOKENS_PER_SECOND = 160.0 * (BYTES + (16 << 10));

  private final Map<JobId, Long> served = new HashMap<>();

  private record InService(Write request, long endNanos) {}

  private static final class Write extends TargetRequest {
    Write(JobId job) {
      super(Flow.of(job, "disk"), Operation.WRITE, BYTES);
    }

    @Override
    protected void detach() {}

    @Override
    protected Served serve() {
      return Served.moved(BYTES);
    }

    @Override
    protected boolean isWanted() {
      return true;
    }

    @Override
    protected void abandon() {}
  }

  private static TargetQueue queue(SchedulerKind kind, CapacityBounds bounds) {
    Target unsaid = new Target("disk", 2_000_000_000_000L, UNIT);
    return new TargetQueue(new TargetSettings(unsaid, true, 64, bounds), kind, 0);
  }

  /**
   * Keeps both jobs busy.
   *
   * @param sliceNanos the disk takes so much work at once and then stands still for the rest; as
   *     the kernel's throttling does
   */
  private void run(TargetQueue queue, Shares shares, long sliceNanos, long untilNanos) {
    run(queue, shares, sliceNanos, 0, untilNanos);
  }

  /** The same, where the job of weight 3 has one request at first, and all others later. */
  private void run(
      TargetQueue queue, Shares shares, long sliceNanos, long threeFromNanos, long untilNanos) {
    for (int i = 0; i < 64; i++) {
      queue.arrive(new Write(ONE), 0);
    }
    queue.arrive(new Write(THREE), 0);
    boolean threeCame = false;
    Queue<InService> serving = new ArrayDeque<>();
    long freeAtNanos = 0;
    long decideAtNanos = 0;
    long now = 0;
    while (now < untilNanos) {
      if (!threeCame && now >= threeFromNanos) {
        threeCame = true;
        for (int i = 1; i < 64; i++) {
          queue.arrive(new Write(THREE), now);
        }
      }
      if (now >= decideAtNanos) {
        queue.endPeriod(now);
        queue.reconfigure(shares, now);
        decideAtNanos += PERIOD;
      }
      Dispatch next = queue.next(now);
      while (next instanceof Write write) {
        write.startedNanos = now;
        freeAtNanos =
            Math.max(freeAtNanos, sliceNanos == 0 ? now : now / sliceNanos * sliceNanos)
                + SERVICE_NANOS;
        long endNanos = freeAtNanos;
        if (sliceNanos > 0) {
          // All the work of a slice is done at once when it begins.
          endNanos = Math.max(now, (freeAtNanos - 1) / sliceNanos * sliceNanos) + QUICK_NANOS;
        }
        serving.add(new InService(write, endNanos));
        next = queue.next(now);
      }
      long wakeNanos = decideAtNanos;
      if (next instanceof Dispatch.NotBefore wait) {
        wakeNanos = Math.min(wakeNanos, wait.nanos());
      }
      InService first = serving.peek();
      if (first != null && first.endNanos <= wakeNanos) {
        serving.remove();
        now = Math.max(now, first.endNanos);
        queue.complete(first.request, 1, BYTES, now);
        served.merge(first.request.job(), 1L, Long::sum);
        if (threeCame || first.request.job().equals(ONE)) {
          queue.arrive(new Write(first.request.job()), now);
        }
      } else {
        now = Math.max(now + 1, wakeNanos);
      }
    }
    queue.checkInvariants();
  }

  private static Shares shares(long reservedTokens) {
    return Shares.ofColumns(
            new JobId[] {ONE, THREE},
            new long[] {Shares.UNLIMITED, Shares.UNLIMITED},
            new long[] {1, 3},
            PERIOD)
        .withReserves(new long[] {reservedTokens, 0});
  }

  private double partOfOne() {
    long one = served.getOrDefault(ONE, 0L);
    return (double) one / (one + served.getOrDefault(THREE, 0L));
  }

  @Test
  void aDiskNobodyDescribedIsDividedByNodes() {
    TargetQueue queue = queue(SchedulerKind.FAIR, CapacityBounds.none(64));
    run(queue, shares(0), 0, 60 * SECOND);
    assertThat(partOfOne()).isCloseTo(0.25, within(0.01));
    CapacityBelief belief = Objects.requireNonNull(queue.belief(60 * SECOND));
    assertThat(belief.known()).isTrue();
    assertThat((double) queue.target().tokensPerSecond())
        .isCloseTo(TOKENS_PER_SECOND, within(0.1 * TOKENS_PER_SECOND));
    assertThat(belief.depth()).isLessThan(4);
  }

  /** It would have the disk to itself for as long as the other had, by a capacity of no end. */
  @Test
  void whoComesBackIsAheadByNoMoreThanSecondsOfWhatWasFound() {
    TargetQueue queue = queue(SchedulerKind.SOJOURN, CapacityBounds.none(64));
    run(queue, shares(0), 0, 30 * SECOND, 40 * SECOND);
    double partOfTen = served.getOrDefault(THREE, 0L) * SERVICE_NANOS / (10.0 * SECOND);
    assertThat(partOfTen).isBetween(0.7, 0.9);
  }

  @Test
  void aReserveIsKept() {
    TargetQueue queue = queue(SchedulerKind.FAIR, CapacityBounds.none(64));
    run(queue, shares((long) (TOKENS_PER_SECOND / 20)), 0, 60 * SECOND);
    assertThat(partOfOne()).isCloseTo(0.5, within(0.02));
  }

  @Test
  void aReserveIsKeptOnADiskThatServesInBursts() {
    TargetQueue queue = queue(SchedulerKind.FAIR, CapacityBounds.none(64));
    run(queue, shares((long) (TOKENS_PER_SECOND / 20)), SECOND / 10, 60 * SECOND);
    assertThat(partOfOne()).isGreaterThan(0.48);
  }

  @Test
  void whatWasFoundStaysWhileTheBoundsDo() {
    CapacityBounds bounds = CapacityBounds.none(64);
    TargetQueue queue = queue(SchedulerKind.FAIR, bounds);
    run(queue, shares(0), 0, 20 * SECOND);
    long found = queue.target().tokensPerSecond();
    queue.find(CapacityBounds.none(64), 20 * SECOND);
    assertThat(queue.target().tokensPerSecond()).isEqualTo(found);
    queue.find(null, 20 * SECOND);
    assertThat(queue.belief(20 * SECOND)).isNull();
    assertThat(queue.target().tokensPerSecond()).isEqualTo(2_000_000_000_000L);
  }
}
