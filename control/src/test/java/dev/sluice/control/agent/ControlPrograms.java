package dev.sluice.control.agent;

import dev.sluice.control.access.KeyFiles;
import dev.sluice.control.access.MemberAuthenticator;
import dev.sluice.control.aggregator.Aggregator;
import dev.sluice.control.aggregator.AggregatorOptions;
import dev.sluice.control.config.ControllerConfiguration;
import dev.sluice.control.controller.Controller;
import dev.sluice.control.controller.ControllerOptions;
import dev.sluice.control.controller.ControllerProcess;
import dev.sluice.control.leader.Leadership;
import dev.sluice.control.link.ControllerLink;
import dev.sluice.control.settings.ControlSettings;
import dev.sluice.control.settings.SharedResource;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.LimitKey;
import dev.sluice.core.model.Quantities.Counted;
import dev.sluice.stage.agent.AgentProcess;
import dev.sluice.stage.files.StageDirectory;
import dev.sluice.store.lease.LeaderFile;
import dev.sluice.store.lease.LeaderMemory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;

/** A controller, an aggregator or an agent as a process of its own, to be killed. */
public final class ControlPrograms {
  static final LimitKey METADATA = new LimitKey("metadata", Counted.OPERATIONS);
  static final long HOUR_NANOS = 3_600_000_000_000L;

  private ControlPrograms() {}

  /**
   * Runs as one of them.
   *
   * @param arguments {@code controller PORT MAXIMUM}, {@code configured FILE PASSWORDS}, {@code
   *     aggregator PORT CONTROLLER} or {@code agent DIRECTORY MOUNT NAME PORT…}
   */
  public static void main(String[] arguments) throws Exception {
    switch (arguments[0]) {
      case "controller" -> controller(Integer.parseInt(arguments[1]), Long.parseLong(arguments[2]));
      case "configured" -> {
        System.setProperty("org.postgresql.pgpassfile", arguments[2]);
        new ControllerProcess(ControllerConfiguration.read(Path.of(arguments[1])));
      }
      case "aggregator" ->
          new Aggregator(
              new AggregatorOptions(
                  "aggregator",
                  "test",
                  loopback(Integer.parseInt(arguments[1])),
                  null,
                  250_000_000L,
                  100),
              ControllerLink.Addresses.local(loopback(Integer.parseInt(arguments[2]))),
              KeyFiles.ofAggregator(null, "aggregator"),
              new Random(),
              LeaderMemory.NONE);
      case "agent" -> agent(arguments);
      default -> throw new IllegalArgumentException(arguments[0]);
    }
    // Until it is killed.
    new CountDownLatch(1).await();
  }

  static InetSocketAddress loopback(int port) {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  static Controller controller(int port, long maximum) throws IOException {
    return controller(port, maximum, "psfa");
  }

  static Controller controller(int port, long maximum, String algorithm) throws IOException {
    ControlSettings settings =
        new ControlSettings(
            1,
            List.of(new SharedResource(METADATA, maximum, algorithm, Map.of(), Map.of())),
            List.of());
    return new Controller(
        ControllerOptions.of(loopback(port), null, 500_000_000L),
        _ -> settings,
        Leadership.alone(System.currentTimeMillis()),
        MemberAuthenticator.TRUSTING,
        _ -> {});
  }

  private static void agent(String[] arguments) throws Exception {
    AgentProcess agent = new AgentProcess(new StageDirectory(Path.of(arguments[1])), HOUR_NANOS);
    JobId job = JobId.of("a");
    if (agent.agent().job(job).isEmpty()) {
      agent.agent().add(job, StageDirectory.thisUser(), List.of(Path.of(arguments[2])), List.of());
    }
    InetSocketAddress[] controllers = new InetSocketAddress[arguments.length - 4];
    for (int i = 0; i < controllers.length; i++) {
      controllers[i] = loopback(Integer.parseInt(arguments[4 + i]));
    }
    NodeLink _ =
        new NodeLink(
            agent.agent(),
            arguments[3],
            "test",
            ControllerLink.Addresses.local(controllers),
            new LeaderFile(Path.of(arguments[1]).resolve("obeyed")));
  }

  /** Starts one of them. */
  public static Process start(String... arguments) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                ControlPrograms.class.getName()));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command)
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start();
  }
}
