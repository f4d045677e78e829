package dev.sluice.app.period;

import dev.sluice.app.OutputDirectory;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Finds the periods of recorded I/O. */
@Command(
    name = "period",
    description = {
      "Find the period of recorded I/O: how far apart the starts of its phases are.",
      "",
      "A FILE has a line of names and rows of values with commas between them. It is a step",
      "function (t_s,bandwidth: holds until the next row) or a trace of requests",
      "(time,bytes, and job if there are several). Times are seconds. docs/period.md tells more.",
      ""
    },
    mixinStandardHelpOptions = true,
    footer = {"", "Example: ./sluice period examples/periods/checkpoints.csv"})
public final class PeriodCommand implements Runnable {
  @Spec @Nullable CommandSpec spec;

  @Option(names = "--json", description = "Print JSON for programs instead of a table for people.")
  boolean json;

  @Option(
      names = "--svg",
      description = "Draw each recording with the bursts that were seen, into NAME.svg.")
  boolean svg;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Where to put the pictures (default: the current directory).")
  String out = ".";

  @Parameters(arity = "1..*", paramLabel = "FILE", description = "What was recorded.")
  List<String> files = new ArrayList<>();

  @Override
  public void run() {
    List<Analysis> analyses = new ArrayList<>();
    for (String file : files) {
      for (Recording recording : RecordingReader.read(file)) {
        analyses.add(Analysis.of(file, recording));
      }
    }
    if (svg) {
      draw(analyses);
    }
    PrintWriter text = Objects.requireNonNull(spec).commandLine().getOut();
    if (json) {
      PeriodJson.print(analyses, text);
    } else {
      PeriodText.print(analyses, text);
    }
  }

  private void draw(List<Analysis> analyses) {
    OutputDirectory directory = OutputDirectory.at(out);
    Map<String, Integer> used = new LinkedHashMap<>();
    for (Analysis analysis : analyses) {
      String name = name(analysis);
      int count = used.merge(name, 1, Integer::sum);
      String numbered = count == 1 ? name : name + "-" + count;
      directory.write(numbered + ".svg", text -> text.append(PeriodPicture.svg(analysis)));
    }
    directory.publish();
  }

  /** A file's name without what is after its last dot; a job's name may hold anything. */
  private static String name(Analysis analysis) {
    String file = String.valueOf(Path.of(analysis.file()).getFileName());
    int dot = file.lastIndexOf('.');
    String name = dot > 0 ? file.substring(0, dot) : file;
    return analysis
        .recording()
        .job()
        .map(job -> name + "-" + job.replaceAll("[^A-Za-z0-9._-]", "_"))
        .orElse(name);
  }
}
