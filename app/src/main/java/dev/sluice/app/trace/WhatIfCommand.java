package dev.sluice.app.trace;

import dev.sluice.app.BadInputException;
import dev.sluice.app.FailedException;
import dev.sluice.app.InterruptGuard;
import dev.sluice.app.OutputDirectory;
import dev.sluice.app.Policies;
import dev.sluice.app.ProgressBar;
import dev.sluice.app.ProgressOption;
import dev.sluice.app.ReportOption;
import dev.sluice.app.Table;
import dev.sluice.app.sim.SimText;
import dev.sluice.core.model.Quantities;
import dev.sluice.core.policy.PolicyFactory;
import dev.sluice.core.policy.Settings;
import dev.sluice.history.trace.TraceReader;
import dev.sluice.sim.report.Report;
import dev.sluice.sim.report.ReportTable;
import dev.sluice.sim.result.RunResult;
import dev.sluice.sim.run.SimRuns;
import dev.sluice.sim.run.StandardSimulator;
import dev.sluice.sim.scenario.Scenario;
import dev.sluice.studies.whatif.Ranking;
import dev.sluice.studies.whatif.TraceScenario;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Tells what other policies would have made of what was recorded. */
@Command(
    name = "whatif",
    description = {
      "Play a recorded trace through every policy in the simulator, and tell which would have"
          + " served these users best: by completion, fairness, tail wait and utilisation.",
      "",
      "Each job pauses as it did, and does its I/O as fast as the policy lets it, though no",
      "faster than it could. So a job that was held back may be done earlier, or later.",
      ""
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Policies are ranked by each of the four; the one with the fewest points is best over",
      "all. Requests that still wait at the end count with their age, and a policy ranks",
      "behind all that let fewer jobs starve. docs/whatif.md says what is simulated.",
      "",
      "Examples: ./sluice record --for 1h --out monday.trace",
      "          ./sluice whatif monday.trace --out /tmp/monday",
      "          ./sluice whatif monday.trace --policy fair --policy adaptbf"
    })
public final class WhatIfCommand implements Runnable {
  private static final long SEED = 1;

  @Spec @Nullable CommandSpec spec;

  @Parameters(paramLabel = "TRACE", description = "What ./sluice record has written.")
  String file = "";

  @Option(
      names = "--policy",
      paramLabel = "NAME",
      description = "A policy to try; may be given several times (default: all).")
  List<String> policyNames = new ArrayList<>();

  @Mixin ReportOption reports = new ReportOption();

  @Mixin ProgressOption shown = new ProgressOption();

  @Override
  public void run() {
    CommandSpec command = Objects.requireNonNull(spec);
    List<PolicyFactory> policies = policies(command);
    TraceScenario recorded = new TraceScenario();
    TraceReader.About about = read(recorded);
    if (recorded.isEmpty()) {
      throw new BadInputException(file + ": nobody did anything in this trace");
    }
    Scenario scenario =
        recorded.scenario(name(), policies.stream().map(policy -> policy.info().name()).toList());
    OutputDirectory directory = reports.directory();
    PrintWriter errors = command.commandLine().getErr();
    PrintWriter text = command.commandLine().getOut();
    ProgressBar progress = shown.bar(errors, "simulating");
    try (InterruptGuard _ = new InterruptGuard(directory, progress, errors)) {
      List<RunResult> results = results(scenario, policies, progress);
      if (progress != null) {
        progress.clear();
      }
      if (directory != null) {
        ReportOption.write(report(scenario, results), directory);
        directory.publish();
      }
      print(recorded, about, results, text);
      if (directory != null) {
        text.println(directory.summary());
      }
    }
  }

  private List<PolicyFactory> policies(CommandSpec command) {
    if (policyNames.isEmpty()) {
      return Policies.ALL.policies();
    }
    Set<String> names = new LinkedHashSet<>(policyNames);
    try {
      return names.stream().map(Policies.ALL::policy).toList();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command.commandLine(), e.getMessage(), e);
    }
  }

  private TraceReader.About read(TraceScenario recorded) {
    try {
      return TraceReader.read(Path.of(file), recorded::add);
    } catch (NoSuchFileException | InvalidPathException e) {
      throw new BadInputException(file + ": no such file", e);
    } catch (IOException e) {
      throw new BadInputException(String.valueOf(e.getMessage()), e);
    }
  }

  /** Other people's directories are nobody's business. */
  private String name() {
    return String.valueOf(Path.of(file).getFileName());
  }

  private List<RunResult> results(
      Scenario scenario, List<PolicyFactory> policies, @Nullable ProgressBar progress) {
    List<SimRuns.Choice> choices =
        policies.stream()
            .map(policy ->
                new SimRuns.Choice(scenario, policy, new Settings(policy.info(), Map.of())))
            .toList();
    int cores = Runtime.getRuntime().availableProcessors();
    try {
      return new SimRuns(StandardSimulator::new, cores, System::nanoTime)
          .run(choices, SEED, ProgressBar.telling(progress)).stream()
              .map(SimRuns.Outcome::result)
              .toList();
    } catch (IllegalArgumentException e) {
      throw new BadInputException(file + ": " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new FailedException("interrupted", e);
    }
  }

  private Report report(Scenario scenario, List<RunResult> results) {
    return new Report(
        new Report.Origin(
            scenario.name(),
            scenario.description(),
            "./sluice whatif " + scenario.name(),
            SEED,
            "a trace"),
        results);
  }

  private void print(
      TraceScenario recorded, TraceReader.About about, List<RunResult> results, PrintWriter text) {
    text.println(
        SimText.harmless(name())
            + ": "
            + Quantities.formatDuration(recorded.nanos())
            + " of "
            + recorded.jobCount()
            + " jobs, recorded under "
            + SimText.harmless(about.policy())
            + (about.whole() ? "" : "; it ends in the middle of a second"));
    recorded.notes().forEach(note -> text.println("note: " + SimText.harmless(note)));
    text.println();
    Ranking verdict = Ranking.of(results, about.policy());
    ReportTable data = verdict.table();
    text.println(data.caption());
    Table table = new Table(data.columns());
    data.rows().forEach(table::row);
    table.lines().forEach(line -> text.println("  " + line));
    text.println();
    verdict.words().forEach(text::println);
    text.flush();
  }
}
