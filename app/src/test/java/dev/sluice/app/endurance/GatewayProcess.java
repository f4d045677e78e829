package dev.sluice.app.endurance;

import dev.sluice.load.client.Handle;
import dev.sluice.load.client.Mounts;
import dev.sluice.load.client.NfsClient;
import dev.sluice.load.client.NfsVersion;
import dev.sluice.load.client.ServerAddress;
import dev.sluice.nfs.rpc.Credential;
import dev.sluice.testkit.TimePasses;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A gateway in a process of its own, which can be ended as a crash would end it and started again
 * on the same ports. It exports the directory {@code export} as {@code /export}.
 */
public final class GatewayProcess implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int LOG_LINES_SHOWN = 30;

  private final Path directory;
  private final List<String> command = new ArrayList<>();
  private final int nfsPort = freePort();
  private final int mountPort = freePort();
  private Process process;

  /** What is configured unless a test says otherwise. */
  private static final String USUAL =
      """
      nfs4: true
      memory: 64 MiB
      targets: {disk: {capacity: auto}}
      exports: {/export: {directory: export, privileged-ports: false}}
      """;

  /**
   * Starts a gateway and waits until it listens.
   *
   * @param directory for the export, the configuration, the state and the log
   * @param javaOptions bounds on its memory, for example
   */
  GatewayProcess(Path directory, String... javaOptions) throws IOException {
    this(directory, USUAL, List.of(javaOptions));
  }

  /**
   * Starts a gateway and waits until it listens.
   *
   * @param configuration targets, exports and whatever else a test needs
   */
  public GatewayProcess(Path directory, String configuration, List<String> javaOptions)
      throws IOException {
    this.directory = directory;
    Files.createDirectory(exported());
    // With the sticky bit: who may write here must not be able to take the test's own files away.
    Files.setAttribute(exported(), "unix:mode", 0_1777);
    Path file = directory.resolve("sluice.yaml");
    Files.writeString(
        file,
        """
        nfs-port: %d
        mount-port: %d
        state: state
        dashboard: off
        trust-claimed-jobs: true
        """
                .formatted(nfsPort, mountPort)
            + configuration);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("--enable-native-access=ALL-UNNAMED");
    command.addAll(javaOptions);
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of("dev.sluice.app.Main", "serve", "-c", file.toString()));
    process = launch();
    awaitListening();
  }

  /** A port that nobody uses now; it is not chosen again soon. */
  private static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Process launch() throws IOException {
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(logFile().toFile()))
        .start();
  }

  private void awaitListening() throws IOException {
    long deadlineNanos = System.nanoTime() + PATIENCE.toNanos();
    for (int port : new int[] {nfsPort, mountPort}) {
      while (!listens(port)) {
        if (!process.isAlive() || System.nanoTime() > deadlineNanos) {
          process.destroyForcibly();
          throw new IOException("the gateway does not listen on port " + port + ":\n" + log());
        }
        pauseMillis(20);
      }
    }
  }

  private static boolean listens(int port) {
    try (Socket _ = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  public static void pauseMillis(long millis) {
    try {
      TimePasses.forMillis(millis);
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted", e);
    }
  }

  /** Where the exported files are. */
  public Path exported() {
    return directory.resolve("export");
  }

  public InetSocketAddress nfsAddress() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), nfsPort);
  }

  public InetSocketAddress mountAddress() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), mountPort);
  }

  /** A client that waits for as long as a restart may take. */
  public NfsClient connect(Credential.Sys caller) throws IOException {
    return connect(NfsVersion.V3, caller);
  }

  NfsClient connect(NfsVersion version, Credential.Sys caller) throws IOException {
    return NfsClient.connect(version, nfsAddress(), caller, PATIENCE);
  }

  /** The root of the export for the job that the path names. */
  public Handle mount(Credential.Sys caller, String path) throws Exception {
    return mount(NfsVersion.V3, caller, path);
  }

  Handle mount(NfsVersion version, Credential.Sys caller, String path) throws Exception {
    ServerAddress address = new ServerAddress(nfsAddress(), mountAddress());
    try (Mounts mounts = Mounts.connect(version, address, caller, PATIENCE)) {
      return mounts.mount(path).get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }
  }

  /** Ends it on the spot, and starts it again. */
  public void killAndRestart() throws IOException {
    kill();
    process = launch();
    awaitListening();
  }

  private void kill() {
    process.destroyForcibly();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted", e);
    }
  }

  public long pid() {
    return process.pid();
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  public int descriptors() throws IOException {
    try (Stream<Path> open = Files.list(ownInProc().resolve("fd"))) {
      return Math.toIntExact(open.count());
    }
  }

  /** The memory it really has. */
  public long residentBytes() throws IOException {
    for (String line : Files.readAllLines(ownInProc().resolve("status"))) {
      if (line.startsWith("VmRSS:")) {
        return Long.parseLong(line.replaceAll("\\D", "")) << 10;
      }
    }
    throw new IOException("no VmRSS in " + ownInProc().resolve("status"));
  }

  private Path ownInProc() {
    return Path.of("/proc", Long.toString(process.pid()));
  }

  private Path logFile() {
    return directory.resolve("gateway.log");
  }

  /** The last of what it said. */
  public String log() throws IOException {
    List<String> lines = Files.readAllLines(logFile());
    int from = Math.max(0, lines.size() - LOG_LINES_SHOWN);
    return String.join("\n", lines.subList(from, lines.size()));
  }

  @Override
  public void close() {
    kill();
  }
}
