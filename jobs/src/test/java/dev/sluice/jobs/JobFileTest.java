package dev.sluice.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.model.ClientAddress;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Network;
import dev.sluice.document.DocumentException;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class JobFileTest {
  @Test
  void readsWhatIsWrittenAndFillsInTheRest() {
    List<Job> jobs =
        JobFile.parse(
            "jobs.yaml",
            """
            jobs:
              4711:
                {name: lammps, user: alice, uid: 1001, nodes: 4,
                 addresses: [10.1.0.3, 10.1.0.16/28], weight: 2}
              4712: {uid: 4294967294, nodes: 3}
              service: {user: backup}
            """);
    assertThat(jobs)
        .containsExactly(
            new Job(
                JobId.of("4711"),
                "lammps",
                "alice",
                OptionalInt.of(1001),
                4,
                List.of(Network.parse("10.1.0.3"), Network.parse("10.1.0.16/28")),
                OptionalLong.of(2)),
            new Job(
                JobId.of("4712"),
                "",
                "4294967294",
                OptionalInt.of(-2),
                3,
                List.of(),
                OptionalLong.empty()),
            new Job(
                JobId.of("service"),
                "",
                "backup",
                OptionalInt.empty(),
                1,
                List.of(),
                OptionalLong.empty()));
    assertThat(jobs.stream().map(Job::weight)).containsExactly(2L, 3L, 1L);
    assertThat(jobs.stream().map(Job::application))
        .containsExactly(JobId.of("lammps@alice"), JobId.of("4712"), JobId.of("service"));
  }

  @Test
  void anAccountIsWhoPays() {
    List<Job> jobs = JobFile.parse("jobs.yaml", "jobs: {a: {account: physics}, b: {}}");
    assertThat(jobs.stream().map(Job::account)).containsExactly("physics", "");
    assertThatThrownBy(() -> JobFile.parse("jobs.yaml", "jobs: {a: {account: ''}}"))
        .hasMessageContaining("jobs.yaml:1:21: account: \"\": expected a name of 1 to 255");
  }

  @Test
  void itsNodesHaveNames() {
    List<Job> jobs =
        JobFile.parse(
            "jobs.yaml", "jobs: {a: {node-names: 'n[1-3]'}, b: {}, c: {node-names: n7.example}}");
    assertThat(jobs.getFirst().nodeNames()).containsExactlyInAnyOrder("n1", "n2", "n3");
    assertThat(jobs.getFirst().nodes()).isEqualTo(3);
    assertThat(jobs.getFirst().mayRunOn("n2.example")).isTrue();
    assertThat(jobs.getFirst().mayRunOn("n4")).isFalse();
    assertThat(jobs.get(1).mayRunOn("n4")).as("nobody knows").isTrue();
    assertThat(jobs.getLast().mayRunOn("n7")).isTrue();
    assertThat(jobs.getLast().mayRunOn("n7.other")).isFalse();
    assertThatThrownBy(() -> JobFile.parse("jobs.yaml", "jobs: {a: {node-names: 'n[1'}}"))
        .hasMessageContaining("jobs.yaml:1:24: node-names: ")
        .hasMessageContaining("a bracket without its other one");
  }

  @Test
  void withoutAUserItIsTheJobOfEverybodyAtItsAddresses() {
    Job job =
        JobFile.parse("jobs.yaml", "jobs: {hub: {name: notebooks, addresses: [10.1.0.3]}}")
            .getFirst();
    assertThat(job.user()).isEmpty();
    assertThat(job.uid()).isEmpty();
    assertThat(job.application()).isEqualTo(JobId.of("notebooks"));
    JobSnapshot jobs = new JobSnapshot(List.of(job));
    assertThat(jobs.behind(ClientAddress.parse("10.1.0.3"), 1001)).isEqualTo(job);
    assertThat(jobs.behind(ClientAddress.parse("10.1.0.3"), 0)).isEqualTo(job);
    assertThat(jobs.behind(ClientAddress.parse("10.1.0.4"), 1001)).isNull();
  }

  @Test
  void everyMistakeIsNamedWithItsPlace() {
    assertRefused("job: {}", "1:1", "did you mean jobs?");
    assertRefused("jobs: {a: {user: x, node: 3}}", "1:21", "did you mean nodes?");
    assertRefused("jobs: {a: {user: x, nodes: 0}}", "1:28", "\"0\"", "1 to 10000000");
    assertRefused("jobs: {a: {user: x, name: " + "n".repeat(300) + "}}", "1:27", "1 to 255");
    assertRefused("jobs: {a: {user: x, uid: -1}}", "1:26", "0 to 4294967294");
    assertRefused(
        "jobs:\n  a:\n    user: x\n    addresses: [10.1.0.0/33]", "4:17", "10.1.0.0/33", "0 to 32");
    assertRefused("jobs: {a: {user: x}, a: {user: y}}", "1:22", "already");
    assertRefused("jobs: {\"\": {user: x}}", "1:8", "1 to 255 characters");
  }

  private static void assertRefused(String text, String place, String... words) {
    assertThatThrownBy(() -> JobFile.parse("jobs.yaml", text))
        .isInstanceOf(DocumentException.class)
        .hasMessageStartingWith("jobs.yaml:" + place + ":")
        .hasMessageContainingAll(words);
  }
}
