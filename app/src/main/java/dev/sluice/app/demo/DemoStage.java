package dev.sluice.app.demo;

import dev.sluice.app.LiveScreen;
import dev.sluice.app.TemporaryDirectory;
import dev.sluice.app.load.JobBars;
import dev.sluice.app.load.ThisUser;
import dev.sluice.core.model.JobId;
import dev.sluice.core.policy.PolicyFactory;
import dev.sluice.core.policy.Settings;
import dev.sluice.load.client.NfsVersion;
import dev.sluice.load.play.JobProgress;
import dev.sluice.load.play.PlayListener;
import dev.sluice.load.play.PlayResult;
import dev.sluice.load.play.PlaySettings;
import dev.sluice.load.play.ScenarioPlayer;
import dev.sluice.nfs.rpc.Credential;
import dev.sluice.sim.Simulator;
import dev.sluice.sim.result.Agreement;
import dev.sluice.sim.result.Summary;
import dev.sluice.sim.run.StandardSimulator;
import dev.sluice.sim.scenario.Scenario;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Plays a scenario against a gateway of its own, under one policy after another. */
final class DemoStage {
  static final long SEED = 1;

  private static final long WARM_UP_NANOS = 1_000_000_000L;
  private static final long FILE_BYTES_MAX = 16 << 20;
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final TemporaryDirectory directory;
  private final DemoStops stops;
  private final LiveScreen screen;
  private final DemoDashboard dashboard;

  DemoStage(
      TemporaryDirectory directory, DemoStops stops, LiveScreen screen, DemoDashboard dashboard) {
    this.directory = directory;
    this.stops = stops;
    this.screen = screen;
    this.dashboard = dashboard;
  }

  /** Plays for a moment, so that the first policy does not pay for code that is still cold. */
  void warmUp(Scenario scenario) throws IOException {
    play(scenario.withEndNanos(WARM_UP_NANOS), "none", "warm-up", PlayListener.NONE);
  }

  /** Plays under a policy, and simulates the same. */
  DemoText.Run run(Scenario scenario, PolicyFactory policy) throws IOException {
    String name = policy.info().name();
    PlayResult measured = play(scenario, name, name, new Watching(screen, scenario, policy));
    Summary summary = Summary.of(measured.run());
    Map<JobId, Double> rates = new LinkedHashMap<>();
    summary.jobs().forEach(job -> rates.put(job.id(), job.bytesPerSecond().orElse(0)));
    Agreement agreement = Agreement.of(simulated(scenario, policy), rates);
    return new DemoText.Run(name, measured, summary, agreement);
  }

  private PlayResult play(
      Scenario scenario, String policy, String directoryName, PlayListener listener)
      throws IOException {
    try (DemoServer server =
            DemoServer.start(
                directory.directory(directoryName), dashboard.history(), scenario, policy);
        DemoDashboard.Showing _ = dashboard.show(server.commands())) {
      ThisUser me = ThisUser.find();
      PlaySettings settings =
          new PlaySettings(
              server.address(),
              NfsVersion.V3,
              DemoServer.EXPORT,
              true,
              new Credential.Sys("localhost", me.uid(), me.gid()),
              PATIENCE,
              FILE_BYTES_MAX,
              false,
              true);
      ScenarioPlayer player = new ScenarioPlayer(scenario, SEED, settings);
      stops.playing(player);
      return player.play(policy, listener);
    }
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
              policy.info().name(), (double) scenario.targets().getFirst().bytesPerSecond());
    }

    @Override
    public void playing(List<JobProgress> jobs, long nowNanos, long endNanos) {
      screen.show(bars.at(jobs, nowNanos, endNanos));
    }
  }
}
