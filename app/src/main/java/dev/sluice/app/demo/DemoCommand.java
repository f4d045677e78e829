package dev.sluice.app.demo;

import dev.sluice.app.BadInputException;
import dev.sluice.app.FailedException;
import dev.sluice.app.LiveScreen;
import dev.sluice.app.OutputDirectory;
import dev.sluice.app.ReportOption;
import dev.sluice.app.SecondsOption;
import dev.sluice.app.StopGuard;
import dev.sluice.app.TemporaryDirectory;
import dev.sluice.core.policy.PolicyFactory;
import dev.sluice.core.policy.registry.PolicyRegistry;
import dev.sluice.sim.report.Report;
import dev.sluice.sim.scenario.BuiltInScenarios;
import dev.sluice.sim.scenario.Scenario;
import dev.sluice.sim.scenario.ScenarioReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows what policies do to jobs that share a storage target, with real requests. */
@Command(
    name = "demo",
    description = {
      "Show what policies do to jobs that share storage, with real NFS traffic.",
      "",
      "Starts a gateway on loopback over a temporary directory, with a target of",
      "100 MB/s, and plays the same jobs against it under one policy after another:",
      "three large jobs that write in bursts, and a small one that never stops. Shows",
      "what each job got, and how far a simulation of the same differs from it. While it",
      "runs, a dashboard in the browser shows the same; its address is printed first.",
      "The jobs share nodes, and with them connections, as users of a cluster do.",
      "Needs no rights and leaves nothing behind.",
      ""
    },
    mixinStandardHelpOptions = true,
    footer = {"", "Example: ./sluice demo --policy none,adaptbf --seconds 20"})
public final class DemoCommand implements Runnable {
  private static final String SCENARIO = "demo";

  @Spec @Nullable CommandSpec spec;

  @Option(
      names = "--policy",
      paramLabel = "NAME",
      split = ",",
      description = "The policies, in their order (default: those that the scenario names).")
  List<String> policies = new ArrayList<>();

  @Option(
      names = "--scenario",
      paramLabel = "FILE",
      description = "Other jobs, and another target, than examples/scenarios/demo.yaml.")
  @Nullable String file;

  @Mixin SecondsOption length = new SecondsOption();

  @Mixin ReportOption reports = new ReportOption();

  @Override
  public void run() {
    Logger everything = Logger.getLogger("");
    Level before = everything.getLevel();
    // What a gateway tells its log for the record would stand between the lines of the jobs.
    everything.setLevel(Level.WARNING);
    try {
      show();
    } finally {
      everything.setLevel(before);
    }
  }

  private void show() {
    CommandSpec command = Objects.requireNonNull(spec);
    PrintWriter errors = command.commandLine().getErr();
    Scenario scenario = scenario();
    List<PolicyFactory> chosen = chosen(scenario);
    OutputDirectory directory = reports.directory();
    DemoStops stops = new DemoStops();
    LiveScreen screen = LiveScreen.onConsole(errors);
    List<DemoText.Run> runs = new ArrayList<>();
    try (StopGuard _ = new StopGuard(stops::stop, errors);
        TemporaryDirectory files = TemporaryDirectory.create("sluice-demo-");
        DemoDashboard dashboard = DemoDashboard.start(files.directory("history"))) {
      errors.println("dashboard " + dashboard.address());
      DemoStage stage = new DemoStage(files, stops, screen, dashboard);
      stage.warmUp(scenario);
      for (PolicyFactory policy : chosen) {
        if (!stops.stopped()) {
          runs.add(stage.run(scenario, policy));
        }
      }
    } catch (IOException | UncheckedIOException e) {
      throw new FailedException(String.valueOf(e.getMessage()), e);
    } finally {
      screen.clear();
    }
    if (stops.stopped()) {
      return;
    }
    if (directory != null) {
      ReportOption.write(report(scenario, runs), directory);
      directory.publish();
    }
    DemoText.print(scenario, runs, command.commandLine().getOut());
  }

  private Scenario scenario() {
    Scenario read =
        file == null
            ? BuiltInScenarios.read(SCENARIO, DemoStage.SEED)
            : ScenarioReader.read(file, System.in, DemoStage.SEED);
    if (read.targets().size() != 1) {
      throw new BadInputException(file + ": expected one target, not " + read.targets().size());
    }
    return length.bound(read);
  }

  private List<PolicyFactory> chosen(Scenario scenario) {
    try {
      return (policies.isEmpty() ? scenario.policies() : policies)
          .stream().distinct().map(PolicyRegistry::named).toList();
    } catch (IllegalArgumentException e) {
      throw new BadInputException("--policy: " + e.getMessage(), e);
    }
  }

  private static Report report(Scenario scenario, List<DemoText.Run> runs) {
    return new Report(
        new Report.Origin(
            scenario.name(), scenario.description(), "./sluice demo", DemoStage.SEED, ""),
        runs.stream().map(run -> run.measured().run()).toList());
  }
}
