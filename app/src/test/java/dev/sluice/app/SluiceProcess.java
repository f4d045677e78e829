package dev.sluice.app;

import dev.sluice.testkit.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/** A command of ours in a process of its own, which can be ended as a crash would end it. */
public final class SluiceProcess implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(4);

  private final List<String> command = new ArrayList<>();
  private final Path log;
  private Process process;

  /**
   * Starts a command.
   *
   * @param log where all goes that it says; another start is written after it
   */
  public SluiceProcess(Path log, String... arguments) throws IOException {
    this(List.of(), List.of(), log, arguments);
  }

  /**
   * Starts a command.
   *
   * @param within a command that runs another in its own place, such as in a network namespace
   * @param javaOptions for the virtual machine that runs it
   */
  public SluiceProcess(List<String> within, List<String> javaOptions, Path log, String... arguments)
      throws IOException {
    this.log = log;
    command.addAll(within);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("--enable-native-access=ALL-UNNAMED");
    // Many of them run at once on whatever machine this is.
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx256m"));
    command.addAll(javaOptions);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), "dev.sluice.app.Main"));
    command.addAll(List.of(arguments));
    process = launch();
  }

  private Process launch() throws IOException {
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
        .start();
  }

  /** A port that nobody uses now. */
  public static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits, long enough for a busy machine, until something holds; answers how long it took. */
  public static long await(String what, Callable<Boolean> holds) throws Exception {
    long beganNanos = System.nanoTime();
    Eventually.await(PATIENCE, what, holds::call, () -> "");
    return System.nanoTime() - beganNanos;
  }

  /** Waits until it has said something. */
  public void awaitLine(String part) throws Exception {
    await(
        command + " says \"" + part + "\"; so far:\n" + log(),
        () -> {
          if (!process.isAlive() && !log().contains(part)) {
            throw new AssertionError(command + " has ended:\n" + log());
          }
          return log().contains(part);
        });
  }

  /** All that it has said. */
  public String log() throws IOException {
    return Files.exists(log) ? Files.readString(log) : "";
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  public void signal(String name) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
  }

  /** Ends it on the spot. */
  public void kill() {
    process.destroyForcibly();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /** Starts it again. */
  public void restart() throws IOException {
    kill();
    process = launch();
  }

  @Override
  public void close() {
    kill();
  }
}
