package dev.sluice.app.demo;

import dev.sluice.app.BadInputException;
import dev.sluice.app.FailedException;
import dev.sluice.app.LiveScreen;
import dev.sluice.app.OutputDirectory;
import dev.sluice.app.StopGuard;
import dev.sluice.app.load.JobBars;
import dev.sluice.app.load.ThisUser;
import dev.sluice.core.model.JobId;
import dev.sluice.core.policy.PolicyFactory;
import dev.sluice.core.policy.Settings;
import dev.sluice.core.policy.registry.PolicyRegistry;
import dev.sluice.load.play.JobProgress;
import dev.sluice.load.play.PlayListener;
import dev.sluice.load.play.PlayResult;
import dev.sluice.load.play.PlaySettings;
import dev.sluice.load.play.ScenarioPlayer;
import dev.sluice.nfs.rpc.Credential;
import dev.sluice.sim.Simulator;
import dev.sluice.sim.papers.BuiltInScenarios;
import dev.sluice.sim.report.Report;
import dev.sluice.sim.report.ReportFiles;
import dev.sluice.sim.result.Agreement;
import dev.sluice.sim.result.Summary;
import dev.sluice.sim.run.StandardSimulator;
import dev.sluice.sim.scenario.Scenario;
import dev.sluice.sim.scenario.ScenarioReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
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
      "three large jobs that write in bursts, and a small one that never stops.",
      "Needs no rights and leaves nothing behind.",
      ""
    },
    mixinStandardHelpOptions = true,
    footer = {"", "Example: ./sluice demo --policy none,adaptbf --seconds 20"})
public final class DemoCommand implements Runnable {
  private static final String SCENARIO = "demo";
  private static final long SEED = 1;
  private static final long NANOS_PER_SECOND = 1_000_000_000L;
  private static final long FILE_BYTES_MAX = 16 << 20;
  private static final Duration PATIENCE = Duration.ofSeconds(10);

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

  @Option(
      names = "--seconds",
      paramLabel = "NUMBER",
      description = "How long to play under each policy (default: the scenario's end).")
  @Nullable Long seconds;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Write report.html, result.json and CSV files of what was measured there.")
  @Nullable String out;

  @Override
  public void run() {
    CommandSpec command = Objects.requireNonNull(spec);
    PrintWriter errors = command.commandLine().getErr();
    Scenario scenario = scenario();
    List<PolicyFactory> chosen = chosen(scenario);
    OutputDirectory reports = out == null ? null : OutputDirectory.at(out);
    Stops stops = new Stops();
    LiveScreen screen = LiveScreen.onConsole(errors);
    List<DemoText.Run> runs = new ArrayList<>();
    try (StopGuard _ = new StopGuard(stops::stop, errors);
        DemoDirectory directory = DemoDirectory.create()) {
      for (PolicyFactory policy : chosen) {
        if (!stops.stopped()) {
          runs.add(run(scenario, policy, directory, stops, screen));
        }
      }
    } catch (IOException | UncheckedIOException e) {
      throw new FailedException(String.valueOf(e.getMessage()), e);
    } finally {
      screen.clear();
    }
    if (reports != null) {
      write(scenario, runs, reports);
    }
    DemoText.print(scenario, runs, command.commandLine().getOut());
  }

  private Scenario scenario() {
    Scenario read =
        file == null
            ? BuiltInScenarios.read(SCENARIO, SEED)
            : ScenarioReader.read(file, System.in, SEED);
    if (read.targets().size() != 1) {
      throw bad(file + ": expected one target, not " + read.targets().size());
    }
    Long bound = seconds;
    if (bound != null && bound < 1) {
      throw bad("--seconds: expected at least 1, not " + bound);
    }
    return bound == null ? read : read.withEndNanos(bound * NANOS_PER_SECOND);
  }

  private List<PolicyFactory> chosen(Scenario scenario) {
    try {
      return (policies.isEmpty() ? scenario.policies() : policies)
          .stream().distinct().map(PolicyRegistry::named).toList();
    } catch (IllegalArgumentException e) {
      throw new BadInputException("--policy: " + e.getMessage(), e);
    }
  }

  private static BadInputException bad(String message) {
    return new BadInputException(message, new IllegalArgumentException(message));
  }

  /** Ends the play that is on, and lets no other begin. */
  private static final class Stops {
    private boolean stopped;
    private @Nullable ScenarioPlayer playing;

    synchronized void stop() {
      stopped = true;
      if (playing != null) {
        playing.stop();
      }
    }

    synchronized boolean stopped() {
      return stopped;
    }

    synchronized void playing(ScenarioPlayer player) {
      playing = player;
      if (stopped) {
        player.stop();
      }
    }
  }

  private static DemoText.Run run(
      Scenario scenario,
      PolicyFactory policy,
      DemoDirectory directory,
      Stops stops,
      LiveScreen screen)
      throws IOException {
    String name = policy.info().name();
    PlayResult measured;
    try (DemoServer server = DemoServer.start(directory.create(name), scenario, name)) {
      ThisUser me = ThisUser.find();
      PlaySettings settings =
          new PlaySettings(
              server.address(),
              DemoServer.EXPORT,
              true,
              new Credential.Sys("localhost", me.uid(), me.gid()),
              PATIENCE,
              FILE_BYTES_MAX,
              false,
              true);
      ScenarioPlayer player = new ScenarioPlayer(scenario, SEED, settings);
      stops.playing(player);
      measured = player.play(name, new Watching(screen, scenario, policy));
    }
    Summary summary = Summary.of(measured.run());
    Map<JobId, Double> rates = new LinkedHashMap<>();
    summary.jobs().forEach(job -> rates.put(job.id(), job.bytesPerSecond().orElse(0)));
    return new DemoText.Run(
        name, measured, summary, Agreement.of(simulated(scenario, policy), rates));
  }

  private static Summary simulated(Scenario scenario, PolicyFactory policy) {
    Settings settings = new Settings(policy.info(), Map.of());
    return Summary.of(
        new StandardSimulator().run(scenario, policy, settings, SEED, Simulator.Progress.NONE));
  }

  /** Shows how the play goes. */
  private static final class Watching implements PlayListener {
    private final LiveScreen screen;
    private final JobBars bars;

    Watching(LiveScreen screen, Scenario scenario, PolicyFactory policy) {
      this.screen = screen;
      this.bars =
          new JobBars(
              policy.info().name() + " (" + policy.info().summary() + ")",
              (double) scenario.targets().getFirst().bytesPerSecond());
    }

    @Override
    public void playing(List<JobProgress> jobs, long nowNanos, long endNanos) {
      screen.show(bars.at(jobs, nowNanos, endNanos));
    }
  }

  private void write(Scenario scenario, List<DemoText.Run> runs, OutputDirectory reports) {
    Report report =
        new Report(
            new Report.Origin(scenario.name(), scenario.description(), "./sluice demo", SEED, ""),
            runs.stream().map(run -> run.measured().run()).toList());
    ReportFiles.of(report).forEach((name, content) -> reports.write(name, content::writeTo));
    reports.publish();
  }
}
