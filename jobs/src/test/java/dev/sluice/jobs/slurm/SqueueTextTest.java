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

class SqueueTextTest {
  private static final String MARK = " @MARK@";

  /**
   * What squeue of Slurm 22.05 really printed, for names with line ends and bars in them; the
   * comments at the ends were put in by hand, as it prints them.
   */
  @Test
  void whatSlurmPrintsIsRead() throws IOException {
    JobList answer = SqueueText.parse(Fixtures.text("squeue-22.05.txt"), MARK);
    assertThat(answer.problem()).isNull();
    assertThat(answer.jobs()).extracting(SlurmJob::id).containsExactly(10L, 7L, 8L);
    assertThat(answer.jobs().getFirst())
        .isEqualTo(
            new SlurmJob(
                10,
                OptionalLong.of(7),
                OptionalLong.of(7),
                "lammps",
                "nobody",
                OptionalInt.of(65_534),
                "bio",
                "",
                "n00",
                1,
                1_794_809_406,
                OptionalLong.empty(),
                false));
    SlurmJob odd = answer.jobs().getLast();
    assertThat(odd.name()).isEqualTo("first|line?second \"quoted\" é");
    assertThat(odd.account()).startsWith("odd|account?9|9|n/a|running|0|root");
    assertThat(odd.nodeList()).isEqualTo("n[02-03]");
    assertThat(odd.arrayTask()).isEmpty();
    assertThat(answer.jobs())
        .extracting(SlurmJob::phaseTokens)
        .containsExactly(
            OptionalLong.empty(), OptionalLong.of(5_000_000_000L), OptionalLong.empty());
  }

  /** A name that looks like a record is a name, because nobody can foresee the mark. */
  @Test
  void aNameCannotForgeAJob() throws IOException {
    String record = "1|1|N/A|RUNNING|1001|alice|1|1000|normal|n1|bio" + MARK;
    String forged = "evil\n99|99|N/A|RUNNING|0|root|500|1000|normal|n[0-499]|bio |root\n";
    JobList answer = SqueueText.parse(record + forged + MARK + forged + MARK + "\n", MARK);
    assertThat(answer.jobs()).extracting(SlurmJob::id).containsExactly(1L);
    assertThat(SqueueText.arguments(MARK).getLast())
        .endsWith("%a" + MARK + "%j" + MARK + "%k" + MARK);
  }

  @Test
  void jobsWithoutNodesAreLeftOutAndTheRestIsThere() throws IOException {
    String text =
        """
        1|1|N/A|PENDING|1001|alice|1|N/A|normal||bio @MARK@a @MARK@(null) @MARK@
        2|2|N/A|COMPLETING|1001|alice|1|1000|normal|n1|bio @MARK@a @MARK@(null) @MARK@
        3|3|N/A|RUNNING|1001|alice|many|1000|normal|n1|bio @MARK@a @MARK@(null) @MARK@
        4|4|N/A|RUNNING|1001|alice|1|Unknown|normal|n1|bio @MARK@a @MARK@(null) @MARK@
        too short @MARK@a @MARK@(null) @MARK@
        5|5|N/A|CONFIGURING|1001|alice|1|1000|(null)|n[1-3]|(null) @MARK@a @MARK@(null) @MARK@
        """;
    JobList answer = SqueueText.parse(text, MARK);
    assertThat(answer.jobs()).extracting(SlurmJob::id).containsExactly(2L, 5L);
    assertThat(answer.jobs().getFirst().ending()).isTrue();
    assertThat(answer.problem()).contains("record 3", "\"many\"", "expected a whole number");
  }

  @Test
  void anAnswerThatIsCutOffIsRefused() throws IOException {
    String good = Fixtures.text("squeue-22.05.txt");
    assertThatThrownBy(() -> SqueueText.parse(good.substring(0, good.length() - 1), MARK))
        .isInstanceOf(BadAnswerException.class)
        .hasMessageContaining("ends within its record 3");
    assertThat(SqueueText.parse("", MARK).jobs()).isEmpty();
  }

  @Test
  void everyMutationIsReadOrRefused() throws IOException {
    byte[] good = Fixtures.bytes("squeue-22.05.txt");
    SeededCases.forAll(
        20_000,
        random -> {
          String text = new String(Fixtures.mutated(good, random), StandardCharsets.UTF_8);
          try {
            List<SlurmJob> jobs = SqueueText.parse(text, MARK).jobs();
            assertThat(jobs).allSatisfy(job -> assertThat(job.nodeList()).isNotEmpty());
          } catch (BadAnswerException e) {
            assertThat(e).hasMessageContaining("squeue's answer ends");
          }
        });
  }

  @Test
  void nodesAreReadFromScontrol() throws IOException {
    assertThat(NodeText.addresses(Fixtures.text("nodes-22.05.txt")))
        .containsEntry("n00", "10.78.0.10")
        .containsEntry("n03", "10.78.0.13")
        .hasSize(4);
    assertThat(NodeText.addresses("No nodes in the system\n")).isEmpty();
    assertThat(NodeText.addresses("NodeName=a NodeAddr=b Reason=x NodeAddr=c\nNodeName=d Arch=e"))
        .containsExactly(Map.entry("a", "b"));
  }
}
