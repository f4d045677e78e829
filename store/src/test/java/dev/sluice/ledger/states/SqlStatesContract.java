package dev.sluice.ledger.states;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.policy.Memory;
import dev.sluice.ledger.LedgerLocation;
import java.io.IOException;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What a store in a database must do besides: whoever no longer leads must not spoil it. */
abstract class SqlStatesContract extends StateStoreContract {
  private static final Tally TALLY = new Tally(1);

  abstract LedgerLocation location();

  @Override
  StateStore store() {
    return new SqlStates(location());
  }

  @Test
  void anEarlierEpochChangesNothing() throws Exception {
    try (StateStore before = store();
        StateStore after = store()) {
      assertThat(before.save(KEY, "one", 5)).isTrue();
      assertThat(after.load(KEY, 6)).as("and it is ours now").isEqualTo("one");
      assertThat(before.save(KEY, "two", 5)).isFalse();
      assertThat(after.load(KEY, 6)).isEqualTo("one");
      assertThat(after.save(KEY, "three", 6)).isTrue();
      assertThat(before.load(KEY, 5)).isEqualTo("three");
      assertThat(after.save(KEY, "four", 6)).isTrue();
    }
  }

  @Test
  void whoLeadsGoesOnFromWhatItsPredecessorKept() throws Exception {
    AtomicLong one = new AtomicLong(1);
    AtomicLong other = new AtomicLong(-1);
    StateKeeper first = new StateKeeper(store(), one::get, Instant::now);
    try (StateKeeper second = new StateKeeper(store(), other::get, Instant::now)) {
      Memory<Tally.Count> led = first.memory(KEY, TALLY, TALLY, Tally.CLUSTER);
      Memory<Tally.Count> follows = second.memory(KEY, TALLY, TALLY, Tally.CLUSTER);
      assertThat(follows.current(Tally.CLUSTER).count()).isZero();
      led.keep(led.current(Tally.CLUSTER), new Tally.Count(30));
      first.close();

      one.set(-1);
      other.set(2);
      assertThat(follows.current(Tally.CLUSTER).count()).isEqualTo(30);
      follows.keep(follows.current(Tally.CLUSTER), new Tally.Count(40));
    }

    // It thinks for a while that it still leads, and has decided something else.
    one.set(1);
    try (StateKeeper late = new StateKeeper(store(), one::get, Instant::now)) {
      Memory<Tally.Count> memory = late.memory(KEY, TALLY, TALLY, Tally.CLUSTER);
      memory.keep(memory.current(Tally.CLUSTER), new Tally.Count(99));
    }
    other.set(3);
    try (StateKeeper third = new StateKeeper(store(), other::get, Instant::now)) {
      assertThat(third.memory(KEY, TALLY, TALLY, Tally.CLUSTER).current(Tally.CLUSTER).count())
          .isEqualTo(40);
    }
  }

  @Test
  void statesOfANewerSluiceAreLeftAlone() throws Exception {
    try (StateStore store = store()) {
      store.save(KEY, "text", 1);
    }
    try (Connection connection = location().connect();
        Statement statement = connection.createStatement()) {
      statement.executeUpdate("INSERT INTO sluice_policy_state_migration VALUES (7, 'later')");
    }
    try (StateStore store = store()) {
      assertThatThrownBy(() -> store.save(KEY, "text", 1))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("of version 7, and this Sluice knows versions up to 1");
    }
  }
}
