package dev.sluice.core.policy.progress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.policy.Cluster;
import dev.sluice.core.policy.Explanation;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.policy.Observation;
import dev.sluice.core.policy.progress.ProgressExplanation.CouponFigures;
import dev.sluice.core.schedule.Shares;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** In periods of two seconds: two processes of b on two targets, one of a beside them on one. */
class ProgressExplanationTest {
  private static final long PERIOD_NANOS = 2_000_000_000L;
  private static final JobDemand A = JobDemand.of("a", 3, 10);
  private static final JobDemand B = JobDemand.of("b", 5, 10).withProcesses(2);
  private static final JobsOnTargets ON =
      on(Map.of("t1", List.of(A, B), "t2", List.of(B), "t3", List.of()));

  private static final double[] FAIR = {0.5, 0.25};
  private static final double[] RATES = {0.25, 0.25};

  private static JobsOnTargets on(Map<String, List<JobDemand>> seen) {
    Cluster cluster =
        new Cluster(
            List.of(
                new Target("t1", 1_000, TokenUnit.BYTES),
                new Target("t2", 500, TokenUnit.BYTES),
                new Target("t3", 1_000, TokenUnit.BYTES)));
    return new JobsOnTargets(
        new Observation(PERIOD_NANOS, PERIOD_NANOS, cluster, seen, List.of()), ShareBasis.GIVEN);
  }

  /** A was given a coupon and is owed more; b redeems some. */
  private static final CouponFigures COUPONS =
      new CouponFigures() {
        @Override
        public long redeemedTokens(int job) {
          return job == 1 ? 30 : 0;
        }

        @Override
        public long issuedTokens(int job) {
          return job == 0 ? 40 : 0;
        }

        @Override
        public long owedTokens(int job) {
          return job == 0 ? 100 : 0;
        }

        @Override
        public Map<String, Number> amounts() {
          return Map.of("issued", 40);
        }

        @Override
        public Map<String, Number> levels() {
          return Map.of("owed", 100);
        }
      };

  @Test
  void theSummaryComparesWithFairShares() {
    assertThat(FairShares.synchronous(ON)).containsExactly(FAIR);
    assertThat(new ProgressExplanation(ON, RATES, FAIR, COUPONS, "so it is").summary())
        .isEqualTo(
            "2 jobs do I/O on 2 targets, 83.33 % of which they use to make progress; fair shares"
                + " alone would use 100.00 %; so it is");
    JobsOnTargets alone = on(Map.of("t1", List.of(A)));
    double[] all = {1};
    assertThat(new ProgressExplanation(alone, all, all, CouponFigures.NONE, "so it is").summary())
        .startsWith("1 job does I/O on 1 targets, 100.00 % of which");
    double[] nobody = {};
    assertThat(
            new ProgressExplanation(on(Map.of()), nobody, nobody, CouponFigures.NONE, "").summary())
        .isEqualTo("nobody does I/O: nobody is limited");
  }

  @Test
  void figuresAreTokensASecondAndAmountsThoseOfAPeriod() {
    ProgressExplanation told = new ProgressExplanation(ON, RATES, FAIR, COUPONS, "so it is");
    Explanation.Reason a = told.reasons().getFirst();
    assertThat(a.figures())
        .containsExactly(
            Map.entry("allocated", 250.0),
            Map.entry("bsip", 500.0),
            Map.entry("redeemed", 0.0),
            Map.entry("coupon", 20.0),
            Map.entry("owed", 50.0));
    Explanation.Reason b = told.reasons().getLast();
    assertThat(b.figure("redeemed")).isEqualTo(15.0);
    assertThat(told.amounts())
        .isEqualTo(Map.of("usable", 3_000.0, "used", 2_500.0, "fair", 3_000.0, "issued", 40));
    assertThat(told.levels()).isEqualTo(Map.of("owed", 100));

    ProgressExplanation none = new ProgressExplanation(ON, RATES, FAIR, CouponFigures.NONE, "");
    assertThat(none.reasons().getFirst().figures())
        .containsEntry("redeemed", 0.0)
        .containsEntry("coupon", 0.0)
        .containsEntry("owed", 0.0);
    assertThat(none.amounts()).containsOnlyKeys("usable", "used", "fair");
    assertThat(none.levels()).isEmpty();
  }

  @Test
  void wordsSayWhatAJobGetsAndIsOwed() {
    assertThat(new ProgressExplanation(ON, RATES, FAIR, COUPONS, "").reasons())
        .extracting(Explanation.Reason::words)
        .containsExactly(
            "its process on 1 target may move at 50.00 % of the fair rate, with a coupon for the"
                + " rest; owed 0.05000 of a target for one period",
            "its 4 processes on 2 targets may move at the fair rate, redeeming what it is owed");
    assertThat(new ProgressExplanation(ON, RATES, FAIR, CouponFigures.NONE, "").reasons())
        .extracting(Explanation.Reason::words)
        .containsExactly(
            "its process on 1 target may move at 50.00 % of the fair rate",
            "its 4 processes on 2 targets may move at the fair rate");
  }

  @Test
  void eachTargetServesWhatTheProcessesOnItMayMove() {
    Shares first = RateAllocation.of(ON, RATES).on("t1");
    assertThat(first.tokens(0)).isEqualTo(500, within(1e-3));
    assertThat(first.tokens(1)).isEqualTo(1_000, within(1e-3));
    assertThat(first.weight(0)).isEqualTo(3);
    assertThat(first.weight(1)).isEqualTo(5);
    assertThat(RateAllocation.of(ON, RATES).on("t2").tokens(0)).isEqualTo(1_000, within(1e-3));
    assertThat(RateAllocation.of(ON, RATES).on("t3").size()).isZero();
    assertThat(ON.gaps(RATES)).containsExactly(0.25, 0, 1);
  }
}
