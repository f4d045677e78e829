package dev.sluice.app.period;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.app.Cli;
import dev.sluice.document.DocumentMap;
import dev.sluice.document.DocumentNode;
import dev.sluice.document.Documents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PeriodCommandTest {
  private static final String CHECKPOINTS =
      Cli.inTree("examples/periods/checkpoints.csv").toString();
  private static final String REQUESTS = Cli.inTree("examples/periods/requests.csv").toString();

  @TempDir Path directory;

  @Test
  void theExamplesGiveWhatTheirPageSays() {
    Cli cli = Cli.run("period", CHECKPOINTS, REQUESTS);
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    assertThat(cli.out().lines().toList())
        .hasSize(4)
        .anySatisfy(line -> assertThat(line).containsPattern("checkpoints.csv +- +60\\.33"))
        .anySatisfy(line -> assertThat(line).containsPattern("solver +11\\.98 +(0.9|1.0)"))
        .anySatisfy(line -> assertThat(line).containsPattern("notebook +- +- .*chance explains"));
  }

  @Test
  void jsonNamesFilePeriodAndConfidence() {
    Cli cli = Cli.run("period", "--json", CHECKPOINTS, REQUESTS);
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    List<DocumentNode> rows = Documents.parse("out", cli.out()).list();
    assertThat(rows).hasSize(3);
    assertThat(cli.out()).contains("\"period\":null,\"confidence\":0");
    DocumentMap first = rows.getFirst().map("file", "period", "confidence");
    assertThat(first.required("file").text()).isEqualTo(CHECKPOINTS);
  }

  @Test
  void picturesShowTheSignalAndItsBursts() throws IOException {
    Path out = directory.resolve("pictures");
    Cli cli =
        Cli.run("period", "--svg", "--out", out.toString(), CHECKPOINTS, CHECKPOINTS, REQUESTS);
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    assertThat(out)
        .isDirectoryContaining("glob:**/checkpoints.svg")
        .isDirectoryContaining("glob:**/checkpoints-2.svg")
        .isDirectoryContaining("glob:**/requests-solver.svg");
    assertThat(Files.readString(out.resolve("checkpoints.svg")))
        .contains("<svg")
        .contains("bursts seen")
        .contains("checkpoints.csv: period 60.33 s, confidence 1.00")
        .doesNotContain(Cli.inTree("examples").toString());
  }

  @Test
  void aStepFunctionsUnitDoesNotMatter() throws IOException {
    List<String> outs = new ArrayList<>();
    for (String rate : List.of("0.0001", "1", "1e30")) {
      StringBuilder text = new StringBuilder("t_s,bandwidth_rel\n");
      for (int burst = 0; burst < 6; burst++) {
        text.append(burst * 20).append(',').append(rate).append('\n');
        text.append(burst * 20 + 2).append(",0\n");
      }
      outs.add(Cli.run("period", "--json", write("steps.csv", text.toString())).out());
    }
    assertThat(outs.getFirst()).contains("\"period\":20.0");
    assertThat(outs).containsOnly(outs.getFirst());
  }

  @Test
  void badFilesAreRefusedWithTheirPlace() throws IOException {
    refused("a,b\n1,2\n", ":1: expected names with t_s or time, and with bytes or bandwidth");
    refused("", ": expected a line of names");
    refused("t_s,bandwidth\n", ": expected rows below the line of names");
    refused("t_s,bandwidth\n0,1\nx,2\n", ":3: expected a time in seconds, not \"x\"");
    refused("t_s,bandwidth\n0,-1\n", ":2: expected 0 or more, not \"-1\"");
    refused("t_s,bandwidth\n0,NaN\n", ":2: expected 0 or more, not \"NaN\"");
    refused("# why\n\nt_s,bandwidth\n5,1\n4,0\n", ":5: expected a time that is not before");
    refused("t_s,bandwidth\n0\n", ":2: expected at least 2 values, not 1");
    refused("t_s,job,bandwidth\n0,a,1\n", ":1: expected no column job beside bandwidth");
    refused("time,bytes\n1e300,1\n", ":2: expected a time in seconds");
    Cli missing = Cli.run("period", directory.resolve("none.csv").toString());
    assertThat(missing.exitCode()).isEqualTo(2);
    assertThat(missing.err()).contains("none.csv: no such file");
  }

  private void refused(String text, String message) throws IOException {
    Cli cli = Cli.run("period", write("bad.csv", text));
    assertThat(cli.exitCode()).as(text).isEqualTo(2);
    assertThat(cli.err()).contains("bad.csv" + message);
    assertThat(cli.out()).isEmpty();
  }

  private String write(String name, String text) throws IOException {
    Path file = directory.resolve(name);
    Files.writeString(file, text);
    return file.toString();
  }

  /** Traces of real programs and of the reference tool's authors; they are not part of the tree. */
  @Test
  void recordedTracesAreFoundWithinFifteenPercent() throws IOException {
    Path traces = Cli.inTree("../shared/data/periods");
    assumeTrue(Files.isDirectory(traces), "the recorded traces are not on this machine");
    int periodic = 0;
    int right = 0;
    for (String line : Files.readAllLines(traces.resolve("index.csv")).stream().skip(1).toList()) {
      String[] columns = line.split(",", -1);
      double expected = Double.parseDouble(columns[1]);
      String file = traces.resolve(columns[0]).toString();
      String out = Cli.run("period", "--json", file).out();
      boolean none = out.contains("\"period\":null");
      double found =
          none ? 0 : Double.parseDouble(out.replaceAll("(?s).*\"period\":([0-9.]+).*", "$1"));
      boolean near = Math.abs(found / expected - 1) <= 0.15;
      if (columns[0].startsWith("poisson")) {
        assertThat(none || near).as(columns[0]).isTrue();
      } else {
        periodic++;
        right += near ? 1 : 0;
      }
    }
    assertThat(right).isGreaterThanOrEqualTo(periodic - 1);
  }
}
