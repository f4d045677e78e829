package dev.sluice.ledger.states;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.policy.Memory;
import dev.sluice.core.policy.StateText;
import dev.sluice.testkit.Eventually;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What every store must do, and whoever keeps states in it. */
abstract class StateStoreContract {
  static final StateKey KEY = new StateKey("tally", "gateway/export \"1\" \u20ac\ud83d\ude00");
  private static final Tally TALLY = new Tally(1);

  private Instant now = Instant.parse("2026-01-01T00:00:00Z");

  /** Opens the store of this test, again and again the same one. */
  abstract StateStore store() throws Exception;

  private StateKeeper keeper() throws Exception {
    return keeper(new AtomicLong(1));
  }

  private StateKeeper keeper(AtomicLong epoch) throws Exception {
    return new StateKeeper(store(), epoch::get, () -> now);
  }

  private static Memory<Tally.Count> memory(StateKeeper keeper) {
    return memory(keeper, TALLY);
  }

  private static Memory<Tally.Count> memory(StateKeeper keeper, Tally tally) {
    return keeper.memory(KEY, tally, tally, Tally.CLUSTER);
  }

  private static void count(Memory<Tally.Count> memory, int times) {
    for (int i = 0; i < times; i++) {
      Tally.Count before = memory.current(Tally.CLUSTER);
      memory.keep(before, new Tally.Count(before.count() + 1));
    }
  }

  @Test
  void whatWasSavedIsLoadedUntilSomethingElseIs() throws Exception {
    try (StateStore store = store()) {
      assertThat(store.load(KEY, 1)).isNull();
      assertThat(store.save(KEY, "one\ntext\n", 1)).isTrue();
      assertThat(store.save(new StateKey("tally", "elsewhere"), "other", 1)).isTrue();
      assertThat(store.save(new StateKey("abacus", KEY.about()), "other", 1)).isTrue();
      assertThat(store.load(KEY, 1)).isEqualTo("one\ntext\n");
      assertThat(store.save(KEY, "two", 1)).isTrue();
    }
    try (StateStore store = store()) {
      assertThat(store.load(KEY, 2)).isEqualTo("two");
    }
  }

  @Test
  void namesMayBeLong() throws Exception {
    try (StateStore store = store()) {
      StateKey one = new StateKey("tally", "\u20ac".repeat(300) + "1");
      StateKey other = new StateKey("tally", "\u20ac".repeat(300) + "2");
      assertThat(store.save(one, "one", 1)).isTrue();
      assertThat(store.save(other, "other", 1)).isTrue();
      assertThat(store.load(one, 1)).isEqualTo("one");
    }
  }

  @Test
  void whatIsSetAsideIsNotLoaded() throws Exception {
    try (StateStore store = store()) {
      for (int i = 0; i < 2; i++) {
        store.save(KEY, "bad", 1);
        assertThat(store.setAside(KEY)).contains("unreadable");
        assertThat(store.load(KEY, 1)).isNull();
      }
    }
  }

  @Test
  void aCleanEndLosesNothing() throws Exception {
    for (int i = 0; i < 3; i++) {
      try (StateKeeper keeper = keeper()) {
        Memory<Tally.Count> memory = memory(keeper);
        assertThat(memory.current(Tally.CLUSTER).count()).isEqualTo(i * 5L);
        count(memory, 5);
      }
    }
  }

  @Test
  void whoIsKilledFindsWhatWasKeptSoonAfterItWasDecided() throws Exception {
    try (StateKeeper keeper = keeper()) {
      count(memory(keeper), 7);
      Eventually.await(
          "seven are in the store",
          () -> {
            String text = loaded();
            return text != null && StateText.read(TALLY, text).state().count() == 7;
          });
      assertThat(keeper.problem()).isNull();
    }
  }

  /** What is kept, as one sees it who takes nothing over: its epoch is below all others. */
  private @Nullable String loaded() throws Exception {
    try (StateStore store = store()) {
      return store.load(KEY, 0);
    }
  }

  @Test
  void whatIsKeptNamesTheTargetsThatWereDecidedAbout() throws Exception {
    try (StateKeeper keeper = keeper()) {
      count(memory(keeper), 3);
    }
    assertThat(StateText.read(TALLY, String.valueOf(loaded())).cluster()).isEqualTo(Tally.CLUSTER);
    try (StateKeeper keeper = keeper()) {
      Memory<Tally.Count> memory = memory(keeper);
      Tally.Count before = memory.current(Tally.FASTER);
      assertThat(before.count()).isEqualTo(3);
      memory.keep(before, new Tally.Count(4));
    }
    StateText.Written<Tally.Count> written = StateText.read(TALLY, String.valueOf(loaded()));
    assertThat(written.cluster()).isEqualTo(Tally.FASTER);
    assertThat(written.state().count()).isEqualTo(4);
  }

  @Test
  void whatIsTooOldIsForgotten() throws Exception {
    try (StateKeeper keeper = keeper()) {
      count(memory(keeper), 3);
    }
    now = now.plus(Duration.ofHours(1));
    try (StateKeeper keeper = keeper()) {
      assertThat(memory(keeper).current(Tally.CLUSTER).count()).isEqualTo(3);
    }
    now = now.plusMillis(1);
    try (StateKeeper keeper = keeper()) {
      assertThat(memory(keeper).current(Tally.CLUSTER).count()).isZero();
    }
    now = now.minus(Duration.ofHours(3));
    try (StateKeeper keeper = keeper()) {
      assertThat(memory(keeper).current(Tally.CLUSTER).count()).as("of a time to come").isZero();
    }
  }

  @Test
  void withOtherSettingsItBeginsAnew() throws Exception {
    try (StateKeeper keeper = keeper()) {
      count(memory(keeper), 3);
      assertThat(memory(keeper, new Tally(2)).current(Tally.CLUSTER).count()).isZero();
      assertThat(memory(keeper).current(Tally.CLUSTER).count()).as("and back").isEqualTo(3);
    }
    try (StateKeeper keeper = keeper()) {
      assertThat(memory(keeper, new Tally(2)).current(Tally.CLUSTER).count()).isZero();
    }
  }

  @Test
  void whatCannotBeReadIsSetAside() throws Exception {
    try (StateStore store = store()) {
      store.save(KEY, "sluice policy state\nrubbish", 1);
    }
    try (StateKeeper keeper = keeper()) {
      Memory<Tally.Count> memory = memory(keeper);
      assertThat(memory.current(Tally.CLUSTER).count()).isZero();
      assertThat(loaded()).isNull();
      count(memory, 2);
    }
    try (StateKeeper keeper = keeper()) {
      assertThat(memory(keeper).current(Tally.CLUSTER).count()).isEqualTo(2);
    }
  }

  @Test
  void whoHandsOverWritesNothingMore() throws Exception {
    try (StateKeeper keeper = keeper()) {
      Memory<Tally.Count> before = memory(keeper);
      count(before, 3);
      Memory<Tally.Count> after = memory(keeper);
      assertThat(after.current(Tally.CLUSTER).count())
          .as("at once, whatever is written")
          .isEqualTo(3);
      count(before, 10);
      count(after, 1);
    }
    try (StateKeeper keeper = keeper()) {
      assertThat(memory(keeper).current(Tally.CLUSTER).count()).isEqualTo(4);
    }
  }

  @Test
  void whoMayNotWriteDecidesAndKeepsNothing() throws Exception {
    AtomicLong epoch = new AtomicLong(-1);
    try (StateKeeper keeper = keeper(epoch)) {
      Memory<Tally.Count> memory = memory(keeper);
      count(memory, 3);
      assertThat(memory.current(Tally.CLUSTER).count()).isEqualTo(3);
    }
    assertThat(loaded()).isNull();
  }

  /** A store that cannot be used must keep nobody from deciding. */
  @Test
  void aStoreThatFailsIsToldAndNotWaitedFor() throws Exception {
    StateStore failing =
        new StateStore() {
          @Override
          public String load(StateKey key, long epoch) throws IOException {
            throw new IOException("no such place");
          }

          @Override
          public boolean save(StateKey key, String text, long epoch) throws IOException {
            throw new IOException("no room");
          }

          @Override
          public String setAside(StateKey key) throws IOException {
            throw new IOException("no room");
          }

          @Override
          public void close() {}
        };
    try (StateKeeper keeper = new StateKeeper(failing, () -> 1, () -> now)) {
      Memory<Tally.Count> memory = memory(keeper);
      count(memory, 3);
      assertThat(memory.current(Tally.CLUSTER).count()).isEqualTo(3);
      Eventually.await(
          "it is told",
          () ->
              String.valueOf(keeper.problem())
                  .contains("what policies remember is not kept: tally (gateway/export"));
      assertThat(keeper.problem()).endsWith(": no room");
    }
  }
}
