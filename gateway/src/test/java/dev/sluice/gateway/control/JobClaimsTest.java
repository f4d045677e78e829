package dev.sluice.gateway.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.model.ClientAddress;
import dev.sluice.core.model.JobId;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.jobs.Job;
import dev.sluice.jobs.JobDirectory;
import java.util.Collection;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class JobClaimsTest {
  private static final Job COMMENTED =
      new Job(
          JobId.of("7"),
          "lammps",
          "alice",
          OptionalInt.empty(),
          3,
          List.of(),
          OptionalLong.empty(),
          "",
          Set.of(),
          OptionalLong.of(5_000));

  /** One job, as Slurm's comment describes it. */
  private static final class OneJob implements JobDirectory {
    @Override
    public @Nullable Job job(JobId id) {
      return id.equals(COMMENTED.id()) ? COMMENTED : null;
    }

    @Override
    public @Nullable Job behind(ClientAddress address, int uid) {
      return null;
    }

    @Override
    public boolean runsAt(JobId id, ClientAddress address) {
      return false;
    }

    @Override
    public Collection<Job> jobs() {
      return List.of(COMMENTED);
    }

    @Override
    public long version() {
      return 1;
    }
  }

  @Test
  void aCommentIsAHintUntilSomebodySaysOtherwise() {
    JobOverrides none = JobOverrides.NONE;
    assertThat(phase(none, "7")).isEqualTo(5_000);
    assertThat(phase(none, "8")).isZero();
    assertThat(phase(none.withPhase(JobId.of("7"), 300), "7")).isEqualTo(300);
  }

  private static long phase(JobOverrides overrides, String job) {
    return new JobClaims(overrides, new OneJob())
        .described(JobDemand.of(job, 1, 5))
        .claim()
        .phaseTokens();
  }
}
