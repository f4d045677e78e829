package dev.sluice.gateway.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.core.model.Operation;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.schedule.SchedulerKind;
import dev.sluice.testkit.SeededCases;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Shares of jobs that have one request outstanding, and never queue. */
class AnticipationTest {
  private static final long MILLI = 1_000_000;
  private static final long SECOND = 1_000_000_000;
  private static final int LARGE = 1 << 20;

  /** What a client needs from one request to the next beside thinking. */
  private static final long STORAGE_NANOS = MILLI;

  private static TargetQueue queue(SchedulerKind kind, long bytesPerSecond) {
    Target target = new Target("disk", bytesPerSecond, TokenUnit.BYTES);
    return new TargetQueue(new TargetSettings(target, true, 8), kind, 0);
  }

  /** Two clients that write with one request outstanding, of jobs with one node and with three. */
  @ParameterizedTest
  @EnumSource(
      value = SchedulerKind.class,
      names = {"FAIR", "SOJOURN"})
  void aJobOfThreeNodesGetsThreeQuarters(SchedulerKind kind) {
    for (long think = 1; think <= 12; think++) {
      long thinkNanos = think * MILLI;
      TargetQueue queue = queue(kind, 100_000_000);
      ClosedLoop loop = new ClosedLoop(queue);
      loop.add("one", 1, LARGE, 1, () -> thinkNanos);
      ClosedLoop.Client three = loop.add("three", 3, LARGE, 1, () -> thinkNanos);
      loop.weigh();
      loop.run(SECOND);
      loop.run(10 * SECOND);
      queue.checkInvariants();
      assertThat((double) three.movedBytes / loop.movedBytes())
          .as("with %s ms from a reply to the next request", think)
          .isCloseTo(0.75, within(0.01));
      assertThat(loop.movedBytes() / 10.0).isGreaterThan(0.99 * 100_000_000);
    }
  }

  /**
   * Whatever the weights and round trips: each gets its share where its round trips permit. Some
   * few meet the others at such times that they lose a little more.
   */
  @ParameterizedTest
  @EnumSource(
      value = SchedulerKind.class,
      names = {"FAIR", "SOJOURN"})
  void weightsHoldWhereRoundTripsPermit(SchedulerKind kind) {
    int[] jobsSeen = {0, 0};
    SeededCases.forAll(
        100,
        random -> {
          long rate = 60_000_000 + random.nextLong(90_000_000);
          TargetQueue queue = queue(kind, rate);
          ClosedLoop loop = new ClosedLoop(queue);
          List<ClosedLoop.Client> clients = new ArrayList<>();
          List<Double> most = new ArrayList<>();
          int jobs = 2 + random.nextInt(4);
          for (int i = 0; i < jobs; i++) {
            long think = MILLI + random.nextLong(14 * MILLI);
            long weight = 1 + random.nextLong(4);
            clients.add(loop.add("job" + i, weight, LARGE, 1, () -> nearly(think, random)));
            most.add((double) LARGE * SECOND / (think + STORAGE_NANOS) / rate);
          }
          double demand = most.stream().mapToDouble(Double::doubleValue).sum();
          loop.weigh();
          loop.run(2 * SECOND);
          loop.run(20 * SECOND);
          queue.checkInvariants();
          double used = loop.movedBytes() / 20.0 / rate;
          assertThat(used).isGreaterThan(Math.min(0.95, 0.85 * demand));
          double[] fair = divide(clients, most);
          for (int i = 0; i < jobs; i++) {
            // Who could hardly get its share if it were alone loses some of it to the others.
            if (demand > 1.1 && fair[i] < 0.85 * most.get(i)) {
              double got = clients.get(i).movedBytes / 20.0 / rate;
              assertThat(got)
                  .as("job %s of weight %s", i, clients.get(i).weight)
                  .isGreaterThan(fair[i] - 0.1);
              jobsSeen[got > fair[i] - 0.05 ? 0 : 1]++;
            }
          }
        });
    assertThat(jobsSeen[1]).as("of %s jobs", jobsSeen[0]).isLessThanOrEqualTo(jobsSeen[0] / 50);
  }

  private static long nearly(long nanos, RandomGenerator random) {
    return nanos + random.nextLong(nanos / 20 + 1);
  }

  /** Shares of the capacity by weight, where nobody can have more than its most. */
  private static double[] divide(List<ClosedLoop.Client> clients, List<Double> most) {
    double[] shares = new double[clients.size()];
    boolean[] full = new boolean[clients.size()];
    double left = 1;
    for (int round = 0; round < clients.size(); round++) {
      double weights = 0;
      for (int i = 0; i < shares.length; i++) {
        weights += full[i] ? 0 : clients.get(i).weight;
      }
      double each = weights == 0 ? 0 : left / weights;
      for (int i = 0; i < shares.length; i++) {
        if (!full[i] && each * clients.get(i).weight >= most.get(i)) {
          full[i] = true;
          shares[i] = most.get(i);
          left -= shares[i];
        } else if (!full[i]) {
          shares[i] = each * clients.get(i).weight;
        }
      }
    }
    return shares;
  }

  /** The theorem above Anticipation: however jobs behave, little of the capacity is lost. */
  @ParameterizedTest
  @EnumSource(
      value = SchedulerKind.class,
      names = {"FAIR", "SOJOURN"})
  void whoStaysAwayOnPurposeCostsLittle(SchedulerKind kind) {
    SeededCases.forAll(
        60,
        random -> {
          long rate = 50_000_000 + random.nextLong(200_000_000);
          TargetQueue queue = queue(kind, rate);
          ClosedLoop loop = new ClosedLoop(queue);
          loop.add("deep", 1, LARGE, 16, () -> MILLI);
          int others = 1 + random.nextInt(4);
          for (int i = 0; i < others; i++) {
            long usual = random.nextLong(15 * MILLI);
            int seldom = 2 + random.nextInt(8);
            long late = random.nextLong(60 * MILLI);
            loop.add(
                "other" + i,
                1 + random.nextLong(100),
                1 + random.nextInt(2 * LARGE),
                1,
                () -> random.nextInt(seldom) == 0 ? late : usual);
          }
          loop.weigh();
          loop.run(SECOND);
          loop.run(20 * SECOND);
          queue.checkInvariants();
          assertThat(loop.movedBytes() / 20.0 / rate).isGreaterThan(0.95);
        });
  }

  @ParameterizedTest
  @EnumSource(
      value = SchedulerKind.class,
      names = {"FAIR", "SOJOURN"})
  void nobodyIsHeldWhileTheTargetHasTime(SchedulerKind kind) {
    ClosedLoop loop = new ClosedLoop(queue(kind, 1_000_000_000));
    ClosedLoop.Client one = loop.add("one", 1, LARGE, 1, () -> 7 * MILLI);
    ClosedLoop.Client three = loop.add("three", 3, LARGE, 1, () -> 5 * MILLI);
    loop.weigh();
    loop.run(10 * SECOND);
    // Now and then they come at once, and the one behind waits until the pacer is ready.
    assertThat(one.waitedNanos / one.requests).isLessThan(100_000);
    assertThat(three.waitedNanos / three.requests).isLessThan(100_000);
  }

  /** A small request of a job that has little goes as soon as the target is ready. */
  @ParameterizedTest
  @EnumSource(
      value = SchedulerKind.class,
      names = {"FAIR", "SOJOURN"})
  void aBystanderIsNotHeld(SchedulerKind kind) {
    TargetQueue queue = queue(kind, 100_000_000);
    ClosedLoop loop = new ClosedLoop(queue);
    loop.add("one", 1, LARGE, 1, () -> 11 * MILLI);
    loop.add("three", 3, LARGE, 1, () -> 11 * MILLI);
    ClosedLoop.Client bystander =
        loop.add(new ClosedLoop.Client("bystander", 1, Operation.GETATTR, 0, () -> 3 * MILLI), 1);
    loop.weigh();
    loop.run(10 * SECOND);
    // It comes back that long after it was served with a large one, and waits for the rest of that.
    long restNanos = LARGE * SECOND / 100_000_000 - 3 * MILLI - STORAGE_NANOS;
    assertThat(bystander.waitedNanos / bystander.requests).isLessThan(restNanos + 200_000);
    assertThat(bystander.requests).isGreaterThan(700);
    assertThat(loop.movedBytes() / 10.0).isGreaterThan(0.98 * 100_000_000);
  }
}
