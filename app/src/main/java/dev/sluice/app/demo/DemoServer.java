package dev.sluice.app.demo;

import dev.sluice.app.history.GatewayHistory;
import dev.sluice.app.history.HistorySettings;
import dev.sluice.app.load.ThisUser;
import dev.sluice.command.RequestHandler;
import dev.sluice.gateway.Gateway;
import dev.sluice.gateway.admin.CommandHandler;
import dev.sluice.load.client.ServerAddress;
import dev.sluice.sim.scenario.JobSpec;
import dev.sluice.sim.scenario.Scenario;
import dev.sluice.sim.scenario.TargetSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A gateway in this program, on loopback, with what a scenario says about its target and its jobs.
 * It is configured as any other would be, by files.
 */
final class DemoServer implements AutoCloseable {
  /** What it exports. */
  static final String EXPORT = "/demo";

  private final Gateway gateway;
  private final @Nullable GatewayHistory kept;

  private DemoServer(Gateway gateway, @Nullable GatewayHistory kept) {
    this.gateway = gateway;
    this.kept = kept;
  }

  /**
   * Starts.
   *
   * @param directory an empty one, for the files and for the gateway's own
   * @param history where history is kept, of all the gateways of a demo
   */
  static DemoServer start(Path directory, Path history, Scenario scenario, String policy)
      throws IOException {
    Path storage = Files.createDirectory(directory.resolve("storage"));
    Path jobs = directory.resolve("jobs.yaml");
    Path configuration = directory.resolve("sluice.yaml");
    Files.writeString(jobs, jobs(scenario));
    Files.writeString(
        configuration, configuration(directory, storage, jobs, history, scenario, policy));
    Gateway gateway = Gateway.start(configuration);
    return new DemoServer(
        gateway, GatewayHistory.begin(gateway, configuration, HistorySettings.read(configuration)));
  }

  /** What can be asked of it. */
  RequestHandler commands() {
    return new CommandHandler(gateway);
  }

  ServerAddress address() {
    return new ServerAddress(gateway.nfsAddress(), gateway.mountAddress());
  }

  private static String jobs(Scenario scenario) {
    StringBuilder text = new StringBuilder("jobs:\n");
    for (JobSpec job : scenario.jobs()) {
      text.append("  ").append(quoted(job.id().toString())).append(": {user: ");
      text.append(quoted(job.user())).append(", nodes: ").append(job.nodes()).append("}\n");
    }
    return text.toString();
  }

  private static String configuration(
      Path directory, Path storage, Path jobs, Path history, Scenario scenario, String policy)
      throws IOException {
    TargetSpec target = scenario.targets().getFirst();
    ThisUser me = ThisUser.find();
    String period =
        scenario.periodNanos() == 0 ? "" : ", period: " + scenario.periodNanos() + " ns";
    return """
    listen: 127.0.0.1
    dashboard: off
    nfs-port: 0
    mount-port: 0
    state: %s
    jobs: %s
    history: {directory: %s}
    trust-claimed-jobs: true
    policy: {name: %s%s}
    targets:
      storage: {capacity: %d B/s, workers: 2, pace: true}
    exports:
      %s:
        directory: %s
        # The clients are this program's own, so everybody is its user.
        squash: all
        anonymous: {uid: %d, gid: %d}
        # Who starts a demonstration need not be root, and this machine alone can connect.
        privileged-ports: false
    """
        .formatted(
            quoted(directory.resolve("state").toString()),
            quoted(jobs.toString()),
            quoted(history.toString()),
            policy,
            period,
            target.bytesPerSecond(),
            EXPORT,
            quoted(storage.toString()),
            me.uid(),
            me.gid());
  }

  private static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  /** Without limits first, so that what still waits is over soon. */
  @Override
  public void close() {
    if (kept != null) {
      kept.close();
    }
    gateway.decideBy("none", Map.of());
    gateway.close();
  }
}
