package dev.sluice.control.gateways;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.control.v1.JobShare;
import dev.sluice.control.v1.TargetShares;
import dev.sluice.control.wire.RefusedException;
import dev.sluice.core.model.JobId;
import dev.sluice.core.policy.Cadence;
import dev.sluice.core.policy.JobClaim;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.policy.JobService;
import dev.sluice.core.schedule.MaxWait;
import dev.sluice.core.schedule.Shares;
import dev.sluice.core.schedule.Turns;
import dev.sluice.testkit.SeededCases;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class TargetMessagesTest {
  @Test
  void whatIsSeenArrivesAsItWas() {
    SeededCases.forAll(
        2_000,
        random -> {
          JobDemand demand = demand(random);
          assertThat(TargetMessages.read(TargetMessages.write(demand))).isEqualTo(demand);
        });
  }

  private static JobDemand demand(RandomGenerator random) {
    Cadence cadence =
        switch (random.nextInt(4)) {
          case 0 -> new Cadence.Every(random.nextLong(1, 1L << 50), random.nextDouble());
          case 1 -> new Cadence.AtLeast(random.nextLong(1, 1L << 50));
          case 2 -> new Cadence.Prioritised(random.nextDouble(0.001, 1_000));
          default -> Cadence.UNKNOWN;
        };
    return new JobDemand(
        JobId.of("job" + random.nextInt(100)),
        new JobClaim(
            random.nextLong(1, 1_000),
            random.nextLong(1, 1_000),
            random.nextLong(JobClaim.NOT_RESERVED, 1_000),
            JobId.of("application" + random.nextInt(3)),
            random.nextLong(1, 1_000),
            random.nextLong(1L << 40)),
        random.nextLong(1L << 40),
        random.nextLong(1L << 40),
        new JobService(
            random.nextLong(1L << 40),
            random.nextLong(1L << 40),
            random.nextLong(JobService.NOT_KNOWN, 1L << 40)),
        cadence,
        random.nextLong(JobDemand.NOT_KNOWN, 1L << 40));
  }

  @Test
  void whatIsDecidedArrivesAsItWas() {
    SeededCases.forAll(
        2_000,
        random -> {
          Shares shares = shares(random);
          Shares read = TargetMessages.read(TargetMessages.write(3, shares));
          assertThat(read.differences(shares)).isZero();
          assertThat(read.turns()).isEqualTo(shares.turns());
          for (int i = 0; i < shares.size(); i++) {
            assertThat(read.rate(i)).isEqualTo(shares.rate(i));
            assertThat(read.borrowedParts(i)).isEqualTo(shares.borrowedParts(i));
            assertThat(read.reservedParts(i)).isEqualTo(shares.reservedParts(i));
            assertThat(read.tokens(i)).isEqualTo(shares.tokens(i));
          }
        });
  }

  private static Shares shares(RandomGenerator random) {
    int count = random.nextInt(6);
    JobId[] jobs = new JobId[count];
    long[] parts = new long[count];
    long[] weights = new long[count];
    long[] borrowed = new long[count];
    long[] reserved = new long[count];
    for (int i = 0; i < count; i++) {
      jobs[i] = JobId.of("job" + i);
      parts[i] = random.nextInt(3) == 0 ? Shares.UNLIMITED : random.nextLong(1_000_000);
      weights[i] = random.nextLong(1, 1_000);
      borrowed[i] = random.nextLong(1 + Math.min(parts[i], 1_000));
      reserved[i] = random.nextLong(1 + Math.min(parts[i], 1_000_000));
    }
    MaxWait maxWait =
        switch (random.nextInt(3)) {
          case 0 -> MaxWait.AUTOMATIC;
          case 1 -> MaxWait.UNBOUNDED;
          default -> new MaxWait.Bounded(random.nextLong(1, 1L << 40));
        };
    Turns.Order order = random.nextBoolean() ? Turns.Order.ID : Turns.Order.ARRIVAL;
    return Shares.ofParts(jobs, parts, weights, random.nextLong(1, 1_000), 1_000_000_000)
        .withBorrowed(borrowed)
        .withReserves(reserved)
        .withTurns(new Turns(order, maxWait));
  }

  @Test
  void whatNobodyCouldMeanIsRefused() {
    TargetShares.Builder good =
        TargetShares.newBuilder()
            .setPeriodNanos(1_000_000_000)
            .addJobs(JobShare.newBuilder().setJob("a").setTokens(11).setWeight(1));
    refuses(good.clone().setPeriodNanos(0));
    refuses(good.clone().setPeriodNanos(Long.MAX_VALUE));
    refuses(good.clone().setPartsPerToken(-1));
    refuses(good.clone().setPartsPerToken(Long.MAX_VALUE));
    refuses(good.clone().setMaxWaitNanos(-1));
    refuses(good.clone().addJobs(JobShare.newBuilder().setJob("a").setWeight(1)));
    refuses(good.clone().addJobs(JobShare.newBuilder().setJob("b").setWeight(0)));
    refuses(good.clone().addJobs(JobShare.newBuilder().setJob("b").setWeight(1).setTokens(-7)));
    JobShare.Builder reserved = JobShare.newBuilder().setJob("b").setWeight(1);
    refuses(good.clone().addJobs(reserved.clone().setTokens(11).setReservedTokens(11)));
    refuses(good.clone().addJobs(reserved.clone().setReservedTokens(-1)));
    refuses(good.clone().addJobs(reserved.clone().setReservedTokens(Long.MAX_VALUE)));
  }

  private static void refuses(TargetShares.Builder written) {
    assertThatThrownBy(() -> TargetMessages.read(written.build()))
        .isInstanceOf(RefusedException.class);
  }
}
