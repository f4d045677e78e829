package dev.sluice.bench;

import dev.sluice.app.load.ThisUser;
import dev.sluice.gateway.Gateway;
import dev.sluice.load.client.Handle;
import dev.sluice.load.client.Mounts;
import dev.sluice.load.client.NfsClient;
import dev.sluice.load.client.NfsVersion;
import dev.sluice.load.client.ServerAddress;
import dev.sluice.nfs.rpc.Credential;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * How long somebody waits for an answer of a gateway that others are connected to, too. These
 * together make a thousand calls a second, each in its turn, so that no connection is left idle and
 * what the gateway has to do is the same however many they are.
 */
final class ConnectionGrowth {
  private static final int[] CONNECTIONS = {1, 10, 100, 1_000, 10_000, 19_000};
  private static final int CALLS_PER_TURN = 1_000;
  private static final int TURNS = 7;
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final long PAUSE_NANOS = 1_000_000;

  private ConnectionGrowth() {}

  /** A gateway in a process of its own, for connections have two ends and descriptors are few. */
  static final class Served {
    private Served() {}

    /** Serves until its standard input ends. */
    public static void main(String[] args) throws IOException {
      try (Gateway gateway = Gateway.start(Path.of(args[0]))) {
        System.out.println(gateway.nfsAddress().getPort() + " " + gateway.mountAddress().getPort());
        while (System.in.read() >= 0) {
          continue;
        }
      }
      System.exit(0);
    }
  }

  static void run(boolean quick) throws Exception {
    int[] sizes = quick ? Arrays.copyOf(CONNECTIONS, 4) : CONNECTIONS;
    Path directory = Files.createTempDirectory("sluice-bench-");
    Process server = start(directory);
    List<Socket> others = new ArrayList<>();
    double[][] figures = new double[4][sizes.length];
    try (BufferedReader said =
        new BufferedReader(
            new InputStreamReader(server.getInputStream(), StandardCharsets.UTF_8))) {
      String[] ports = String.valueOf(said.readLine()).split(" ", -1);
      InetSocketAddress nfs = loopback(ports[0]);
      ThisUser me = ThisUser.find();
      Credential caller = new Credential.Sys("localhost", me.uid(), me.gid());
      Handle root;
      try (Mounts mounts =
          Mounts.connect(
              NfsVersion.V3, new ServerAddress(nfs, loopback(ports[1])), caller, PATIENCE)) {
        root = mounts.mount("/t").get();
      }
      try (NfsClient bystander = NfsClient.connect(nfs, caller, PATIENCE);
          Echo echo = new Echo()) {
        // Until all is compiled.
        measure(bystander, root, echo, 0, figures);
        for (int k = 0; k < sizes.length; k++) {
          while (others.size() < sizes[k]) {
            others.add(new Socket(nfs.getAddress(), nfs.getPort()));
          }
          try (Crowd crowd = new Crowd(others)) {
            crowd.awaitRound();
            measure(bystander, root, echo, k, figures);
          }
          figures[3][k] = residentMegabytes(server.pid());
        }
      }
    } finally {
      for (Socket other : others) {
        other.close();
      }
      server.destroy();
      server.waitFor();
      HistoryBenchmark.remove(directory);
    }
    GrowthTable table = new GrowthTable("a bystander's getattr", "others", sizes);
    table.row("median, µs", figures[0]);
    table.row("p99, µs", figures[1]);
    table.row("p99 of a bare socket, µs", figures[2]);
    table.row("the gateway's resident memory, MB", figures[3]);
  }

  private static void measure(
      NfsClient bystander, Handle root, Echo echo, int k, double[][] figures) throws Exception {
    double[][] turns = new double[3][TURNS];
    double[] micros = new double[CALLS_PER_TURN];
    for (int turn = 0; turn < TURNS; turn++) {
      for (int i = 0; i < CALLS_PER_TURN; i++) {
        long began = System.nanoTime();
        bystander.attributes(root).get();
        micros[i] = (System.nanoTime() - began) / 1e3;
      }
      Arrays.sort(micros);
      turns[0][turn] = micros[CALLS_PER_TURN / 2];
      turns[1][turn] = micros[CALLS_PER_TURN * 99 / 100];
      for (int i = 0; i < CALLS_PER_TURN; i++) {
        long began = System.nanoTime();
        echo.call();
        micros[i] = (System.nanoTime() - began) / 1e3;
      }
      Arrays.sort(micros);
      turns[2][turn] = micros[CALLS_PER_TURN * 99 / 100];
    }
    for (int i = 0; i < turns.length; i++) {
      figures[i][k] = GrowthTable.median(turns[i]);
    }
  }

  private static Process start(Path directory) throws IOException {
    ThisUser me = ThisUser.find();
    Path storage = Files.createDirectories(directory.resolve("storage"));
    String text =
        """
        listen: 127.0.0.1
        nfs-port: 0
        mount-port: 0
        state: %s
        history: off
        dashboard: off
        connections: {in-all: 20000, per-address: 20000}
        targets:
          t: {capacity: 1000000 ops/s}
        exports:
          /t:
            directory: %s
            target: t
            squash: all
            anonymous: {uid: %d, gid: %d}
            privileged-ports: false
        """
            .formatted(directory.resolve("state"), storage, me.uid(), me.gid());
    Path file = Files.writeString(directory.resolve("sluice.yaml"), text);
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-Xms32m",
            "-XX:MaxNewSize=48m",
            "-XX:G1HeapRegionSize=1m",
            "-cp",
            System.getProperty("java.class.path"),
            Served.class.getName(),
            file.toString())
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  private static InetSocketAddress loopback(String port) {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(port));
  }

  private static double residentMegabytes(long pid) throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc", Long.toString(pid), "status"))) {
      if (line.startsWith("VmRSS:")) {
        return Long.parseLong(line.replaceAll("\\D", "")) * 1_024 / 1e6;
      }
    }
    throw new IOException("process " + pid + " has no resident memory");
  }

  /** The others: calls of NFS's procedure that does nothing, over one connection after another. */
  private static final class Crowd implements AutoCloseable {
    private static final int LAST_FRAGMENT = 1 << 31;
    private static final int CALL_BYTES = 40;
    private static final int REPLY_BYTES = 28;

    private final List<Socket> sockets;
    private final Thread thread = new Thread(this::call, "crowd");
    private volatile boolean closed;
    private volatile int calls;
    private volatile boolean failed;

    Crowd(List<Socket> sockets) {
      this.sockets = List.copyOf(sockets);
      thread.start();
    }

    /** Waits until each has made a call. */
    void awaitRound() throws IOException {
      while (calls < sockets.size()) {
        if (failed) {
          throw new IOException("a connection of " + sockets.size() + " was ended");
        }
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }

    private void call() {
      try {
        while (!closed) {
          one(sockets.get(calls % sockets.size()));
          calls++;
          if (calls > sockets.size()) {
            LockSupport.parkNanos(PAUSE_NANOS);
          }
        }
      } catch (IOException e) {
        failed = true;
      }
    }

    private void one(Socket socket) throws IOException {
      ByteBuffer call =
          ByteBuffer.allocate(4 + CALL_BYTES)
              .putInt(LAST_FRAGMENT | CALL_BYTES)
              .putInt(calls)
              // A call by RPC 2 of NFS 3, procedure 0; nobody's credential and verifier are empty.
              .putInt(0)
              .putInt(2)
              .putInt(100_003)
              .putInt(3);
      socket.getOutputStream().write(call.array());
      if (socket.getInputStream().readNBytes(REPLY_BYTES).length < REPLY_BYTES) {
        throw new EOFException("the gateway has hung up");
      }
    }

    @Override
    public void close() throws IOException, InterruptedException {
      closed = true;
      thread.join();
      if (failed) {
        throw new IOException("a connection of " + sockets.size() + " was ended");
      }
    }
  }

  /** What a socket alone takes: somebody who sends back what comes. */
  private static final class Echo implements AutoCloseable {
    private static final int BYTES = 100;

    private final ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    private final Socket socket;

    Echo() throws IOException {
      Thread.ofPlatform().daemon().name("echo").start(this::answer);
      socket = new Socket(listener.getInetAddress(), listener.getLocalPort());
      socket.setTcpNoDelay(true);
    }

    private void answer() {
      try (Socket accepted = listener.accept()) {
        accepted.setTcpNoDelay(true);
        accepted.getInputStream().transferTo(accepted.getOutputStream());
      } catch (IOException e) {
        // The measurement is over.
      }
    }

    void call() throws IOException {
      socket.getOutputStream().write(new byte[BYTES]);
      if (socket.getInputStream().readNBytes(BYTES).length < BYTES) {
        throw new EOFException("the echo has hung up");
      }
    }

    @Override
    public void close() throws IOException {
      socket.close();
      listener.close();
    }
  }
}
