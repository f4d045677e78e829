package dev.sluice.app.linux;

import dev.sluice.testkit.EnduranceScale;
import dev.sluice.testkit.TimePasses;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A Linux kernel of its own, and with it the NFS client that real nodes have. It runs shell scripts
 * as its root, several at once if need be, and dies with what it runs when this is closed, or when
 * its time is over.
 */
final class LinuxGuest implements AutoCloseable {
  static final Path PROGRAM = Path.of("..", "scripts", "linux-guest").toAbsolutePath().normalize();

  /**
   * How a guest mounts, in the one place where it is written. docs/gateway.md tells users the same.
   */
  static final String MOUNT_OPTIONS = "vers=3,tcp,port=2049,mountport=20048,nolock";

  /** The same for version 4, where there are no other ports and locks are the server's. */
  static final String MOUNT_OPTIONS_4 = "vers=4.2";

  /** For older clients, and where users said so. */
  static final String MOUNT_OPTIONS_41 = "vers=4.1";

  /** Longer than any test: nothing of a guest may stay when its test was killed. */
  private static final long LIFE_SECONDS = EnduranceScale.of(1_800, 7_200);

  private static final Duration BOOT_PATIENCE = Duration.ofMinutes(2);
  private static final long LOOK_MILLIS = 20;
  private static final int LINES_SHOWN = 60;

  /** What guests run is beside this class, and is laid into their directories. */
  private static final List<String> RESOURCES =
      List.of(
          "agent.sh",
          "prelude.sh",
          "kernel_server.sh",
          "checks.py",
          "posix.py",
          "sites.sh",
          "sites.py",
          "programs.sh",
          "verified_load.py",
          "transactions.py",
          "writer.py",
          "storm.py",
          "latencies.py");

  private final int number;
  private final Path directory;
  private final Process process;
  private String mountOptions = MOUNT_OPTIONS;
  private int scripts;

  /** How a script ended, and what it said. */
  record Result(int code, String output) {
    /** What it said, if it ended well. */
    String orFail() {
      if (code != 0) {
        throw new AssertionError("exit code " + code + " in the guest:\n" + output);
      }
      return output;
    }
  }

  private LinuxGuest(int number, Path directory, Process process) {
    this.number = number;
    this.directory = directory;
    this.process = process;
  }

  /**
   * Boots a guest and waits until it runs scripts.
   *
   * @param number of the cable it has; from 1
   * @param directory where it keeps what it is told and says; is made
   * @param see a directory of this machine that it sees as /run/server
   * @param memory such as 384M
   */
  static LinuxGuest boot(GuestNetwork network, int number, Path directory, Path see, String memory)
      throws Exception {
    Files.createDirectory(directory);
    for (String resource : RESOURCES) {
      try (InputStream in = LinuxGuest.class.getResourceAsStream(resource)) {
        Files.copy(Objects.requireNonNull(in, resource), directory.resolve(resource));
      }
    }
    Files.move(directory.resolve("agent.sh"), directory.resolve("script"));
    List<String> command = new ArrayList<>(network.within());
    command.add(PROGRAM.toString());
    command.addAll(List.of("--tap", GuestNetwork.tap(number)));
    command.addAll(List.of("--address", GuestNetwork.guestAddress(number) + "/24"));
    command.addAll(List.of("--see", see.toString(), "--memory", memory));
    command.addAll(List.of("--seconds", Long.toString(LIFE_SECONDS), directory.toString()));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("launcher").toFile())
            .start();
    LinuxGuest guest = new LinuxGuest(number, directory, process);
    try {
      guest.run("true", BOOT_PATIENCE).orFail();
    } catch (Throwable e) {
      guest.close();
      throw e;
    }
    return guest;
  }

  /** Scripts that begin from now on mount with these options. */
  LinuxGuest mountingWith(String options) {
    mountOptions = options;
    return this;
  }

  /** Has a script run, and waits until it ends. A script that does not is shown with its words. */
  Result run(String script, Duration patience) throws Exception {
    return begin(script).await(patience);
  }

  /** Has a script run. */
  Script begin(String text) throws IOException {
    scripts++;
    String whole =
        """
        gateway=%s
        mount_options=%s
        . /run/guest/prelude.sh
        """
                .formatted(GuestNetwork.gatewayAddress(number), mountOptions)
            + text;
    // The guest must not find half of it.
    Path part = Files.writeString(directory.resolve("script.part"), whole);
    Files.move(part, file(scripts, "script"), StandardCopyOption.ATOMIC_MOVE);
    return new Script(scripts);
  }

  /** A script that runs in the guest. */
  final class Script {
    private final int name;

    private Script(int name) {
      this.name = name;
    }

    boolean hasEnded() {
      return Files.exists(file(name, "code"));
    }

    Result await(Duration patience) throws Exception {
      long beganNanos = System.nanoTime();
      while (!hasEnded()) {
        if (!process.isAlive()) {
          throw new AssertionError("the guest has ended:\n" + evidence(name));
        }
        if (System.nanoTime() - beganNanos > patience.toNanos()) {
          flushOutputs();
          throw new AssertionError(
              "a script in the guest did not end in %d s:\n%s"
                  .formatted(patience.toSeconds(), evidence(name)));
        }
        TimePasses.forMillis(LOOK_MILLIS);
      }
      String code = Files.readString(file(name, "code")).strip();
      return new Result(Integer.parseInt(code), lastLines(file(name, "output"), LINES_SHOWN * 100));
    }
  }

  /** Has the guest's kernel write out what scripts have said so far, and what they wait for. */
  private void flushOutputs() throws Exception {
    Path flush = Files.createFile(directory.resolve("flush"));
    for (int tries = 0; Files.exists(flush) && tries < 250; tries++) {
      TimePasses.forMillis(LOOK_MILLIS);
    }
  }

  /** A file that the guest sees as /run/guest/NAME. */
  Path shared(String name) {
    return directory.resolve(name);
  }

  private Path file(int script, String kind) {
    return directory.resolve(script + "." + kind);
  }

  private String evidence(int script) throws IOException {
    return "it said:\n%s\nits kernel said:\n%s\nwhat started it said:\n%s"
        .formatted(
            lastLines(file(script, "output"), LINES_SHOWN),
            lastLines(directory.resolve("console"), LINES_SHOWN),
            lastLines(directory.resolve("launcher"), LINES_SHOWN));
  }

  private static String lastLines(Path file, int most) throws IOException {
    if (!Files.exists(file)) {
      return "(nothing)";
    }
    // Names of files may be any bytes.
    List<String> lines =
        new String(Files.readAllBytes(file), StandardCharsets.UTF_8).lines().toList();
    return String.join("\n", lines.subList(Math.max(0, lines.size() - most), lines.size()));
  }

  /** Ends it on the spot: what it has not written yet is lost, as on a node that loses power. */
  @Override
  public void close() {
    process.destroyForcibly();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }
}
