package dev.sluice.control.gateways;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.control.stage.JobCheck;
import dev.sluice.core.model.JobId;
import dev.sluice.core.policy.JobClaim;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.policy.JobService;
import dev.sluice.store.keys.Mandate;
import dev.sluice.testkit.SeededCases;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class GatewayClaimsTest {
  private static JobDemand said(int job, RandomGenerator random) {
    JobId id = JobId.of("job" + job);
    JobClaim claim =
        new JobClaim(
            1 + random.nextLong(JobClaim.NODES_MAX),
            1 + random.nextLong(JobClaim.WEIGHT_MAX),
            random.nextLong(1L << 40),
            JobId.of("run" + random.nextInt(3)),
            1 + random.nextLong(JobClaim.PROCESSES_MAX),
            random.nextLong(JobClaim.PHASE_MAX));
    long served = random.nextLong(1L << (1 + random.nextInt(62)));
    return new JobDemand(id, claim, random.nextLong(1_000), random.nextLong(1_000))
        .withService(new JobService(served, random.nextLong(1_000), random.nextLong(1_000)));
  }

  /** The theorem of {@link GatewayClaims}: a key that speaks for no node adds nothing to a job. */
  @Test
  void whatIsBelievedOfAJobIsNotTheGatewaysToSay() {
    SeededCases.forAll(
        1_000,
        random -> {
          JobDemand said = said(1, random);
          GatewayClaims claims = new GatewayClaims("x", Mandate.GATEWAY);
          JobDemand believed = claims.look(said, JobCheck.NONE).demand();
          assertThat(believed.claim()).isEqualTo(JobClaim.of(said.job(), 1));
          assertThat(believed).isEqualTo(said.withClaim(believed.claim()));
        });
  }

  /** The theorem of {@link GatewayClaims#servable}. */
  @Test
  void noMoreWasServedThanATargetCanServe() {
    SeededCases.forAll(
        1_000,
        random -> {
          List<JobDemand> said = new ArrayList<>();
          int jobs = random.nextInt(6);
          for (int job = 0; job < jobs; job++) {
            said.add(said(job, random));
          }
          double most = random.nextDouble() * (1L << random.nextInt(62));
          List<JobDemand> believed = GatewayClaims.servable(said, most);
          double saidSum = sum(said);
          assertThat(sum(believed)).isLessThanOrEqualTo(most * (1 + 1e-9));
          assertThat(believed).hasSameSizeAs(said);
          for (int job = 0; job < jobs; job++) {
            JobService was = said.get(job).service();
            assertThat(believed.get(job).withService(was)).isEqualTo(said.get(job));
            double part = saidSum <= most ? 1 : most / saidSum;
            assertThat((double) believed.get(job).service().servedTokens())
                .isBetween(
                    was.servedTokens() * part * (1 - 1e-9) - 1,
                    was.servedTokens() * part * (1 + 1e-9));
          }
        });
  }

  private static double sum(List<JobDemand> demands) {
    return demands.stream().mapToDouble(demand -> demand.service().servedTokens()).sum();
  }
}
