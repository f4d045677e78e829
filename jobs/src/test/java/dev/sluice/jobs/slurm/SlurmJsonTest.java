package dev.sluice.jobs.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.testkit.SeededCases;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SlurmJsonTest {
  private static final SlurmJob ARRAY_TASK =
      new SlurmJob(
          10,
          OptionalLong.of(7),
          OptionalLong.of(7),
          "lammps",
          "nobody",
          OptionalInt.of(65_534),
          "bio",
          "normal",
          "n00",
          1,
          1_794_809_406,
          OptionalLong.empty(),
          false);

  private static final SlurmJob BIG =
      new SlurmJob(
          8,
          OptionalLong.empty(),
          OptionalLong.empty(),
          "big",
          "root",
          OptionalInt.of(0),
          "",
          "urgent",
          "n[02-03]",
          2,
          1_794_809_406,
          OptionalLong.empty(),
          false);

  /** What Slurm 22.05 really wrote, but for one comment that was put in by hand. */
  @Test
  void theShapeOf2205() throws IOException {
    JobList answer = SlurmJson.jobs(Fixtures.bytes("squeue-22.05.json"));
    assertThat(answer.problem()).isNull();
    assertThat(answer.jobs()).extracting(SlurmJob::id).containsExactly(10L, 8L, 7L);
    assertThat(answer.jobs().getFirst().arrayTask()).hasValue(7);
    assertThat(answer.jobs().getFirst().nodeList()).isEqualTo("n00");
    assertThat(answer.jobs().get(1).name()).isEqualTo("first|line?second \"quoted\" é");
    assertThat(answer.jobs().get(1).nodeCount()).isEqualTo(2);
    assertThat(answer.jobs().get(1).array()).isEmpty();
  }

  /** By text and by JSON the same jobs come out. */
  @Test
  void textAndJsonAgree() throws IOException {
    List<SlurmJob> byText = SqueueText.parse(Fixtures.text("squeue-22.05.txt"), " @MARK@").jobs();
    assertThat(SlurmJson.jobs(Fixtures.bytes("squeue-22.05.json")).jobs())
        .containsExactlyInAnyOrderElementsOf(byText);
  }

  @Test
  void theShapesSince() throws IOException {
    assertThat(jobs("squeue-23.02.json")).containsExactly(ARRAY_TASK, BIG);
    assertThat(jobs("squeue-23.11.json")).hasSize(3).startsWith(ARRAY_TASK, BIG);
    SlurmJob ending = jobs("squeue-23.11.json").getLast();
    assertThat(ending.ending()).isTrue();
    assertThat(ending.user()).as("who has no name has a number").isEqualTo("1001");
    assertThat(jobs("squeue-24.05.json")).hasSize(3).startsWith(ARRAY_TASK, BIG);
    assertThat(jobs("squeue-24.05.json").getLast().nodeList()).isEqualTo("n01");
  }

  private static List<SlurmJob> jobs(String name) throws IOException {
    JobList answer = SlurmJson.jobs(Fixtures.bytes(name));
    assertThat(answer.problem()).isNull();
    return answer.jobs();
  }

  @Test
  void nodesAreReadFromTheRestInterface() throws IOException {
    assertThat(SlurmJson.nodeAddresses(Fixtures.bytes("nodes-22.05.json")))
        .isEqualTo(NodeText.addresses(Fixtures.text("nodes-22.05.txt")))
        .hasSize(4);
  }

  @Test
  void oneJobThatMakesNoSenseDoesNotHideTheOthers() throws IOException {
    String text =
        """
        {"jobs": [
          {"job_id": -5, "job_state": "RUNNING", "nodes": "n1", "user_id": 1},
          {"job_state": "RUNNING", "nodes": "n1", "user_id": 1},
          {"job_id": 2, "job_state": "RUNNING", "nodes": "n2", "user_id": 1, "node_count": -7},
          {"job_id": 3, "job_state": "RUNNING", "nodes": "n3", "user_id": 1}
        ], "errors": []}
        """;
    JobList answer = SlurmJson.jobs(text.getBytes(StandardCharsets.UTF_8));
    assertThat(answer.jobs()).extracting(SlurmJob::id).containsExactly(3L);
    assertThat(answer.problem()).contains("job 1 of the answer", "-5");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "{}",
        "squeue: error: Unable to contact slurm controller",
        "{\"jobs\": 5}",
        "{\"jobs\": [5]}",
        "{\"jobs\": [{\"job_id\": \"five\"}]}",
        "{\"jobs\": [{\"job_id\": 99999999999999999999}]}",
        "{\"jobs\": []",
        "{\"jobs\": [",
        "{\"jobs\": [], \"errors\": [{\"error\": \"down\", \"error_number\": 1}]}"
      })
  void whatIsNoAnswerIsRefused(String text) {
    assertThatThrownBy(() -> SlurmJson.jobs(text.getBytes(StandardCharsets.UTF_8)))
        .isInstanceOf(BadAnswerException.class)
        .message()
        .contains("Slurm");
  }

  @Test
  void whatSlurmComplainsOfIsSaid() {
    String text = "{\"errors\": [{\"description\": \"Unable to contact slurm controller\"}]}";
    assertThatThrownBy(() -> SlurmJson.jobs(text.getBytes(StandardCharsets.UTF_8)))
        .hasMessageContaining("Slurm says: Unable to contact slurm controller");
  }

  @Test
  void nestingHasAnEnd() {
    String deep = "{\"a\": " + "[".repeat(100_000);
    assertThatThrownBy(() -> SlurmJson.jobs(deep.getBytes(StandardCharsets.UTF_8)))
        .isInstanceOf(BadAnswerException.class);
  }

  @Test
  void everyMutationIsReadOrRefused() throws IOException {
    List<byte[]> good =
        List.of(
            Fixtures.bytes("squeue-22.05.json"),
            Fixtures.bytes("squeue-23.02.json"),
            Fixtures.bytes("squeue-23.11.json"),
            Fixtures.bytes("squeue-24.05.json"),
            Fixtures.bytes("nodes-22.05.json"));
    SeededCases.forAll(
        5_000,
        random -> {
          int which = random.nextInt(good.size());
          byte[] bytes = Fixtures.mutated(good.get(which), random);
          try {
            if (which == good.size() - 1) {
              Map<String, String> nodes = SlurmJson.nodeAddresses(bytes);
              assertThat(nodes).doesNotContainKey("").doesNotContainValue("");
            } else {
              assertThat(SlurmJson.jobs(bytes).jobs())
                  .allSatisfy(job -> assertThat(job.nodeList()).isNotEmpty());
            }
          } catch (BadAnswerException e) {
            assertThat(e).hasMessageContaining("Slurm");
          }
        });
  }

  /** A comment is text, or of a newer Slurm something else that nobody waits for. */
  @Test
  void whatACommentSaysOfPhasesIsKnown() throws IOException {
    String job =
        "{\"job_id\": 1, \"job_state\": \"RUNNING\", \"user_name\": \"alice\", \"nodes\": \"n1\","
            + " \"comment\": %s}";
    String answer =
        "{\"jobs\": ["
            + String.format(job, "\"sluice:phase=2GiB\"")
            + ", "
            + String.format(job, "{\"job\": [\"sluice:phase=2GiB\"]}")
            + ", "
            + String.format(job, "null")
            + "]}";
    assertThat(SlurmJson.jobs(answer.getBytes(StandardCharsets.UTF_8)).jobs())
        .extracting(SlurmJob::phaseTokens)
        .containsExactly(OptionalLong.of(2L << 30), OptionalLong.empty(), OptionalLong.empty());
  }
}
