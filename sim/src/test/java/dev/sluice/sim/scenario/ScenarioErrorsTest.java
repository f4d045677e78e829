package dev.sluice.sim.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.policy.registry.PolicyRegistry;
import dev.sluice.document.DocumentException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

/** One thing wrong in a scenario that is otherwise right, and what is said about it. */
class ScenarioErrorsTest {
  private static final String GOOD =
      """
      end: 60 s
      targets:
        ost0: {bandwidth: 500 MB/s}
        ost1: {bandwidth: 500 MB/s}
      jobs:
        a:
          nodes: 4
          processes: {sequential: {file: 1 GB}}
      """;

  @TempDir Path directory;

  @Test
  void theScenarioIsRightBeforeSomethingIsMadeWrong() {
    assertThat(read(GOOD).jobs()).hasSize(1);
  }

  @ParameterizedTest
  @CsvFileSource(resources = "errors-at-the-top.txt", delimiter = '|', quoteCharacter = '`')
  void atTheTop(String lines, String message) {
    String policies =
        PolicyRegistry.all().stream()
            .map(policy -> policy.info().name())
            .collect(Collectors.joining(", "));
    fails(
        GOOD.replaceFirst("end: 60 s", lines.replace("\\n", "\n")),
        message.replace("{policies}", policies));
  }

  @ParameterizedTest
  @CsvFileSource(resources = "errors-in-a-target.txt", delimiter = '|', quoteCharacter = '`')
  void inATarget(String target, String message) {
    fails(GOOD.replaceFirst("\\{bandwidth: 500 MB/s}", target), message);
  }

  @ParameterizedTest
  @CsvFileSource(resources = "errors-in-a-job.txt", delimiter = '|', quoteCharacter = '`')
  void inAJob(String lines, String message) {
    fails(GOOD.replaceFirst("nodes: 4", lines.replace("\\n", "\n")), message);
  }

  @ParameterizedTest
  @CsvFileSource(resources = "errors-in-processes.txt", delimiter = '|', quoteCharacter = '`')
  void inProcesses(String processes, String message) throws Exception {
    Files.writeString(directory.resolve("empty.csv"), "time,job,target,op,bytes\n");
    Files.writeString(
        directory.resolve("good.csv"), "time,job,target,op,bytes\n1,recorded,ost0,read,1\n");
    fails(GOOD.replaceFirst("\\{sequential: .*", processes), message);
  }

  @ParameterizedTest
  @CsvFileSource(resources = "errors-in-a-layout.txt", delimiter = '|', quoteCharacter = '`')
  void inALayout(String layout, String message) {
    fails(GOOD.replace("file: 1 GB}}", "file: 1 GB}, layout: " + layout + "}"), message);
  }

  @Test
  void jobsThatAreMissing() {
    String without = GOOD.substring(0, GOOD.indexOf("jobs:"));
    fails(without, "1:1: a mapping: expected the key \"jobs\", or \"trace\" for recorded ones");
    fails(without + "jobs: {}\n", "5:7: jobs: a mapping: expected at least one job");
    fails(
        GOOD.replace("processes:", "user:").replace("{sequential: {file: 1 GB}}", "alice"),
        "7:5: a: a mapping: expected the key \"processes\"");
  }

  @Test
  void targetsThatAreMissing() {
    fails("end: 1 s\ntargets: {}\n", "2:10: targets: a mapping: expected at least one target");
    fails("end: 1 s\n", "1:1: a mapping: expected the key \"targets\"");
  }

  @Test
  void namesThatAreThereTwice() {
    fails(
        GOOD + "  a: {processes: {sequential: {file: 1 B}}}\n",
        "9:3: \"a\": the key is there already");
    fails(
        GOOD.replace("  a:", "  a-2:") + "  a: {repeat: 2, processes: {sequential: {file: 1 B}}}\n",
        "9:3: \"a\": there is a job \"a-2\" already");
    fails(
        GOOD.replace("ost1: {", "ost0-1: {").replace("ost0: {", "ost0: {repeat: 1, "),
        "4:3: \"ost0-1\": there is a target \"ost0-1\" already");
  }

  @Test
  void namesThatAreNone() {
    fails(
        GOOD.replace("  a:", "  a b:"),
        "6:3: \"a b\": expected a name of 1 to 64 letters, digits, dots, dashes and underscores");
    fails(
        GOOD.replace("ost1", "-"),
        "4:3: \"-\": expected a name of 1 to 64 letters, digits, dots, dashes and underscores");
  }

  @Test
  void tooManyProcessesInAll() {
    fails(
        GOOD.replace("nodes: 4", "repeat: 1001").replace("{seq", "{count: 10000, seq"),
        "6:3: \"a\": expected at most 10000000 processes in all");
  }

  @Test
  void aDescriptionThatIsABook() {
    fails(
        GOOD + "description: " + "x".repeat(1_001) + "\n",
        "9:14: description: \"" + "x".repeat(60) + "…\": expected at most 1000 characters");
  }

  @Test
  void tracesOfJobs() throws Exception {
    Files.writeString(
        directory.resolve("t.csv"),
        "time,job,target,op,bytes\n1,a,ost0,read,1\n1,b,ost0,read,1\n0,b,ost0,read,1\n");
    fails(
        GOOD + "trace: {file: t.csv}\n",
        directory.resolve("t.csv"),
        "4:1: \"0\": expected a time that does not go back: the request before came at 1 s");
    Files.writeString(
        directory.resolve("t.csv"),
        "time,job,target,op,bytes\n1,a,ost0,read,1\n1,greedy,ost0,read,1\n");
    fails(
        GOOD + "trace: {file: t.csv}\n",
        "9:15: file: \"t.csv\": there is a job \"a\" in the trace and in the scenario");
    String other = GOOD.replace("  a:", "  other:");
    fails(
        other + "trace: {file: t.csv, nodes: {gredy: 1}}\n",
        "9:30: \"gredy\": there is no such job in the trace; did you mean greedy?");
    fails(
        other + "cluster: {nodes: 4}\ntrace: {file: t.csv, nodes: {greedy: 5}}\n",
        "10:38: greedy: \"5\": expected at most the cluster's 4 nodes");
    fails(other + "trace: {}\n", "9:8: trace: a mapping: expected the key \"file\"");
  }

  @Test
  void textThatIsNotUtf8() throws Exception {
    Path trace = directory.resolve("t.csv");
    Files.write(trace, new byte[] {'t', (byte) 0xff, '\n'});
    assertThatThrownBy(() -> read(GOOD + "trace: {file: t.csv}\n"))
        .isInstanceOf(DocumentException.class)
        .hasMessage(trace + ": is not UTF-8 text");
  }

  private void fails(String text, String message) {
    fails(text, Path.of("s.yaml"), message);
  }

  private void fails(String text, Path file, String message) {
    assertThatThrownBy(() -> read(text))
        .isInstanceOf(DocumentException.class)
        .hasMessage(file + ":" + message);
  }

  private Scenario read(String text) {
    return ScenarioReader.parse("s.yaml", text, directory, 1);
  }
}
