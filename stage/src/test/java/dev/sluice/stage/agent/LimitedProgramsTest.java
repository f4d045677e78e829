package dev.sluice.stage.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.model.Operation;
import dev.sluice.stage.files.OperationUsage;
import dev.sluice.stage.files.StateFile;
import dev.sluice.stage.files.StateFiles;
import dev.sluice.testkit.Eventually;
import dev.sluice.testkit.TimePasses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Real processes under limits. Bounds on time are wide because the machine may be busy; ./sluice
 * bench stage measures what an idle one does.
 */
@Timeout(300)
class LimitedProgramsTest {
  /** What an idle job may save up, as a part of the windows that are measured here. */
  private static final double SAVED = 0.02;

  private static final int ATTEMPTS = 10;

  @TempDir Path temporary;

  @ParameterizedTest
  @CsvSource({
    "getattr=1kops/s, stat, 1, 1000, 1, 0.7",
    "getattr=1kops/s, stat, 8, 1000, 1, 0.7",
    // Who has to wait for a processor cannot save up for so many calls meanwhile.
    "getattr=50kops/s, stat, 2, 50000, 1, 0.25",
    "write=100MB/s, write, 8, 1525.9, 65536, 0.7",
    "all=100MB/s, read, 2, 1525.9, 65536, 0.7",
    "metadata=500/s, stat, 2, 500, 1, 0.7"
  })
  void oneLimitHoldsForAllProcessesOfAJobTogether(
      String limit, String call, int processes, double perSecond, int bytes, double usedPart)
      throws Exception {
    double seconds = 2;
    double allowed = perSecond * (seconds + SAVED);
    // A thread may hold a lease, and one call may be on its way.
    double held = processes * (perSecond / 1_000 + 1) + 2;
    List<Long> done = new ArrayList<>();
    try (Node node = new Node(temporary, limit)) {
      Path file = Files.write(node.mount.resolve("file"), new byte[bytes]);
      do {
        String printed =
            node.run(node.consume(call, file, seconds, processes, 1, bytes))
                .assertSucceeded()
                .output();
        done.add(Long.parseLong(printed.strip()));
        assertThat(done.getLast()).isLessThanOrEqualTo((long) (allowed + held) + 1);
        // A program gets less where others have the processors, but not again and again.
      } while (done.getLast() < usedPart * perSecond * seconds && done.size() < ATTEMPTS);
    }
    assertThat(done.getLast())
        .as("calls in %s s, of each attempt: %s", seconds, done)
        .isGreaterThanOrEqualTo((long) (usedPart * perSecond * seconds));
  }

  /** On a busy machine an agent may look at the clock long before it looks at the tickets. */
  @Test
  void anAgentThatIsLateGivesNothingAway() throws Exception {
    try (Node node = new Node(temporary, "getattr=1kops/s")) {
      Path file = Files.write(node.mount.resolve("file"), new byte[1]);
      Process program = node.start(node.consume("stat", file, 2, 2, 1, 1));
      while (!program.waitFor(20, TimeUnit.MILLISECONDS)) {
        node.job().tick(System.nanoTime() - 200_000_000);
      }
      assertThat(node.usage(Operation.GETATTR).calls()).isBetween(100L, 2_060L);
    }
  }

  @Test
  void whoJoinsLaterIsUnderTheLimitAtOnce() throws Exception {
    try (Node node = new Node(temporary, "open=100/s")) {
      Path file = Files.write(node.mount.resolve("file"), new byte[1]);
      long began = System.nanoTime();
      Process first = node.start(node.consume("open", file, 2, 1, 1, 1));
      Eventually.await("the first opens", () -> node.usage(Operation.OPEN).calls() > 30);
      Process second = node.start(node.consume("open", file, 1, 4, 1, 1));
      assertThat(first.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(second.waitFor(60, TimeUnit.SECONDS)).isTrue();

      double seconds = (System.nanoTime() - began) / 1e9;
      assertThat(node.usage(Operation.OPEN).calls()).isBetween(31L, (long) (100 * seconds) + 30);
      assertThat(node.usage(Operation.CLOSE).waits()).as("close is not limited").isZero();
    }
  }

  @Test
  void aNewRateReachesThoseWhoWait() throws Exception {
    List<Long> latencies = new ArrayList<>();
    try (Node node = new Node(temporary, "getattr=0/s")) {
      Path file = Files.write(node.mount.resolve("file"), new byte[1]);
      Process program = node.start(node.consume("stat", file, 100, 2, 4, 1));
      for (int i = 0; i < 20; i++) {
        node.limit("getattr=0/s");
        TimePasses.forMillis(60);
        long before = node.usage(Operation.GETATTR).waits();
        long changed = System.nanoTime();
        node.limit(i % 2 == 0 ? "getattr=none" : "getattr=1Mops/s");
        while (node.usage(Operation.GETATTR).waits() == before
            && System.nanoTime() - changed < 5_000_000_000L) {
          Thread.onSpinWait();
        }
        latencies.add(System.nanoTime() - changed);
      }
      program.descendants().forEach(ProcessHandle::destroyForcibly);
      program.destroyForcibly().waitFor();
    }
    latencies.sort(null);
    assertThat(latencies.get(latencies.size() / 2))
        .as("median of %s ns", latencies)
        .isLessThan(1_000_000_000);
  }

  @Test
  void aPauseStopsAllAndItsEndFreesThem() throws Exception {
    try (Node node = new Node(temporary, "all=0/s")) {
      Path file = Files.write(node.mount.resolve("file"), new byte[1]);
      Process program = node.start(List.of("cat", file.toString()));
      assertThat(program.waitFor(800, TimeUnit.MILLISECONDS)).isFalse();
      node.limit("all=none");
      assertThat(program.waitFor(20, TimeUnit.SECONDS)).isTrue();
      assertThat(program.exitValue()).isZero();
    }
  }

  @Test
  void theTicketsOfTheKilledAreGivenBack() throws Exception {
    try (Node node = new Node(temporary, "open=20/s")) {
      Path file = Files.write(node.mount.resolve("file"), new byte[1]);
      List<Process> waiters = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        waiters.add(node.start(node.consume("open", file, 60, 1, 64, 1)));
      }
      Eventually.await("opens that wait", () -> openBacklog(node) > 200);
      for (Process waiter : waiters) {
        waiter.descendants().forEach(ProcessHandle::destroyForcibly);
        waiter.destroyForcibly().waitFor();
      }
      long started = System.nanoTime();
      OperationUsage before = node.usage(Operation.OPEN);
      node.run(List.of("cat", file.toString())).assertSucceeded();

      OperationUsage mine = node.usage(Operation.OPEN).minus(before);
      assertThat(mine.waitedNanos())
          .as("waited in %s ns, instead of 10 s", System.nanoTime() - started)
          .isLessThan(6_000_000_000L);
    }
  }

  /** How many opens are reserved and not due yet: each is one token. */
  private static long openBacklog(Node node) throws IOException {
    int bucket = node.job().limits().keySet().iterator().next().number();
    long line = node.job().files().control().line(bucket).unitsAt(System.nanoTime());
    // Another reader than the agent's own, which the agent is using.
    try (StateFile state = StateFiles.open(node.job().directory())) {
      return (state.tickets()[bucket] - line) >> 10;
    }
  }

  /**
   * More wait than have room in the list, half of them are killed while the others go on waiting:
   * nobody may pass. The call after the pause shows that what the dead had reserved is given back.
   */
  @Test
  void nothingPassesAPauseWhileTwoThousandWaitersAreKilled() throws Exception {
    try (Node node = new Node(temporary, "open=0/s")) {
      Path file = Files.write(node.mount.resolve("file"), new byte[1]);
      List<Process> waiters = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        waiters.add(node.start(node.consume("open", file, 600, 1, 250, 1)));
      }
      Eventually.await("opens that wait", () -> openBacklog(node) >= 2_500);
      for (Process waiter : waiters.subList(0, 8)) {
        waiter.descendants().forEach(ProcessHandle::destroyForcibly);
        waiter.destroyForcibly().waitFor();
      }
      TimePasses.forMillis(3_500);
      assertThat(node.usage(Operation.CLOSE).calls()).as("opens that passed").isZero();
      assertThat(node.usage(Operation.OPEN).waits()).isZero();

      for (Process waiter : waiters.subList(8, 10)) {
        waiter.descendants().forEach(ProcessHandle::destroyForcibly);
        waiter.destroyForcibly().waitFor();
      }
      node.limit("open=100/s");
      OperationUsage before = node.usage(Operation.OPEN);
      node.run(List.of("cat", file.toString())).assertSucceeded();
      assertThat(node.usage(Operation.OPEN).minus(before).waitedNanos())
          .as("instead of 25 s")
          .isLessThan(10_000_000_000L);
    }
  }
}
