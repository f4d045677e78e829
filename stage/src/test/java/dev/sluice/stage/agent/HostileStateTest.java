package dev.sluice.stage.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.access.Audit;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Operation;
import dev.sluice.stage.files.OperationUsage;
import dev.sluice.stage.files.StageDirectory;
import dev.sluice.stage.layout.StageLayout;
import dev.sluice.stage.limit.LimitChange;
import dev.sluice.testkit.EnduranceScale;
import dev.sluice.testkit.SeededCases;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A job writes what it likes into its own state: no other job, nor the agent, comes to harm. */
@Timeout(600)
class HostileStateTest {
  private static final int IMAGES = EnduranceScale.of(20_000, 1_000_000);

  /** How often all that is said of all jobs is looked at, and not only what is read. */
  private static final int LOOKS = 50;

  private static final JobId GOOD = JobId.of("good");

  @TempDir Path temporary;

  @Test
  void whateverAJobWritesOnlyItsOwnFiguresAreWrong() throws IOException {
    try (StageAgent agent = new StageAgent(new StageDirectory(temporary.resolve("sluice")))) {
      StagedJob good = add(agent, GOOD);
      StagedJob bad = add(agent, JobId.of("bad"));
      try (FileChannel state = open(good)) {
        write(state, StageLayout.COUNTERS + StageLayout.COUNTER_CALLS, 7);
      }
      AgentCommands commands = new AgentCommands(agent, Audit.NONE, () -> null, () -> {});
      int[] images = new int[1];
      SeededCases.forAll(
          IMAGES,
          random -> {
            spoil(bad, random);
            bad.tick(System.nanoTime());
            bad.usage().values().forEach(HostileStateTest::assertPossible);
            assertThat(bad.attached()).isNotNegative();
            if (images[0]++ % LOOKS == 0) {
              assertSaid(commands.reply("{\"command\":\"metrics\"}").line());
              assertSaid(commands.reply("{\"command\":\"status\"}").line());
            }
          });
      assertThat(good.usage().get(Operation.READ)).isEqualTo(new OperationUsage(7, 0, 0, 0));
      assertThat(good.limits()).hasSize(2);
    }
  }

  private static StagedJob add(StageAgent agent, JobId job) throws IOException {
    return agent.add(
        job,
        StageDirectory.thisUser(),
        List.of(Path.of("/scratch")),
        LimitChange.parse("read=1MB/s,open=10/s"));
  }

  private static void assertPossible(OperationUsage usage) {
    assertThat(usage.calls()).isNotNegative();
    assertThat(usage.bytes()).isNotNegative();
    assertThat(usage.waits()).isNotNegative();
    assertThat(usage.waitedNanos()).isNotNegative();
  }

  private static void assertSaid(String line) {
    assertThat(line)
        .contains("good")
        .doesNotContain("error")
        .doesNotContainPattern("(?<![a-zA-Z])-[0-9]")
        .doesNotContain("NaN")
        .doesNotContain("Infinity");
  }

  /** Words of all sizes where they hurt, and a file that is cut short or grown. */
  private static void spoil(StagedJob job, RandomGenerator random) throws IOException {
    try (FileChannel state = open(job)) {
      int words = 1 + random.nextInt(16);
      for (int i = 0; i < words; i++) {
        int at = Long.BYTES * random.nextInt(StageLayout.STATE_BYTES / Long.BYTES);
        write(state, at, word(random));
      }
      int waiter = StageLayout.WAITER_SLOTS + StageLayout.WAITER_SIZE * random.nextInt(64);
      write(state, waiter, System.nanoTime() + random.nextLong(-2_000_000_000, 2_000_000_000));
      write(state, waiter + StageLayout.WAITER_BUCKET_COUNT, word(random));
      int ticket = StageLayout.TICKETS + StageLayout.TICKET_SIZE * random.nextInt(64);
      write(state, ticket, word(random));
      if (random.nextInt(100) == 0) {
        state.truncate(random.nextInt(StageLayout.STATE_BYTES));
        state.write(ByteBuffer.allocate(1), random.nextInt(2 * StageLayout.STATE_BYTES));
      }
    }
  }

  private static long word(RandomGenerator random) {
    return switch (random.nextInt(4)) {
      case 0 -> random.nextLong();
      case 1 -> -1L >>> random.nextInt(Long.SIZE);
      case 2 -> 1L << random.nextInt(Long.SIZE);
      default -> -random.nextLong(1_000);
    };
  }

  private static void write(FileChannel state, int at, long value) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
    state.write(bytes.putLong(value).flip(), at);
  }

  private static FileChannel open(StagedJob job) throws IOException {
    return FileChannel.open(job.files().stateFile(), StandardOpenOption.WRITE);
  }
}
