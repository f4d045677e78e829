package dev.sluice.core.policy.progress;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.model.JobId;
import dev.sluice.core.policy.AllTargetsPolicyContract;
import dev.sluice.core.policy.Explanation;
import dev.sluice.core.policy.JobDemand;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * What GIFT and its rivals must do beyond other policies about all targets: they go by what a job
 * is on all of them, so reports may not contradict each other about it; and they tell the same five
 * figures, so that they can be compared.
 */
public abstract class ProgressPolicyContract extends AllTargetsPolicyContract {
  @Override
  protected void checkReason(Explanation.Reason reason) {
    assertThat(reason.figures().keySet())
        .containsExactly("allocated", "bsip", "redeemed", "coupon", "owed");
    reason.figures().values().forEach(figure -> assertThat(figure.doubleValue()).isNotNegative());
  }

  @Test
  void reportsThatContradictEachOtherAreRefused() {
    JobDemand job = JobDemand.of("a", 1, 5);
    List<JobDemand> others =
        List.of(job.withNodes(2), job.withWeight(2), job.withApplication(JobId.of("x")));
    for (JobDemand other : others) {
      refused(
          Map.of("t1", List.of(job), "t2", List.of(other)), "job a is reported by t2 with other");
    }
  }
}
