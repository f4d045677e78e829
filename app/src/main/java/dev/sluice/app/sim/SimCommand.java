package dev.sluice.app.sim;

import dev.sluice.app.BadInputException;
import dev.sluice.app.FailedException;
import dev.sluice.app.InterruptGuard;
import dev.sluice.app.OutputDirectory;
import dev.sluice.app.Policies;
import dev.sluice.app.ProgressBar;
import dev.sluice.app.ProgressOption;
import dev.sluice.app.ReportOption;
import dev.sluice.app.ScenarioInput;
import dev.sluice.core.policy.PolicyFactory;
import dev.sluice.core.policy.PolicyInfo;
import dev.sluice.core.policy.Settings;
import dev.sluice.sim.report.Report;
import dev.sluice.sim.report.ResultJson;
import dev.sluice.sim.run.SimRuns;
import dev.sluice.sim.run.StandardSimulator;
import dev.sluice.sim.scenario.Scenario;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Simulates a scenario under several policies and compares them. */
@Command(
    name = "sim",
    description = {
      "Run a scenario under several policies in virtual time, and compare them.",
      "",
      "FILE describes targets, jobs and what their processes do, in YAML; all keys",
      "are in docs/scenarios.md, scenarios to begin with in examples/scenarios. Each",
      "policy runs with the same scheduler and policy code as live, on as many cores",
      "as there are. The same FILE and seed give the same figures, byte for byte.",
      ""
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "docs/simulation.md explains the words in the table. With --out DIR there are",
      "also report.html (one page with pictures that needs no network), result.json",
      "and CSV files.",
      "",
      "Example: ./sluice sim examples/scenarios/recompensation.yaml --policy none \\",
      "             --policy adaptbf --out /tmp/compare"
    })
public final class SimCommand implements Runnable {
  @Spec @Nullable CommandSpec spec;

  @Mixin ScenarioInput input = new ScenarioInput();

  @Option(
      names = "--policy",
      paramLabel = "NAME",
      description = {
        "A policy to run it under; may be given several times, and the others are compared with"
            + " the first. Without it, those that FILE names, or none, static, fair and adaptbf.",
      })
  List<String> policyNames = new ArrayList<>();

  @Option(
      names = "--set",
      paramLabel = "NAME=VALUE",
      description = "Set a parameter of the policies that have it; may be given several times.")
  Map<String, String> settings = new LinkedHashMap<>();

  @Mixin ReportOption reports = new ReportOption();

  @Option(names = "--json", description = "Print result.json instead of tables for people.")
  boolean json;

  @Mixin ProgressOption shown = new ProgressOption();

  @Override
  public void run() {
    CommandSpec command = Objects.requireNonNull(spec);
    ScenarioInput.Read read = input.read();
    Scenario scenario = read.scenario();
    List<SimRuns.Choice> choices = choices(command, scenario);
    OutputDirectory directory = reports.directory();
    PrintWriter errors = command.commandLine().getErr();
    ProgressBar progress = shown.bar(errors, "simulating");
    try (InterruptGuard _ = new InterruptGuard(directory, progress, errors)) {
      List<SimRuns.Outcome> outcomes = outcomes(choices, progress);
      if (progress != null) {
        progress.clear();
      }
      Report report = report(scenario, choices, outcomes, read.hash());
      if (directory != null) {
        ReportOption.write(report, directory);
        directory.publish();
      }
      print(report, outcomes, directory, command.commandLine().getOut());
    }
  }

  private List<SimRuns.Choice> choices(CommandSpec command, Scenario scenario) {
    Set<String> names = new LinkedHashSet<>(policyNames);
    if (names.isEmpty()) {
      names.addAll(scenario.policies());
    }
    List<SimRuns.Choice> choices = new ArrayList<>();
    Set<String> unused = new TreeSet<>(settings.keySet());
    try {
      for (String name : names) {
        PolicyFactory policy = Policies.ALL.policy(name);
        Map<String, String> its = new LinkedHashMap<>(settings);
        its.keySet().retainAll(parameters(policy));
        unused.removeAll(its.keySet());
        Settings checked = new Settings(policy.info(), its);
        // Made once here, so that a bad value is found before anything runs.
        policy.create(checked);
        choices.add(new SimRuns.Choice(scenario, policy, checked));
      }
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command.commandLine(), e.getMessage(), e);
    }
    if (!unused.isEmpty()) {
      throw new ParameterException(
          command.commandLine(),
          "no policy that runs has a parameter \""
              + String.join("\" or \"", unused)
              + "\"; they have "
              + known(choices));
    }
    return choices;
  }

  private static List<String> parameters(PolicyFactory policy) {
    return policy.info().parameters().stream().map(PolicyInfo.Parameter::name).toList();
  }

  private static String known(List<SimRuns.Choice> choices) {
    Set<String> known = new TreeSet<>();
    choices.forEach(choice -> known.addAll(parameters(choice.policy())));
    return known.isEmpty() ? "none" : String.join(", ", known);
  }

  private List<SimRuns.Outcome> outcomes(
      List<SimRuns.Choice> choices, @Nullable ProgressBar progress) {
    int cores = Runtime.getRuntime().availableProcessors();
    try {
      return new SimRuns(StandardSimulator::new, cores, System::nanoTime)
          .run(choices, input.seed(), ProgressBar.telling(progress));
    } catch (IllegalArgumentException e) {
      throw new BadInputException(input.file() + ": " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new FailedException("interrupted", e);
    }
  }

  private Report report(
      Scenario scenario,
      List<SimRuns.Choice> choices,
      List<SimRuns.Outcome> outcomes,
      String hash) {
    return new Report(
        new Report.Origin(
            scenario.name(), scenario.description(), repeat(choices), input.seed(), hash),
        outcomes.stream().map(SimRuns.Outcome::result).toList());
  }

  /** What to type to get the same again; other people's directories are nobody's business. */
  private String repeat(List<SimRuns.Choice> choices) {
    Path path = Path.of(input.file());
    String name = path.isAbsolute() ? String.valueOf(path.getFileName()) : input.file();
    StringBuilder command = new StringBuilder("./sluice sim ").append(quoted(name));
    choices.forEach(choice -> command.append(" --policy ").append(choice.policy().info().name()));
    settings.forEach((key, value) -> command.append(" --set ").append(quoted(key + "=" + value)));
    return command.append(" --seed ").append(input.seed()).toString();
  }

  private static String quoted(String word) {
    return word.matches("[A-Za-z0-9_./=+:,@%-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
  }

  private void print(
      Report report,
      List<SimRuns.Outcome> outcomes,
      @Nullable OutputDirectory directory,
      PrintWriter text) {
    if (json) {
      text.print(ResultJson.text(report));
      text.flush();
      return;
    }
    Report.Origin origin = report.origin();
    text.println(
        SimText.harmless(origin.name())
            + ", seed "
            + origin.seed()
            + ", scenario "
            + origin.scenarioHash());
    text.println();
    SimText.print(report, text);
    SimText.printCost(outcomes, text);
    if (directory != null) {
      text.println();
      text.println(directory.summary());
    }
  }
}
