package dev.sluice.app.endurance;

import dev.sluice.app.NfsCaller;
import dev.sluice.load.client.ClientTimes;
import dev.sluice.load.client.Handle;
import dev.sluice.load.client.Mounts;
import dev.sluice.load.client.NfsVersion;
import dev.sluice.load.client.NodeConnection;
import dev.sluice.load.client.ServerAddress;
import dev.sluice.nfs.rpc.Credential;
import dev.sluice.testkit.TimePasses;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Clients of versions 3 and 4.1 that verify what they read, in a process of their own, which can be
 * put into a network name space. On a line {@code back NANOS} it says how long after that instant,
 * by the clock that all processes of a machine share, all clients of version 3, all of 4.1, and
 * those that open something new were served again, in milliseconds; on {@code rate MILLIS} how many
 * calls of a limited job were answered in that time; on {@code silent} from which port one more
 * client has connected that never says anything, and on {@code heard} that its connection has
 * ended; on {@code stop} it reads everything back, and says how it is.
 */
final class FailoverLoad {
  private static final int WRITERS = 2;
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** Whose calls a limit is for. */
  static final int LIMITED = 4_711;

  /** A step that was under way already, and one that began afterwards. */
  private static final int STEPS = 2;

  private static final ClientTimes TIMES =
      new ClientTimes(PATIENCE, Duration.ofSeconds(2), Duration.ofMillis(500));

  private final List<NodeConnection> nodes = new ArrayList<>();
  private final List<Worker> workers = new ArrayList<>();
  private final List<VerifyingWriter> writers = new ArrayList<>();
  private final List<NameChanger> changers = new ArrayList<>();
  private final List<Opener> openers = new ArrayList<>();

  /** What a worker does, of which it is told when it was served again. */
  private enum Work {
    VERSION_3,
    VERSION_4,
    OPEN_NEW
  }

  private final List<Limited> limited = new ArrayList<>();

  private record Worker(Work work, LongSupplier steps, Future<?> running) {}

  private final ServerAddress server;
  private @Nullable Socket silent;

  private FailoverLoad(ServerAddress server) {
    this.server = server;
  }

  /**
   * Runs until it is told to stop.
   *
   * @param args the address of the server, its port of NFS, and that of MOUNT
   */
  public static void main(String[] args) throws Exception {
    ServerAddress server =
        ServerAddress.of(args[0], Integer.parseInt(args[1]), Integer.parseInt(args[2]));
    FailoverLoad load = new FailoverLoad(server);
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      int code = 0;
      try {
        load.begin(threads);
        load.obey();
      } catch (Exception | AssertionError e) {
        e.printStackTrace(System.out);
        code = 1;
      }
      Runtime.getRuntime().halt(code);
    }
  }

  private void begin(ExecutorService threads) throws Exception {
    SplittableRandom random = new SplittableRandom(24);
    Credential.Sys caller = NfsCaller.find();
    int number = 0;
    for (NfsVersion version : NfsVersion.values()) {
      Work work = version == NfsVersion.V3 ? Work.VERSION_3 : Work.VERSION_4;
      NodeConnection node = NodeConnection.open(version, server.nfs(), 1, TIMES);
      nodes.add(node);
      Handle root;
      try (Mounts mounts = Mounts.connect(version, server, caller, PATIENCE)) {
        root = mounts.mount("/export").get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      }
      for (int i = 0; i < WRITERS; i++) {
        VerifyingWriter writer =
            new VerifyingWriter(node.as(caller), root, number++, random.split());
        writers.add(writer);
        workers.add(new Worker(work, writer::steps, threads.submit(writer)));
      }
      NameChanger changer = new NameChanger(node.as(caller), root, number++);
      changers.add(changer);
      workers.add(new Worker(work, changer::steps, threads.submit(changer)));
      Limited slow = new Limited(node.as(new Credential.Sys("node", LIMITED, LIMITED)), root);
      limited.add(slow);
      slow.begin();
      if (version == NfsVersion.V4_1) {
        Opener opener = new Opener(node.as(caller), root);
        openers.add(opener);
        workers.add(new Worker(Work.OPEN_NEW, opener::steps, threads.submit(opener)));
      }
    }
    System.out.println("begun");
  }

  private void obey() throws Exception {
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.equals("stop")) {
        end();
        return;
      }
      List<String> words = List.of(line.split(" ", -1));
      System.out.println(
          switch (words.getFirst()) {
            case "rate" -> rate(Long.parseLong(words.get(1)));
            case "back" -> back(Long.parseLong(words.get(1)));
            case "silent" -> silent();
            default -> heard();
          });
    }
  }

  private String silent() throws IOException {
    Socket connected = new Socket(server.nfs().getAddress(), server.nfs().getPort());
    silent = connected;
    return "silent " + connected.getLocalPort();
  }

  /** Nobody sends it anything, so that it returns when the connection has ended, or too late. */
  private String heard() throws IOException {
    try (Socket waiting = Objects.requireNonNull(silent)) {
      waiting.setSoTimeout((int) PATIENCE.toMillis());
      return "heard " + waiting.getInputStream().read();
    } catch (SocketTimeoutException e) {
      throw e;
    } catch (SocketException reset) {
      return "heard -1";
    }
  }

  private String rate(long millis) throws InterruptedException {
    long[] before = limited.stream().mapToLong(Limited::answers).toArray();
    long beganNanos = System.nanoTime();
    TimePasses.forMillis(millis);
    long tookNanos = System.nanoTime() - beganNanos;
    StringBuilder words = new StringBuilder("rate " + tookNanos);
    for (int i = 0; i < before.length; i++) {
      words.append(' ').append(limited.get(i).answers() - before[i]);
    }
    return words.toString();
  }

  private String back(long sinceNanos) throws Exception {
    long beganNanos = System.nanoTime();
    long[] before = workers.stream().mapToLong(worker -> worker.steps.getAsLong()).toArray();
    Map<Work, Long> millis = new EnumMap<>(Work.class);
    for (int i = 0; i < before.length; i++) {
      Worker worker = workers.get(i);
      while (worker.steps.getAsLong() < before[i] + STEPS) {
        if (worker.running.isDone()) {
          worker.running.get();
        }
        if (System.nanoTime() - beganNanos > PATIENCE.toNanos()) {
          throw new AssertionError("worker " + i + " is stuck");
        }
        LockSupport.parkNanos(2_000_000);
      }
      millis.merge(worker.work, (System.nanoTime() - sinceNanos) / 1_000_000, Math::max);
    }
    return "back " + millis.values().stream().map(String::valueOf).collect(Collectors.joining(" "));
  }

  private void end() throws Exception {
    writers.forEach(VerifyingWriter::stop);
    changers.forEach(NameChanger::stop);
    openers.forEach(Opener::stop);
    for (Worker worker : workers) {
      worker.running.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }
    for (VerifyingWriter writer : writers) {
      writer.verifyAll();
    }
    System.out.printf(
        Locale.ROOT,
        "kept %d %d %d%n",
        workers.stream().mapToLong(worker -> worker.steps.getAsLong()).sum(),
        changers.get(0).doneTwice(),
        changers.get(1).doneTwice());
  }
}
