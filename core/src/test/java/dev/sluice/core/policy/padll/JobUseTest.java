package dev.sluice.core.policy.padll;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Quantities.Counted;
import dev.sluice.core.model.Rate;
import dev.sluice.core.policy.JobClaim;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** What PADLL's algorithms are given: its bounds, each tried on both sides. */
class JobUseTest {
  private static final JobId A = JobId.of("a");
  private static final long DEMAND_MAX = Rate.TOKENS_PER_SECOND_MAX;

  @Test
  void aJobsUseHasBounds() {
    JobUse least = new JobUse(A, 0, 0, 1);
    assertThat(least.demandPerSecond()).isZero();
    JobUse most = new JobUse(A, DEMAND_MAX, JobUse.USAGE_PER_SECOND_MAX, JobClaim.WEIGHT_MAX);
    assertThat(most.usagePerSecond()).isEqualTo(JobUse.USAGE_PER_SECOND_MAX);
    refused(() -> new JobUse(A, -1, 0, 1), "job a: its demand must be 0 to");
    refused(() -> new JobUse(A, Math.nextUp((double) DEMAND_MAX), 0, 1), "its demand must be 0 to");
    refused(() -> new JobUse(A, 0, -1, 1), "job a: its usage must be 0 to");
    refused(
        () -> new JobUse(A, 0, Math.nextUp((double) JobUse.USAGE_PER_SECOND_MAX), 1),
        "its usage must be 0 to");
    refused(() -> new JobUse(A, 0, 0, 0), "job a: its priority must be 1 to");
    refused(() -> new JobUse(A, 0, 0, JobClaim.WEIGHT_MAX + 1), "its priority must be 1 to");
  }

  @Test
  void aResourceHasANameAndAMaximum() {
    assertThat(new Resource("open", 1, Counted.OPERATIONS).maximumPerSecond()).isEqualTo(1);
    assertThat(new Resource("open", DEMAND_MAX, Counted.OPERATIONS).maximumPerSecond())
        .isEqualTo(DEMAND_MAX);
    refused(() -> new Resource("", 1, Counted.OPERATIONS), "a resource has a name");
    refused(() -> new Resource("open", 0, Counted.OPERATIONS), "its maximum must be 1 to");
    refused(() -> new Resource("open", DEMAND_MAX + 1, Counted.OPERATIONS), "its maximum must be");
  }

  @Test
  void algorithmsAreNamedAndSet() {
    for (String name : new String[] {"uniform", "priority", "proportional", "psfa"}) {
      assertThat(PadllAlgorithm.named(name).name()).isEqualTo(name);
    }
    refused(
        () -> PadllAlgorithm.named("psaf"), "there is no algorithm \"psaf\"; there are uniform");
    assertThat(new UsageSharing(0).epsilon()).isZero();
    assertThat(new UsageSharing(1).epsilon()).isEqualTo(1);
    refused(() -> new UsageSharing(-0.01), "epsilon is a number from 0 to 1, not -0.01");
    refused(() -> new UsageSharing(1.01), "epsilon is a number from 0 to 1, not 1.01");
  }

  private static void refused(ThrowingCallable call, String message) {
    assertThatThrownBy(call)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }
}
