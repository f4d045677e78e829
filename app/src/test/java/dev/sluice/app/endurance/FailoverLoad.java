package dev.sluice.app.endurance;

import dev.sluice.app.NfsCaller;
import dev.sluice.load.client.ClientTimes;
import dev.sluice.load.client.Handle;
import dev.sluice.load.client.Mounts;
import dev.sluice.load.client.NfsVersion;
import dev.sluice.load.client.NodeConnection;
import dev.sluice.load.client.ServerAddress;
import dev.sluice.nfs.rpc.Credential;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * Clients of versions 3 and 4.1 that verify what they read, in a process of their own, which can be
 * put into a network name space. On a line {@code back NANOS} it says how long after that instant,
 * by the clock that all processes of a machine share, all clients of each version were served
 * again, in milliseconds; on {@code stop} it reads everything back, and says how it is.
 */
final class FailoverLoad {
  private static final int WRITERS = 2;
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** A step that was under way already, and one that began afterwards. */
  private static final int STEPS = 2;

  private static final ClientTimes TIMES =
      new ClientTimes(PATIENCE, Duration.ofSeconds(2), Duration.ofMillis(500));

  private final List<NodeConnection> nodes = new ArrayList<>();
  private final List<Worker> workers = new ArrayList<>();
  private final List<VerifyingWriter> writers = new ArrayList<>();
  private final List<NameChanger> changers = new ArrayList<>();

  private record Worker(NfsVersion version, LongSupplier steps, Future<?> running) {}

  private FailoverLoad() {}

  /**
   * Runs until it is told to stop.
   *
   * @param args the address of the server, its port of NFS, and that of MOUNT
   */
  public static void main(String[] args) throws Exception {
    ServerAddress server =
        ServerAddress.of(args[0], Integer.parseInt(args[1]), Integer.parseInt(args[2]));
    FailoverLoad load = new FailoverLoad();
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      int code = 0;
      try {
        load.begin(server, threads);
        load.obey();
      } catch (Exception | AssertionError e) {
        e.printStackTrace(System.out);
        code = 1;
      }
      Runtime.getRuntime().halt(code);
    }
  }

  private void begin(ServerAddress server, ExecutorService threads) throws Exception {
    SplittableRandom random = new SplittableRandom(24);
    Credential.Sys caller = NfsCaller.find();
    int number = 0;
    for (NfsVersion version : NfsVersion.values()) {
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
        workers.add(new Worker(version, writer::steps, threads.submit(writer)));
      }
      NameChanger changer = new NameChanger(node.as(caller), root, number++);
      changers.add(changer);
      workers.add(new Worker(version, changer::steps, threads.submit(changer)));
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
      System.out.println(back(Long.parseLong(line.substring("back ".length()))));
    }
  }

  private String back(long sinceNanos) throws Exception {
    long beganNanos = System.nanoTime();
    long[] before = workers.stream().mapToLong(worker -> worker.steps.getAsLong()).toArray();
    Map<NfsVersion, Long> millis = new EnumMap<>(NfsVersion.class);
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
      millis.merge(worker.version, (System.nanoTime() - sinceNanos) / 1_000_000, Math::max);
    }
    return "back " + millis.get(NfsVersion.V3) + " " + millis.get(NfsVersion.V4_1);
  }

  private void end() throws Exception {
    writers.forEach(VerifyingWriter::stop);
    changers.forEach(NameChanger::stop);
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
