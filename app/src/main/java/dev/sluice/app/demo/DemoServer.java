package dev.sluice.app.demo;

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

/**
 * A gateway in this program, on loopback, with what a scenario says about its target and its jobs.
 * It is configured as any other would be, by files.
 */
final class DemoServer implements AutoCloseable {
  /** What it exports. */
  static final String EXPORT = "/demo";

  private final Gateway gateway;

  private DemoServer(Gateway gateway) {
    this.gateway = gateway;
  }

  /**
   * Starts.
   *
   * @param directory an empty one, for the files and for the gateway's own
   */
  static DemoServer start(Path directory, Scenario scenario, String policy) throws IOException {
    Path storage = Files.createDirectory(directory.resolve("storage"));
    Path jobs = directory.resolve("jobs.yaml");
    Path configuration = directory.resolve("sluice.yaml");
    Files.writeString(jobs, jobs(scenario));
    Files.writeString(configuration, configuration(directory, storage, jobs, scenario, policy));
    return new DemoServer(Gateway.start(configuration));
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
      Path directory, Path storage, Path jobs, Scenario scenario, String policy)
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
    """
        .formatted(
            quoted(directory.resolve("state").toString()),
            quoted(jobs.toString()),
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
    gateway.decideBy("none", Map.of());
    gateway.close();
  }
}
