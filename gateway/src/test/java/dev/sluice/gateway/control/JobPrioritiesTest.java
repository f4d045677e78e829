package dev.sluice.gateway.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.model.JobId;
import dev.sluice.core.policy.Cadence;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobPrioritiesTest {
  private static final JobId JOB = JobId.of("4711");

  @TempDir Path directory;

  private void write(String job, String text) throws IOException {
    Path jobs = Files.createDirectories(directory.resolve("p").resolve(job));
    Files.writeString(jobs.resolve("priority"), text);
  }

  private JobPriorities priorities() throws IOException {
    JobPriorities priorities = new JobPriorities(directory.resolve("p"));
    priorities.poll();
    return priorities;
  }

  @Test
  void filesAreReadAgainAndAgain() throws IOException {
    write("4711", "0.1\n");
    JobPriorities priorities = priorities();
    assertThat(priorities.all()).containsOnlyKeys(JOB);
    assertThat(priorities.all().get(JOB)).isEqualTo(new Cadence.Prioritised(0.1));
    write("4711", "100");
    priorities.poll();
    assertThat(priorities.all().get(JOB)).isEqualTo(new Cadence.Prioritised(100));
    Files.delete(directory.resolve("p/4711/priority"));
    priorities.poll();
    assertThat(priorities.all()).isEmpty();
  }

  @Test
  void whatIsNoPriorityCountsAsNone() throws IOException {
    write("a", "high");
    write("b", "-1");
    write("c", "");
    write("d", "1".repeat(100));
    write("e", "1e-30");
    Files.createDirectories(directory.resolve("p/f/priority"));
    Files.writeString(directory.resolve("p/g"), "0.1");
    write("4711", "0.5");
    assertThat(priorities().all()).containsOnlyKeys(JOB);
  }

  @Test
  void aCommandCountsMoreThanAFile() throws IOException {
    write("4711", "0.1");
    JobPriorities priorities = priorities();
    priorities.set(JOB, 0.7);
    assertThat(priorities.all().get(JOB)).isEqualTo(new Cadence.Prioritised(0.7));
    priorities.clear(JOB);
    assertThat(priorities.all().get(JOB)).isEqualTo(new Cadence.Prioritised(0.1));
  }

  @Test
  void thereIsABoundOnCommands() throws IOException {
    JobPriorities priorities = priorities();
    for (int i = 0; i < JobPriorities.JOBS_MAX; i++) {
      priorities.set(JobId.of("job" + i), 1);
    }
    assertThatThrownBy(() -> priorities.set(JOB, 1)).hasMessageContaining("clear some");
    priorities.set(JobId.of("job1"), 2);
  }

  @Test
  void aBadNumberIsRefused() {
    assertThatThrownBy(() -> JobPriorities.parse("soon"))
        .hasMessageContaining("expected a number from 0.000000001 to 1000");
  }
}
