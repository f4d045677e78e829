package dev.sluice.load.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testkit.SeededCases;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class SlotTableTest {
  /**
   * Whoever asks gets a slot in the order of asking; no slot is given out twice, none that the
   * server does not want used, and nobody waits while one may be had.
   */
  @Test
  void everyoneHasATurnInTheOrderOfAsking() {
    SeededCases.forAll(2_000, SlotTableTest::play);
  }

  private static void play(RandomGenerator random) {
    int size = random.nextInt(1, 6);
    SlotTable<Integer> table = new SlotTable<>(size);
    List<SlotTable.Slot> taken = new ArrayList<>();
    Deque<Integer> waiting = new ArrayDeque<>();
    int limit = size;
    int asked = 0;
    for (int step = 0; step < 60; step++) {
      List<SlotTable.Turn<Integer>> turns = List.of();
      switch (random.nextInt(3)) {
        case 0 -> {
          SlotTable.Slot slot = table.take(asked);
          if (slot == null) {
            waiting.add(asked);
          } else {
            assertThat(waiting).isEmpty();
            assertThat(slot.number()).isLessThan(limit);
            assertThat(taken).doesNotContain(slot);
            taken.add(slot);
          }
          asked++;
        }
        case 1 -> {
          if (!taken.isEmpty()) {
            turns = table.release(taken.remove(random.nextInt(taken.size())));
          }
        }
        default -> {
          int wanted = random.nextInt(0, size + 2);
          limit = Math.clamp(wanted, 1, size);
          turns = table.limit(wanted);
        }
      }
      for (SlotTable.Turn<Integer> turn : turns) {
        assertThat(turn.asker()).isEqualTo(waiting.remove());
        assertThat(turn.slot().number()).isLessThan(limit);
        assertThat(taken).doesNotContain(turn.slot());
        taken.add(turn.slot());
      }
      int most = limit;
      long inUse = taken.stream().filter(slot -> slot.number() < most).count();
      assertThat(waiting.isEmpty() || inUse == limit).as("nobody waits in vain").isTrue();
      assertThat(table.isIdle()).isEqualTo(taken.isEmpty() && waiting.isEmpty());
    }
  }
}
