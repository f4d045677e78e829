package dev.sluice.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.model.ClientAddress;
import dev.sluice.core.model.JobId;
import dev.sluice.document.DocumentException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReloadingJobFileTest {
  private static final JobId JOB = JobId.of("4711");

  @TempDir Path directory;
  private Path file;

  @BeforeEach
  void writeFile() throws IOException {
    file = directory.resolve("jobs.yaml");
    Files.writeString(file, "jobs: {4711: {user: alice, uid: 1, addresses: [10.1.0.3]}}");
  }

  @Test
  void aBadFileIsRefusedAtTheBeginning() throws IOException {
    Files.writeString(file, "jobs: [");
    assertThatThrownBy(() -> new ReloadingJobFile(file)).isInstanceOf(DocumentException.class);
  }

  @Test
  void aChangeIsReadAndABadOneChangesNothing() throws IOException {
    ReloadingJobFile jobs = new ReloadingJobFile(file);
    long first = jobs.version();
    poll(jobs);
    assertThat(jobs.version()).isEqualTo(first);

    Files.writeString(file, "jobs: {4711: {user: alice, uid: 1, nodes: oops}}");
    poll(jobs);
    assertThat(jobs.problem()).contains("jobs.yaml:1:", "oops");
    assertThat(jobs.version()).isEqualTo(first);
    assertThat(jobs.behind(ClientAddress.parse("10.1.0.3"), 1)).isEqualTo(jobs.job(JOB));
    assertThat(jobs.job(JOB)).isNotNull();

    Files.writeString(file, "jobs: {}");
    poll(jobs);
    assertThat(jobs.problem()).isNull();
    assertThat(jobs.version()).isGreaterThan(first);
    assertThat(jobs.job(JOB)).isNull();
    assertThat(jobs.jobs()).isEmpty();
  }

  @Test
  void aFileThatIsGoneIsAProblemAndNotTheEndOfAllJobs() throws IOException {
    ReloadingJobFile jobs = new ReloadingJobFile(file);
    Files.delete(file);
    poll(jobs);
    assertThat(jobs.problem()).contains("no such file");
    assertThat(jobs.runsAt(JOB, ClientAddress.parse("10.1.0.3"))).isTrue();
  }

  /** A change counts when a second look sees the same. */
  private static void poll(ReloadingJobFile jobs) {
    jobs.poll();
    jobs.poll();
  }
}
