package dev.sluice.app.sim;

import dev.sluice.app.BadInputException;
import dev.sluice.app.FailedException;
import dev.sluice.app.InterruptGuard;
import dev.sluice.app.OutputDirectory;
import dev.sluice.app.Policies;
import dev.sluice.app.ProgressBar;
import dev.sluice.core.policy.PolicyFactory;
import dev.sluice.core.policy.PolicyInfo;
import dev.sluice.core.policy.Settings;
import dev.sluice.document.Documents;
import dev.sluice.sim.report.Report;
import dev.sluice.sim.report.ReportFiles;
import dev.sluice.sim.report.ResultJson;
import dev.sluice.sim.run.StandardSimulator;
import dev.sluice.sim.scenario.Scenario;
import dev.sluice.sim.scenario.ScenarioReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
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
  private static final int HASH_DIGITS = 12;

  @Spec @Nullable CommandSpec spec;

  @Parameters(paramLabel = "FILE", description = "The scenario; - reads standard input.")
  String file = "";

  @Option(
      names = "--policy",
      paramLabel = "NAME",
      description = {
        "A policy to run it under; may be given several times, and the others are compared with"
            + " the first. Without it, those that FILE names, or none, static, fair and adaptbf.",
      })
  List<String> policyNames = new ArrayList<>();

  @Option(
      names = "--seed",
      paramLabel = "NUMBER",
      description = "Where everything random comes from (default: ${DEFAULT-VALUE}).")
  long seed = 1;

  @Option(
      names = "--set",
      paramLabel = "NAME=VALUE",
      description = "Set a parameter of the policies that have it; may be given several times.")
  Map<String, String> settings = new LinkedHashMap<>();

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Write report.html, result.json and CSV files there.")
  @Nullable String out;

  @Option(names = "--json", description = "Print result.json instead of tables for people.")
  boolean json;

  @Option(names = "--quiet", description = "Show no progress.")
  boolean quiet;

  @Override
  public void run() {
    CommandSpec command = Objects.requireNonNull(spec);
    Read read = read();
    Scenario scenario = read.scenario();
    List<SimRuns.Choice> choices = choices(command, scenario);
    OutputDirectory directory = out == null ? null : OutputDirectory.at(out);
    PrintWriter errors = command.commandLine().getErr();
    ProgressBar progress = quiet ? null : ProgressBar.onConsole(errors, "simulating");
    try (InterruptGuard _ = new InterruptGuard(directory, progress, errors)) {
      List<SimRuns.Outcome> outcomes = outcomes(choices, progress);
      if (progress != null) {
        progress.clear();
      }
      Report report = report(scenario, choices, outcomes, read.hash());
      if (directory != null) {
        write(report, directory);
      }
      print(report, outcomes, command.commandLine().getOut());
    }
  }

  private Read read() {
    try {
      if (file.equals("-")) {
        // The reader itself says what is wrong with a text that is longer than this.
        byte[] bytes = System.in.readNBytes(Documents.BYTES_MAX + 1);
        return new Read(
            ScenarioReader.read(file, new ByteArrayInputStream(bytes), seed), hash(bytes));
      }
      Scenario scenario = ScenarioReader.read(file, InputStream.nullInputStream(), seed);
      return new Read(scenario, hash(Files.readAllBytes(Path.of(file))));
    } catch (IOException e) {
      throw new FailedException(file + ": cannot be read: " + e.getMessage(), e);
    }
  }

  /** A scenario and the mark of the text that it was read from. */
  private record Read(Scenario scenario, String hash) {}

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
          .run(choices, seed, progress);
    } catch (IllegalArgumentException e) {
      throw new BadInputException(file + ": " + e.getMessage(), e);
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
        new Report.Origin(scenario.name(), scenario.description(), repeat(choices), seed, hash),
        outcomes.stream().map(SimRuns.Outcome::result).toList());
  }

  /** What to type to get the same again; other people's directories are nobody's business. */
  private String repeat(List<SimRuns.Choice> choices) {
    Path path = Path.of(file);
    String name = path.isAbsolute() ? String.valueOf(path.getFileName()) : file;
    StringBuilder command = new StringBuilder("./sluice sim ").append(quoted(name));
    choices.forEach(choice -> command.append(" --policy ").append(choice.policy().info().name()));
    settings.forEach((key, value) -> command.append(" --set ").append(quoted(key + "=" + value)));
    return command.append(" --seed ").append(seed).toString();
  }

  private static String quoted(String word) {
    return word.matches("[A-Za-z0-9_./=+:,@%-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
  }

  private static String hash(byte[] bytes) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
      return HexFormat.of().formatHex(digest).substring(0, HASH_DIGITS);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  private static void write(Report report, OutputDirectory directory) {
    ReportFiles.of(report).forEach((name, content) -> directory.write(name, content::writeTo));
    directory.publish();
  }

  private void print(Report report, List<SimRuns.Outcome> outcomes, PrintWriter text) {
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
    if (out != null) {
      text.println();
      text.println("Files in " + out + ": " + String.join(", ", ReportFiles.of(report).keySet()));
    }
  }
}
