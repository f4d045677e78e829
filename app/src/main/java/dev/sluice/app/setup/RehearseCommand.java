package dev.sluice.app.setup;

import dev.sluice.app.FailedException;
import dev.sluice.app.Main;
import dev.sluice.app.TemporaryDirectory;
import dev.sluice.app.load.ThisUser;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Does once, in a temporary directory and on loopback, what programs do after their start. A
 * package does this when it is installed, with a virtual machine that takes notes: the next starts
 * are quicker by them.
 */
@Command(
    name = "rehearse",
    hidden = true,
    description = "Start, serve and stop once, so that later starts are quicker.",
    mixinStandardHelpOptions = true)
public final class RehearseCommand implements Runnable {
  private static final String SCENARIO =
      """
      name: rehearsal
      end: 1 s
      targets: {storage: {bandwidth: 100 MB/s}}
      jobs:
        writer: {processes: {count: 2, sequential: {file: 4 MiB, request: 256 KiB}}}
      """;

  @Option(names = "--node", description = "What a compute node runs, which is an agent alone.")
  boolean node;

  @Override
  public void run() {
    try (TemporaryDirectory all = TemporaryDirectory.create("sluice-rehearsal-")) {
      List<String> failed = new CopyOnWriteArrayList<>();
      if (node) {
        rehearseAgent(all.directory("all"), failed);
      } else {
        rehearseGateway(all.directory("all"), failed);
      }
      if (!failed.isEmpty()) {
        throw new FailedException("not all went well: " + failed);
      }
    } catch (IOException e) {
      throw new FailedException("no rehearsal: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new FailedException("interrupted", e);
    }
  }

  private static void rehearseAgent(Path directory, List<String> failed)
      throws IOException, InterruptedException {
    String files = directory.toString();
    CountDownLatch over = new CountDownLatch(1);
    Thread running = begun(failed, over, "agent", "--directory", files);
    awaitSocket(directory.resolve("agent.socket"), over);
    String me = Integer.toString(ThisUser.find().uid());
    does(failed, "agent", "add", "rehearsal", "--user", me, "--directory", files);
    does(failed, "agent", "status", "--directory", files);
    does(failed, "agent", "remove", "rehearsal", "--directory", files);
    does(failed, "agent", "stop", "--directory", files);
    running.join();
  }

  private static void rehearseGateway(Path directory, List<String> failed)
      throws IOException, InterruptedException {
    int nfs = freePort();
    int mount = freePort();
    ThisUser me = ThisUser.find();
    Path storage = Files.createDirectory(directory.resolve("storage"));
    Path configuration = directory.resolve("sluice.yaml");
    Path scenario = Files.writeString(directory.resolve("scenario.yaml"), SCENARIO);
    Files.writeString(
        configuration,
        """
        nfs-port: %d
        mount-port: %d
        portmapper: off
        state: %s
        targets: {storage: {capacity: auto}}
        exports:
          /rehearsal:
            directory: %s
            squash: all
            anonymous: {uid: %d, gid: %d}
            privileged-ports: false
        """
            .formatted(nfs, mount, directory.resolve("state"), storage, me.uid(), me.gid()));
    String file = configuration.toString();
    does(failed, "policies");
    does(failed, "check", "-c", file);
    CountDownLatch over = new CountDownLatch(1);
    Thread serving = begun(failed, over, "serve", "-c", file);
    awaitSocket(directory.resolve("state").resolve("control.sock"), over);
    String server = "127.0.0.1:" + nfs;
    String[] load = {"load", scenario.toString(), "--export", "/rehearsal", "--quiet"};
    does(failed, with(load, "--server", server, "--mount-port", Integer.toString(mount)));
    does(failed, with(load, "--server", server, "--nfs", "4.1"));
    does(failed, "status", "-c", file);
    does(failed, "health", "-c", file);
    does(failed, "reload", "-c", file);
    does(failed, "report", "-c", file);
    does(failed, "stop", "-c", file);
    serving.join();
  }

  /**
   * A program that runs until it is told to stop, or ends by itself, which is told by the latch.
   */
  private static Thread begun(List<String> failed, CountDownLatch over, String... arguments) {
    return Thread.ofPlatform()
        .start(() -> {
          try {
            does(failed, arguments);
          } finally {
            over.countDown();
          }
        });
  }

  private static String[] with(String[] arguments, String... more) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }

  private static void does(List<String> failed, String... arguments) {
    CommandLine command = Main.commandLine(arguments);
    command.setOut(new PrintWriter(Writer.nullWriter()));
    if (command.execute(arguments) != CommandLine.ExitCode.OK) {
      failed.add(arguments[0]);
    }
  }

  /** Until the gateway can be asked, or has ended. */
  private static void awaitSocket(Path socket, CountDownLatch over) throws InterruptedException {
    boolean ended = false;
    while (!ended && !Files.exists(socket)) {
      ended = over.await(50, TimeUnit.MILLISECONDS);
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket any = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return any.getLocalPort();
    }
  }
}
