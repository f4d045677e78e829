package dev.sluice.app.linux;

import dev.sluice.testkit.Eventually;
import dev.sluice.testkit.TimePasses;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What jobs get of a gateway when Linux kernels are its clients: a world of one gateway under the
 * policy {@code fair} and some guests, and what can be measured in it. The guest with the number 1
 * is a job of one node, and that with the number 2 a job of three.
 */
final class ClientScenarios implements AutoCloseable {
  static final double LIMIT_MEGABYTES_PER_SECOND = 20;
  static final double HOG_MEGABYTES_PER_SECOND = 1;
  static final int STORM_PROCESSES = 24;
  static final int OPERATIONS_PER_SECOND = 150;

  private static final int HOG_UID = 1001;
  private static final int LIMITED_UID = 1009;
  private static final int HOG_MEBIBYTES = 150;
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final List<Closeable> parts = new ArrayList<>();
  private final List<LinuxGuest> guests = new ArrayList<>();
  private final GuestGateway gateway;

  /**
   * Starts all.
   *
   * @param directory for everything
   * @param mountOptions with which the guests mount
   * @param megabytesPerSecond what the target is held to
   */
  ClientScenarios(
      Path directory, int guestCount, String memory, String mountOptions, int megabytesPerSecond)
      throws Exception {
    Path export = Files.createDirectory(directory.resolve("export"));
    Files.writeString(
        directory.resolve("jobs.yaml"),
        """
        jobs:
          one: {user: root, uid: 0, nodes: 1, addresses: [%s]}
          three: {user: root, uid: 0, nodes: 3, addresses: [%s]}
        """
            .formatted(GuestNetwork.guestAddress(1), GuestNetwork.guestAddress(2)));
    String configuration =
        """
        policy: fair
        jobs: ../jobs.yaml
        targets:
          slow: {capacity: %1$d MB/s}
          names: {capacity: %2$d ops/s}
        exports:
          /slow: {directory: %3$s, target: slow, squash: none, clients: [%4$s]}
          /names: {directory: %3$s, target: names, squash: none, clients: [%4$s]}
        limits:
          - {name: hog, match: user=%5$d, rate: 1 MB/s}
          - {name: limited, match: user=%6$d, rate: 20 MB/s}
        """
            .formatted(
                megabytesPerSecond,
                OPERATIONS_PER_SECOND,
                export,
                GuestNetwork.everybody(),
                HOG_UID,
                LIMITED_UID);
    try {
      GuestNetwork network = GuestNetwork.make(guestCount);
      parts.add(network::close);
      gateway = GuestGateway.start(network, directory.resolve("gateway"), configuration);
      parts.add(gateway::close);
      for (int number = 1; number <= guestCount; number++) {
        Path own = directory.resolve("guest-" + number);
        LinuxGuest guest =
            LinuxGuest.boot(network, number, own, export, memory).mountingWith(mountOptions);
        parts.add(guest::close);
        guests.add(guest);
        // Attributes are asked for each time, so that a stat is a call.
        guest
            .run(
                """
                set -e
                mount_export /slow /mnt/slow actimeo=0
                mount_export /names /mnt/names actimeo=0,nosharecache
                mkdir /mnt/slow/guest-%d
                """
                    .formatted(number),
                PATIENCE)
            .orFail();
      }
    } catch (Throwable e) {
      close();
      throw e;
    }
  }

  private LinuxGuest guest(int number) {
    return guests.get(number - 1);
  }

  /** What two jobs wrote at the same time. */
  record Shares(double one, double three) {
    double percentOfThree() {
      return 100 * three / (one + three);
    }

    double sum() {
      return one + three;
    }

    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "one node %.1f MB/s, three nodes %.1f MB/s: %.1f %% of %.1f",
          one,
          three,
          percentOfThree(),
          sum());
    }
  }

  /**
   * Both guests write as fast as they can.
   *
   * @param kind {@code buffered}, through the page cache, or {@code direct}
   */
  Shares shares(String kind, int seconds) throws Exception {
    String script = "python3 /run/guest/writer.py /mnt/slow/guest-%d/%s " + kind + " 4";
    List<LinuxGuest.Script> writers = new ArrayList<>();
    for (int number = 1; number <= 2; number++) {
      writers.add(guest(number).begin(script.formatted(number, kind)));
    }
    awaitWritten("one", 10_000_000);
    awaitWritten("three", 10_000_000);
    GuestGateway.Served from = gateway.served("slow");
    TimePasses.forMillis(seconds * 1_000L);
    GuestGateway.Served to = gateway.served("slow");
    for (int number = 1; number <= 2; number++) {
      stop(guest(number), writers.get(number - 1));
    }
    return new Shares(
        to.writtenMegabytesPerSecond("one", from), to.writtenMegabytesPerSecond("three", from));
  }

  /** What a user under a limit writes through the page cache, in MB/s. */
  double limited(int seconds) throws Exception {
    String job = "user-" + LIMITED_UID;
    LinuxGuest.Script writer =
        guest(1)
            .begin(
                """
                install -d -o %1$d /mnt/slow/limited
                as %1$d python3 /run/guest/writer.py /mnt/slow/limited/f buffered 1
                """
                    .formatted(LIMITED_UID));
    awaitWritten(job, 20_000_000);
    GuestGateway.Served from = gateway.served("slow");
    TimePasses.forMillis(seconds * 1_000L);
    GuestGateway.Served to = gateway.served("slow");
    stop(guest(1), writer);
    return to.writtenMegabytesPerSecond(job, from);
  }

  /**
   * How long one guest waits for attributes: alone, and beside a storm of metadata.
   *
   * @param oneWaitedMillis in the gateway, on average, for its turn beside the storm
   * @param stormWaitedMillis the same, of the storm's own operations
   */
  record Storm(
      Latency quiet,
      Latency beside,
      double stormOperationsPerSecond,
      double oneWaitedMillis,
      double stormWaitedMillis) {
    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "alone: %s%nbeside %.0f operations/s: %s%nwaits for a turn: %.1f ms, in the storm %.1f"
              + " ms",
          quiet,
          stormOperationsPerSecond,
          beside,
          oneWaitedMillis,
          stormWaitedMillis);
    }
  }

  Storm storm(int seconds) throws Exception {
    guest(1).run("mkdir -p /mnt/names/stat", PATIENCE).orFail();
    guest(2).run("mkdir -p /mnt/names/storm", PATIENCE).orFail();
    String stat = "python3 /run/guest/latencies.py /mnt/names/stat %d stat 0".formatted(seconds);
    Latency quiet = Latency.of("stat", guest(1).run(stat, PATIENCE).orFail());
    long before = operationsOfThree();
    LinuxGuest.Script storm =
        guest(2)
            .begin("python3 /run/guest/storm.py /mnt/names/storm %d".formatted(STORM_PROCESSES));
    Eventually.await(
        "the storm has begun", () -> operationsOfThree() > before + OPERATIONS_PER_SECOND);
    GuestGateway.Served from = gateway.served("names");
    Latency beside = Latency.of("stat", guest(1).run(stat, PATIENCE).orFail());
    GuestGateway.Served to = gateway.served("names");
    stop(guest(2), storm);
    return new Storm(
        quiet,
        beside,
        to.operationsPerSecond("three", from),
        to.meanWaitMillis("one", from),
        to.meanWaitMillis("three", from));
  }

  private long operationsOfThree() throws Exception {
    return gateway.served("names").operations().getOrDefault("three", 0L);
  }

  /**
   * What users of one mount wait, without and with another who is held to little and writes much.
   *
   * @param delaysPerSecond how often the other's calls of version 4 were told to come later: each
   *     comes with its data again
   */
  record Crowd(
      Latency quietSmall,
      Latency besideSmall,
      Latency quietWrite,
      Latency besideWrite,
      double hogMegabytesPerSecond,
      double delaysPerSecond) {
    double smallTimes() {
      return besideSmall.p99Millis() / quietSmall.p99Millis();
    }

    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "without: %s; %s%nbeside:  %s; %s%np99 of small things %.2f times; the hog wrote %.3f"
              + " MB/s, told to come later %.1f times/s",
          quietSmall,
          quietWrite,
          besideSmall,
          besideWrite,
          smallTimes(),
          hogMegabytesPerSecond,
          delaysPerSecond);
    }
  }

  /**
   * Users 1002 to 1005 open, stat, touch and create small files and write a mebibyte now and then;
   * then the same while user 1001 on the same mount, held to 1 MB/s, writes 150 MB. The client
   * holds back as much as it does on a node with much memory. Leaves the hog behind.
   */
  Crowd crowd(int seconds) throws Exception {
    String job = "user-" + HOG_UID;
    guest(1)
        .run(
            """
            set -e
            echo 262144 >/proc/sys/fs/nfs/nfs_congestion_kb
            echo 80 >/proc/sys/vm/dirty_ratio
            echo 70 >/proc/sys/vm/dirty_background_ratio
            install -d -o %d /mnt/slow/hog
            """
                .formatted(HOG_UID),
            PATIENCE)
        .orFail();
    String live =
        "python3 /run/guest/latencies.py /mnt/slow/guest-1 %d stat,open,touch,create,write"
            + " 1002 1003 1004 1005";
    String quiet = guest(1).run(live.formatted(seconds), PATIENCE).orFail();
    guest(1)
        .begin(
            "as %d dd if=/dev/zero of=/mnt/slow/hog/f bs=1M count=%d conv=fsync"
                .formatted(HOG_UID, HOG_MEBIBYTES));
    awaitWritten(job, 3_000_000);
    GuestGateway.Served from = gateway.served("slow");
    long delaysBefore = delays();
    String beside = guest(1).run(live.formatted(seconds), PATIENCE.plusSeconds(seconds)).orFail();
    GuestGateway.Served to = gateway.served("slow");
    return new Crowd(
        Latency.of("small", quiet),
        Latency.of("small", beside),
        Latency.of("write", quiet),
        Latency.of("write", beside),
        to.writtenMegabytesPerSecond(job, from),
        (delays() - delaysBefore) * 1e9 / (to.nowNanos() - from.nowNanos()));
  }

  private long delays() throws Exception {
    return gateway.status().required("nfs4").openMap().required("delays").whole(0, Long.MAX_VALUE);
  }

  private void awaitWritten(String job, long bytes) throws Exception {
    long before = gateway.served("slow").writtenBytes().getOrDefault(job, 0L);
    Eventually.await(
        job + " writes",
        () -> gateway.served("slow").writtenBytes().getOrDefault(job, 0L) >= before + bytes,
        gateway::log);
  }

  /** Tells what a guest runs to stop, and waits until it has. */
  private static void stop(LinuxGuest guest, LinuxGuest.Script running) throws Exception {
    Path stop = Files.createFile(guest.shared("stop"));
    running.await(PATIENCE).orFail();
    Files.delete(stop);
  }

  @Override
  public void close() throws IOException {
    for (Closeable part : parts.reversed()) {
      part.close();
    }
  }
}
