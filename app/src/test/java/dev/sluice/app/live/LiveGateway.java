package dev.sluice.app.live;

import dev.sluice.app.load.ThisUser;
import dev.sluice.gateway.Gateway;
import dev.sluice.load.client.NfsVersion;
import dev.sluice.load.client.ServerAddress;
import dev.sluice.load.play.PlayListener;
import dev.sluice.load.play.PlayResult;
import dev.sluice.load.play.PlaySettings;
import dev.sluice.load.play.ScenarioPlayer;
import dev.sluice.nfs.rpc.Credential;
import dev.sluice.sim.scenario.Scenario;
import dev.sluice.sim.scenario.ScenarioReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** A gateway with several targets of one capacity each, an export on each, and real NFS clients. */
final class LiveGateway implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final long FILE_BYTES_MAX = 16 << 20;

  private final Gateway gateway;
  private final Path directory;

  private LiveGateway(Gateway gateway, Path directory) {
    this.gateway = gateway;
    this.directory = directory;
  }

  /** The exports are /t1, /t2 and so on. */
  static LiveGateway start(Path directory, int targets, String capacity, String policy)
      throws IOException {
    ThisUser me = ThisUser.find();
    StringBuilder text = new StringBuilder();
    text.append("listen: 127.0.0.1\nnfs-port: 0\nmount-port: 0\ntrust-claimed-jobs: true\n");
    text.append("state: ").append(directory.resolve("state")).append('\n');
    text.append("policy: ").append(policy).append('\n');
    text.append("targets:\n");
    for (int i = 1; i <= targets; i++) {
      text.append("  t" + i + ": {capacity: " + capacity + ", workers: 2, pace: true}\n");
    }
    text.append("exports:\n");
    for (int i = 1; i <= targets; i++) {
      Path storage = Files.createDirectories(directory.resolve("storage-" + i));
      text.append("  /t" + i + ": {directory: " + storage + ", target: t" + i + ", squash: all,");
      text.append(" anonymous: {uid: " + me.uid() + ", gid: " + me.gid() + "},");
      text.append(" privileged-ports: false}\n");
    }
    Path file = Files.writeString(directory.resolve("sluice.yaml"), text);
    return new LiveGateway(Gateway.start(file), directory);
  }

  Gateway gateway() {
    return gateway;
  }

  /** Where the priority of a job is written. */
  Path priorityFile(String job) throws IOException {
    Path jobs = directory.resolve("state").resolve("priorities").resolve(job);
    return Files.createDirectories(jobs).resolve("priority");
  }

  /** Plays a scenario, written as YAML, against one export. */
  PlayResult play(String export, String yaml) throws IOException {
    Scenario scenario = ScenarioReader.parse("live.yaml", yaml, Path.of(""), 1);
    ThisUser me = ThisUser.find();
    PlaySettings settings =
        new PlaySettings(
            new ServerAddress(gateway.nfsAddress(), gateway.mountAddress()),
            NfsVersion.V3,
            export,
            true,
            new Credential.Sys("localhost", me.uid(), me.gid()),
            PATIENCE,
            FILE_BYTES_MAX,
            false,
            true);
    return new ScenarioPlayer(scenario, 1, settings).play("live", PlayListener.NONE);
  }

  @Override
  public void close() {
    gateway.decideBy("none", Map.of());
    gateway.close();
  }
}
