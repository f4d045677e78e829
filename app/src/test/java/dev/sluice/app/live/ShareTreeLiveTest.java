package dev.sluice.app.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.app.Cli;
import dev.sluice.gateway.Gateway;
import dev.sluice.load.client.ClientTimes;
import dev.sluice.load.client.Handle;
import dev.sluice.load.client.MountClient;
import dev.sluice.load.client.NfsClient;
import dev.sluice.load.client.NodeConnection;
import dev.sluice.nfs.rpc.Credential;
import dev.sluice.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A user with a hundred jobs beside one with one job, on a real gateway whose tree changes live.
 */
@Timeout(300)
class ShareTreeLiveTest {
  private static final int JOBS_OF_MANY = 100;
  private static final Credential.Sys MANY = new Credential.Sys("node1", 2_001, 2_001);
  private static final Credential.Sys ONE = new Credential.Sys("node2", 2_002, 2_002);
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** Calls that are counted for a share. */
  private static final long COUNTED = 3_000;

  /** Calls after which what waited before a change is served. */
  private static final long SETTLING = 500;

  @TempDir private Path directory;
  private Path file;
  private Path jobs;

  @BeforeEach
  void write() throws IOException {
    Path exported = Files.createDirectory(directory.resolve("data"));
    Files.setAttribute(exported, "unix:mode", 0_777);
    file = directory.resolve("sluice.yaml");
    jobs = directory.resolve("jobs.yaml");
    StringBuilder running = new StringBuilder("jobs:\n");
    for (int i = 1; i <= JOBS_OF_MANY; i++) {
      running.append("  m" + i + ": {user: many, uid: 2001, account: physics}\n");
    }
    running.append("  alone: {user: one, uid: 2002}\n");
    Files.writeString(jobs, running);
  }

  private void configure(String shares) throws IOException {
    Files.writeString(
        file,
        """
        nfs-port: 0
        mount-port: 0
        state: state
        dashboard: off
        policy: fair
        trust-claimed-jobs: true
        jobs: jobs.yaml
        targets: {disk: {capacity: 1 kops/s}}
        exports: {/scratch: {directory: data, privileged-ports: false}}
        shares: %s
        """
            .formatted(shares));
  }

  @Test
  void sharesFollowTheTreeAndNoCallIsLostWhenItChanges() throws Exception {
    configure("{by: [job]}");
    try (Gateway gateway = Gateway.start(file);
        NodeConnection node1 = open(gateway);
        NodeConnection node2 = open(gateway)) {
      Callers callers = new Callers();
      for (int i = 1; i <= JOBS_OF_MANY; i++) {
        callers.begin(node1.as(MANY), mount(gateway, MANY, "m" + i), 2, callers.ofMany);
      }
      callers.begin(node2.as(ONE), mount(gateway, ONE, "alone"), 16, callers.ofOne);

      assertThat(callers.partOfOne()).as("a job among 101").isBetween(0.0, 0.02);

      change("{by: [user, job]}");
      assertThat(callers.partOfOne()).as("a user beside a user").isBetween(0.48, 0.52);
      Eventually.await(
          "the branch is told",
          () -> Cli.ask(file, "explain", "alone").contains("one / job alone: 1/2;"));
      assertThat(Cli.ask(file, "explain", "m7")).contains("many / job m7: 1/100 of 1/2, 0.500 %;");
      assertThat(Cli.ask(file, "status")).contains("branch").containsPattern("alone .* one");
      assertThat(Cli.ask(file, "top", "--once", "--by", "branch"))
          .containsPattern("many +\\d+")
          .containsPattern("one +1");

      change("{by: [user, job], weights: {user: {one: 3}}}");
      assertThat(callers.partOfOne()).as("a user of weight 3 beside one").isBetween(0.73, 0.77);

      // Jobs of no account are together in one branch of that name.
      change("{by: [account, user, job], weights: {account: {physics: 4}}}");
      assertThat(callers.partOfOne()).as("one account of five").isBetween(0.18, 0.22);
      assertThat(Cli.ask(file, "explain", "alone")).contains("(none) / one / job alone: 1/5;");

      // An account that becomes known moves the job: both users are in one account then.
      Files.writeString(
          jobs, Files.readString(jobs).replace("uid: 2002}", "uid: 2002, account: physics}"));
      Eventually.await(
          "the account is known",
          () -> Cli.ask(file, "explain", "alone").contains("physics / one / job alone: 1/2;"));
      assertThat(callers.partOfOne()).as("a user in the same account").isBetween(0.48, 0.52);

      callers.end();
      assertThat(callers.failures).isEmpty();
      assertThat(callers.answered.get()).isEqualTo(callers.sent.get());
      assertThat(node1.reconnections() + node2.reconnections()).isZero();
      assertThat(node1.repeated() + node2.repeated()).isZero();
    }
  }

  @Test
  void aTreeThatCannotBeChangesNothing() throws Exception {
    configure("{by: [user, job]}");
    try (Gateway gateway = Gateway.start(file)) {
      configure("{by: [job, user]}");
      assertThat(Cli.run("reload", "-c", file.toString()).err())
          .contains("sluice.yaml:10:15: by: \"job\": expected as the last of all");
      assertThat(gateway.configuration().shares().grouping().text()).isEqualTo("user, job");
    }
  }

  private void change(String shares) throws Exception {
    configure(shares);
    String told = Cli.ask(file, "reload");
    assertThat(told).contains("shares changed");
  }

  private static NodeConnection open(Gateway gateway) throws IOException {
    return NodeConnection.open(gateway.nfsAddress(), 1, ClientTimes.asLinux(PATIENCE));
  }

  private static Handle mount(Gateway gateway, Credential caller, String job) throws Exception {
    try (MountClient mount = MountClient.connect(gateway.mountAddress(), caller, PATIENCE)) {
      return mount.mount("/@" + job + "/scratch").get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }
  }

  /** Everybody who asks for attributes, again and again. */
  private static final class Callers {
    final AtomicLong ofMany = new AtomicLong();
    final AtomicLong ofOne = new AtomicLong();
    final AtomicLong sent = new AtomicLong();
    final AtomicLong answered = new AtomicLong();
    final ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private final List<Thread> lanes = new ArrayList<>();
    private volatile boolean ends;

    /** A job that has so many calls under way at any time. */
    void begin(NfsClient client, Handle directory, int lanesOfJob, AtomicLong counter) {
      for (int i = 0; i < lanesOfJob; i++) {
        lanes.add(Thread.startVirtualThread(() -> call(client, directory, counter)));
      }
    }

    private void call(NfsClient client, Handle directory, AtomicLong counter) {
      while (!ends) {
        sent.incrementAndGet();
        try {
          CompletableFuture<?> answer = client.attributes(directory);
          answer.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
          answered.incrementAndGet();
          counter.incrementAndGet();
        } catch (Exception e) {
          failures.add(e);
          return;
        }
      }
    }

    /** Which part of what is served from soon on is of the user with one job. */
    double partOfOne() throws Exception {
      awaitMore(SETTLING);
      long one = ofOne.get();
      long many = ofMany.get();
      awaitMore(COUNTED);
      double ofIt = ofOne.get() - one;
      double part = ofIt / (ofIt + ofMany.get() - many);
      System.out.printf(Locale.ROOT, "the user with one job has %.3f%n", part);
      return part;
    }

    private void awaitMore(long calls) throws Exception {
      long before = answered.get();
      Eventually.await(
          "calls are answered",
          () -> answered.get() - before >= calls || !failures.isEmpty(),
          () -> ": " + (answered.get() - before) + " of " + calls);
    }

    void end() throws InterruptedException {
      ends = true;
      for (Thread lane : lanes) {
        lane.join();
      }
    }
  }
}
