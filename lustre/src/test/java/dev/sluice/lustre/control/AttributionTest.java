package dev.sluice.lustre.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.lustre.LustreJobId;
import dev.sluice.lustre.LustreVersion;
import dev.sluice.lustre.stats.JobActivity;
import dev.sluice.lustre.tbf.JobPattern;
import dev.sluice.testkit.SeededCases;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AttributionTest {
  @Test
  void nobodyHasMoreThanItsRuleLetsPassNorAllMoreThanThereWas() {
    SeededCases.forAll(
        1_000,
        random -> {
          Attribution attribution = new Attribution();
          List<ManagedJob> jobs = new ArrayList<>();
          for (int i = random.nextInt(1, 20); i > 0; i--) {
            LustreJobId id = new LustreJobId("job" + i);
            jobs.add(new ManagedJob(id, JobPattern.of(id, LustreVersion.of(2, 17, 57))));
          }
          for (int period = 0; period < 5; period++) {
            double counted = 0;
            for (ManagedJob job : jobs) {
              long rpcs = random.nextInt(3) == 0 ? 0 : random.nextInt(200);
              job.activity = rpcs == 0 ? null : JobActivity.of(job.id, rpcs);
              job.hasRule = random.nextInt(4) > 0;
              job.ruleMatched = job.hasRule && random.nextBoolean();
              job.letPass = job.hasRule ? random.nextDouble(300) : 10_000;
              job.uncounted = 0;
              counted += rpcs;
            }
            double requests = counted * random.nextDouble(0.9, 3);
            attribution.attribute(jobs, requests);

            double uncounted = Math.max(0, requests - counted);
            double sum = 0;
            for (ManagedJob job : jobs) {
              assertThat(job.uncounted).isNotNegative();
              assertThat(job.served())
                  .isLessThanOrEqualTo(Math.max(job.letPass, (double) job.rpcs()) + 1e-6);
              sum += job.uncounted;
            }
            assertThat(sum).isLessThanOrEqualTo(uncounted + 1e-6);
            assertThat(sum + attribution.uncounted()).isLessThanOrEqualTo(uncounted + 1e-6);
          }
        });
  }
}
