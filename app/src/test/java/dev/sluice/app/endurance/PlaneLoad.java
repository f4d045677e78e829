package dev.sluice.app.endurance;

import dev.sluice.app.NfsCaller;
import dev.sluice.core.model.JobId;
import dev.sluice.load.client.Handle;
import dev.sluice.load.client.MountClient;
import dev.sluice.load.client.NfsClient;
import dev.sluice.nfs.rpc.Credential;
import dev.sluice.stage.library.PreloadLibrary;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * What is done on a control plane's nodes and gateways meanwhile: a program under the stage on each
 * node, and on each gateway NFS clients that verify what they read.
 */
final class PlaneLoad implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final long LOOK_MILLIS = 50;

  /**
   * Asks for a file's attributes until its input ends; then prints the longest time for one. It
   * waits for the end of its input in a thread of its own, which the stage has nothing to do with,
   * and notices in another when the whole machine stood still, which is nobody's fault here.
   */
  private static final String STATS =
      """
      import os, sys, threading, time
      over = threading.Event()
      stood = [0.0]
      def notice():
          before = time.monotonic()
          while True:
              time.sleep(0.1)
              now = time.monotonic()
              if now - before > 1.1:
                  stood[0] += now - before - 0.1
              before = now
      threading.Thread(target=lambda: (sys.stdin.read(), over.set()), daemon=True).start()
      threading.Thread(target=notice, daemon=True).start()
      worst = 0.0
      before, stood_before = time.monotonic(), stood[0]
      while not over.is_set():
          os.stat(sys.argv[1])
          now, stood_now = time.monotonic(), stood[0]
          worst = max(worst, now - before - (stood_now - stood_before))
          before, stood_before = now, stood_now
      print(worst)
      """;

  /** Whoever looks this much later than he wanted to was held up by the machine. */
  private static final long HELD_UP_NANOS = 1_000_000_000L;

  private final ControlPlane plane;
  private final List<Process> programs = new ArrayList<>();
  private final List<NfsClient> clients = new ArrayList<>();
  private final List<VerifyingWriter> writers = new ArrayList<>();
  private final List<String> gatewayOfWriter = new ArrayList<>();
  private final List<Future<?>> working = new ArrayList<>();
  private final Map<String, Long> upSinceNanos = new ConcurrentHashMap<>();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private volatile boolean stopped;
  private volatile double longestNfs;
  private double longestStage;

  PlaneLoad(ControlPlane plane) throws Exception {
    this.plane = plane;
    Credential.Sys caller = NfsCaller.find();
    SplittableRandom random = new SplittableRandom(3);
    // As in the paper's figure 6: one job on the first target, another on both.
    for (String place : List.of("gateway-1 alpha", "gateway-1 beta", "gateway-2 beta")) {
      String gateway = place.substring(0, place.indexOf(' '));
      String job = place.substring(place.indexOf(' ') + 1);
      for (int i = 0; i < 4; i++) {
        NfsClient client = NfsClient.connect(plane.nfsAddress(gateway), caller, PATIENCE);
        clients.add(client);
        Handle root;
        try (MountClient mount = MountClient.connect(plane.nfsAddress(gateway), caller, PATIENCE)) {
          root = mount.mount("/@" + job + "/disk").get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        }
        writers.add(new VerifyingWriter(client, root, writers.size(), random.split()));
        gatewayOfWriter.add(gateway);
      }
      upSinceNanos.put(gateway, System.nanoTime());
    }
  }

  void begin() throws IOException {
    for (String agent : ControlPlane.AGENTS) {
      ProcessBuilder builder =
          new ProcessBuilder("python3", "-c", STATS, plane.mount(agent).toString());
      PreloadLibrary.enter(builder.environment(), plane.stage(agent).directoryOf(JobId.of("job")));
      programs.add(builder.redirectError(ProcessBuilder.Redirect.INHERIT).start());
    }
    writers.forEach(writer -> working.add(threads.submit(writer)));
    threads.execute(this::watchWriters);
  }

  /** How long a writer has not moved although its gateway is there. */
  private void watchWriters() {
    long[] steps = new long[writers.size()];
    long[] movedNanos = new long[writers.size()];
    long lookedNanos = System.nanoTime();
    Arrays.fill(movedNanos, lookedNanos);
    while (!stopped) {
      for (String gateway : ControlPlane.GATEWAYS) {
        lookWhetherUp(gateway);
      }
      long nowNanos = System.nanoTime();
      if (nowNanos - lookedNanos > HELD_UP_NANOS) {
        Arrays.fill(movedNanos, nowNanos);
      }
      lookedNanos = nowNanos;
      for (int i = 0; i < steps.length; i++) {
        long done = writers.get(i).steps();
        Long up = upSinceNanos.get(gatewayOfWriter.get(i));
        if (done != steps[i] || up == null) {
          steps[i] = done;
          movedNanos[i] = nowNanos;
        } else {
          double still = (nowNanos - Math.max(movedNanos[i], up)) / 1e9;
          longestNfs = Math.max(longestNfs, still);
        }
      }
      GatewayProcess.pauseMillis(LOOK_MILLIS);
    }
  }

  private void lookWhetherUp(String gateway) {
    try (Socket socket = new Socket()) {
      socket.connect(plane.nfsAddress(gateway), 1_000);
      upSinceNanos.putIfAbsent(gateway, System.nanoTime());
    } catch (IOException e) {
      upSinceNanos.remove(gateway);
    }
  }

  /** Ends all work and looks how long it was held up. */
  void stop() throws Exception {
    stopped = true;
    for (Process program : programs) {
      program.getOutputStream().close();
      String said = new String(program.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (!program.waitFor(60, TimeUnit.SECONDS) || program.exitValue() != 0) {
        throw new AssertionError("a program failed: " + said);
      }
      longestStage = Math.max(longestStage, Double.parseDouble(said.strip()));
    }
    writers.forEach(VerifyingWriter::stop);
    for (Future<?> future : working) {
      future.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }
  }

  /** Everything that was promised to be kept is there. */
  void verify() throws Exception {
    for (VerifyingWriter writer : writers) {
      writer.verifyAll();
    }
  }

  double longestStageSeconds() {
    return longestStage;
  }

  double longestNfsSeconds() {
    return longestNfs;
  }

  long steps() {
    return writers.stream().mapToLong(VerifyingWriter::steps).sum();
  }

  @Override
  public void close() {
    stopped = true;
    writers.forEach(VerifyingWriter::stop);
    programs.forEach(Process::destroyForcibly);
    clients.forEach(NfsClient::close);
    threads.shutdownNow();
  }
}
