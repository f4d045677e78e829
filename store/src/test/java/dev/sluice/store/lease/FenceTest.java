package dev.sluice.store.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.store.lease.Predecessors.Verdict;
import dev.sluice.testkit.ObeyedOrders;
import dev.sluice.testkit.SeededCases;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FenceTest {
  @TempDir private Path directory;

  @Test
  void numbersNeverGoDownAndMeanOneLeaderWhateverIsSaidAndHoweverOftenItStarts() {
    Path file = directory.resolve("leader");
    SeededCases.forAll(
        60,
        random -> {
          Files.deleteIfExists(file);
          ObeyedOrders log = new ObeyedOrders();
          Fence fence = new Fence(new LeaderFile(file));
          for (int i = 0; i < 30; i++) {
            Leader speaker = new Leader(random.nextLong(6), 1 + random.nextLong(3));
            if (fence.refusal(speaker) == null) {
              log.obeyed("node", speaker.epoch(), "" + speaker.mark(), i);
            }
            if (random.nextInt(4) == 0) {
              Leader before = fence.obeyed();
              fence = new Fence(new LeaderFile(file));
              assertThat(fence.obeyed()).isEqualTo(before);
            }
          }
          assertThat(log.count()).isPositive();
          assertThat(log.violations()).isEmpty();
        });
  }

  @Test
  void whoIsRefusedIsToldWhy() {
    Fence fence = new Fence(LeaderMemory.NONE);
    assertThat(fence.refusal(new Leader(4, 0x10))).isNull();
    assertThat(fence.refusal(new Leader(3, 0x10)))
        .isEqualTo("they are of leader 3, whom 4 has replaced");
    assertThat(fence.refusal(new Leader(4, 0x20)))
        .startsWith("they are of another leader 4 than the one that was obeyed here");
    assertThat(fence.refusal(new Leader(-1, 0))).contains("18446744073709551615");
    // Of an earlier version, which has no mark.
    assertThat(fence.refusal(new Leader(4, 0))).isNull();
    assertThat(fence.refusal(new Leader(4, 0x20))).isNotNull();
    assertThat(fence.refusal(new Leader(5, 0))).isNull();
    assertThat(fence.refusal(new Leader(5, 0x20))).isNull();
    assertThat(fence.refusal(new Leader(5, 0x10))).isNotNull();
  }

  @Test
  void aFileThatIsDamagedOrCannotBeWrittenIsSaid() throws IOException {
    Path file = directory.resolve("leader");
    LeaderFile memory = new LeaderFile(file);
    for (String damaged : List.of("", "leader 5", "leader x 00000000000000ff\n", "\0".repeat(99))) {
      Files.writeString(file, damaged);
      assertThatThrownBy(memory::load)
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith(file + ": ")
          .hasMessageContaining("expected a line such as leader 5");
      Fence fence = new Fence(memory);
      assertThat(fence.trouble()).contains("is not known");
      assertThat(fence.refusal(new Leader(2, 7))).isNull();
      assertThat(fence.trouble()).isNull();
      assertThat(memory.load()).isEqualTo(new Leader(2, 7));
    }
    Fence nowhere = new Fence(new LeaderFile(file.resolve("below").resolve("leader")));
    assertThat(nowhere.refusal(new Leader(2, 7))).isNull();
    assertThat(nowhere.trouble()).contains("cannot be kept");
    assertThat(nowhere.refusal(new Leader(1, 7))).isNotNull();
  }

  @Test
  void aMemberIsBelievedOnceAMinuteAndNoFurtherThanNumbersCanBe() {
    Predecessors predecessors = new Predecessors();
    Leader us = new Leader(5, 0x10);
    long clockMillis = 1_800_000_000_000L;
    assertThat(predecessors.judge("n1", new Leader(4, 0x20), us, clockMillis, 0))
        .isInstanceOf(Verdict.Welcome.class);
    assertThat(predecessors.judge("n1", us, us, clockMillis, 0))
        .isInstanceOf(Verdict.Welcome.class);
    assertThat(predecessors.judge("n1", new Leader(5, 0), us, clockMillis, 0))
        .isInstanceOf(Verdict.Welcome.class);
    assertThat(predecessors.judge("n1", new Leader(5, 0x20), us, clockMillis, 0))
        .isEqualTo(new Verdict.Outdo("n1 has obeyed another leader 5, and this is 5"));
    assertThat(predecessors.judge("n1", new Leader(9, 0x20), us, clockMillis, 59_000_000_000L))
        .isInstanceOf(Verdict.Refuse.class);
    assertThat(predecessors.judge("n2", new Leader(9, 0x20), us, clockMillis, 59_000_000_000L))
        .isInstanceOf(Verdict.Outdo.class);
    assertThat(predecessors.judge("n1", new Leader(9, 0x20), us, clockMillis, 61_000_000_000L))
        .isInstanceOf(Verdict.Outdo.class);
    // Of a controller that led without a database, by its clock.
    assertThat(predecessors.judge("n3", new Leader(clockMillis, 1), us, clockMillis, 0))
        .isInstanceOf(Verdict.Outdo.class);
    for (long lie : new long[] {-1, Long.MIN_VALUE, Long.MAX_VALUE, clockMillis + 86_400_001L}) {
      assertThat(predecessors.judge("n4", new Leader(lie, 1), us, clockMillis, 0))
          .isInstanceOf(Verdict.Refuse.class);
    }
  }
}
