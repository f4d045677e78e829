package dev.sluice.ledger.states;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.policy.Memory;
import dev.sluice.ledger.LedgerLocation;
import dev.sluice.testkit.EnduranceScale;
import dev.sluice.testkit.SeededCases;
import java.io.IOException;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a store in a database must do besides: whoever no longer leads must not spoil it. */
abstract class SqlStatesContract extends StateStoreContract {
  private static final Tally TALLY = new Tally(1);

  abstract LedgerLocation location();

  @Override
  StateStore store() {
    return new SqlStates(location(), SqlStates.Keeper.CONTROLLER);
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

  private StateStore gateways() {
    return new SqlStates(location(), SqlStates.Keeper.GATEWAY);
  }

  /** They have no lease in common, and no clock has a say in it. */
  @Test
  void ofGatewaysTheOneWritesThatTookOverLast() throws Exception {
    try (StateStore one = gateways();
        StateStore other = gateways()) {
      assertThat(one.load(KEY, SqlStates.NO_LEASE)).isNull();
      assertThat(other.load(KEY, SqlStates.NO_LEASE)).isNull();
      assertThat(one.save(KEY, "late", SqlStates.NO_LEASE)).as("before anything is kept").isFalse();
      assertThat(other.save(KEY, "first", SqlStates.NO_LEASE)).isTrue();
      assertThat(other.save(KEY, "second", SqlStates.NO_LEASE)).isTrue();
      assertThat(one.load(KEY, SqlStates.NO_LEASE)).isEqualTo("second");
      assertThat(other.save(KEY, "late", SqlStates.NO_LEASE)).isFalse();
      assertThat(one.save(KEY, "third", SqlStates.NO_LEASE)).isTrue();
    }
  }

  /** A gateway whose clock is off by so much. */
  private StateKeeper gateway(Duration off) {
    return new StateKeeper(
        gateways(), () -> SqlStates.NO_LEASE, InstantSource.offset(InstantSource.system(), off));
  }

  private static long countsOn(StateKeeper keeper) {
    Memory<Tally.Count> memory = keeper.memory(KEY, TALLY, TALLY, Tally.CLUSTER);
    Tally.Count before = memory.current(Tally.CLUSTER);
    memory.keep(before, new Tally.Count(before.count() + 1));
    return before.count();
  }

  @Test
  void gatewaysWhoseClocksDifferGoOnFromEachOther() {
    long count = 0;
    for (int minutes : new int[] {25, -25, 0, 30, -29, 29}) {
      try (StateKeeper gateway = gateway(Duration.ofMinutes(minutes))) {
        assertThat(countsOn(gateway)).as("%d minutes", minutes).isEqualTo(count++);
      }
    }
  }

  /** What it finds is too old or of a time to come; what it then knows is kept all the same. */
  @Test
  void aClockThatIsFarAheadKeepsNobodyElseFromRemembering() {
    StateKeeper ahead = gateway(Duration.ofDays(400));
    assertThat(countsOn(ahead)).isZero();
    for (int count = 0; count < 3; count++) {
      try (StateKeeper right = gateway(Duration.ZERO)) {
        assertThat(countsOn(right)).isEqualTo(count);
      }
    }
    // It has been overtaken, and what it writes when it ends replaces nothing.
    ahead.close();
    try (StateKeeper right = gateway(Duration.ZERO)) {
      assertThat(countsOn(right)).isEqualTo(3);
    }
  }

  /** One decides about all targets of all gateways, the other about its own. */
  @Test
  void whatAControllerRemembersIsNotAGateways() throws Exception {
    try (StateStore controller = store();
        StateStore gateway = gateways()) {
      assertThat(controller.save(KEY, "of all", 7)).isTrue();
      assertThat(gateway.load(KEY, SqlStates.NO_LEASE)).isNull();
      assertThat(gateway.save(KEY, "of one", SqlStates.NO_LEASE)).isTrue();
      assertThat(controller.load(KEY, 7)).isEqualTo("of all");
    }
  }

  /** As where a connection was given up, and what it was told comes after what the next was. */
  @Test
  void aTextOfTheSameTurnThatComesLateReplacesNoLaterOne() throws Exception {
    try (StateStore store = store()) {
      assertThat(store.save(KEY, "first", 3)).isTrue();
      try (Connection connection = location().connect();
          Statement statement = connection.createStatement()) {
        statement.executeUpdate("UPDATE sluice_policy_memory SET state = 'third', sequence = 3");
      }
      assertThat(store.save(KEY, "second", 3)).isFalse();
      assertThat(store.load(KEY, 3)).isEqualTo("third");
    }
  }

  /** What is set aside is still somebody's to replace. */
  @Test
  void whoseTurnItIsOutlivesWhatCannotBeRead() throws Exception {
    try (StateStore one = store();
        StateStore other = store()) {
      assertThat(one.save(KEY, "bad", 3)).isTrue();
      assertThat(other.load(KEY, 3)).isEqualTo("bad");
      other.setAside(KEY);
      assertThat(one.save(KEY, "late", 3)).isFalse();
      assertThat(other.save(KEY, "good", 3)).isTrue();
    }
  }

  /** Who has taken a state over, and what it is. */
  private static final class Model {
    private long epoch = -1;
    private int holder = -1;
    private @Nullable String text;

    boolean takeOver(int by, long in) {
      boolean may = in >= epoch;
      if (may) {
        epoch = in;
        holder = by;
      }
      return may;
    }
  }

  /**
   * The theorem of {@link SqlStates}: of several that read and write in any order and epochs, what
   * is kept is what the one wrote that took over last of those with the highest epoch.
   */
  @Test
  void whatIsKeptIsOfTheLatestTurnInTheLatestEpoch() {
    SeededCases.forAll(
        EnduranceScale.of(20, 500),
        random -> {
          StateKey key = new StateKey("tally", "case " + random.nextLong());
          List<StateStore> stores = new ArrayList<>();
          long[] epochs = new long[3];
          long[] turnIn = {-1, -1, -1};
          for (int i = 0; i < epochs.length; i++) {
            stores.add(store());
          }
          Model model = new Model();
          for (int step = 0; step < 30; step++) {
            int who = random.nextInt(epochs.length);
            StateStore store = stores.get(who);
            switch (random.nextInt(4)) {
              case 0 -> {
                epochs[who] = random.nextInt(4);
                turnIn[who] = model.takeOver(who, epochs[who]) ? epochs[who] : -1;
                assertThat(store.load(key, epochs[who])).isEqualTo(model.text);
              }
              case 1 -> epochs[who] = random.nextInt(4);
              default -> {
                // Whoever has no turn in its epoch begins one by writing.
                if (turnIn[who] != epochs[who]) {
                  turnIn[who] = model.takeOver(who, epochs[who]) ? epochs[who] : -1;
                }
                boolean may = model.holder == who && model.epoch == turnIn[who];
                assertThat(store.save(key, "step " + step, epochs[who])).isEqualTo(may);
                if (may) {
                  model.text = "step " + step;
                }
              }
            }
          }
          stores.forEach(StateStore::close);
        });
  }

  /** A gateway of an earlier version whose clock was ahead blocks nobody after an upgrade. */
  @Test
  void whatEarlierVersionsKeptIsGoneOnFromWhateverTheirClocksSaid() throws Exception {
    long clockAhead = Instant.parse("2036-01-01T00:00:00Z").toEpochMilli();
    StateKey all = new StateKey("tally", StateKey.ALL_TARGETS);
    StateKey disk = new StateKey("tally", "disk");
    StateKey led = new StateKey("abacus", StateKey.ALL_TARGETS);
    try (Connection connection = location().connect();
        Statement statement = connection.createStatement()) {
      statement.executeUpdate(
          "CREATE TABLE sluice_policy_state_migration (version INTEGER PRIMARY KEY, name TEXT)");
      statement.executeUpdate(
          "INSERT INTO sluice_policy_state_migration VALUES (1, '001-policy-states.sql')");
      statement.executeUpdate(
          "CREATE TABLE sluice_policy_state (policy TEXT NOT NULL, about TEXT NOT NULL,"
              + " epoch BIGINT NOT NULL, state TEXT NOT NULL, PRIMARY KEY (policy, about))");
      statement.executeUpdate(
          "INSERT INTO sluice_policy_state VALUES ('tally', 'all targets', "
              + clockAhead
              + ", 'of all'), ('tally', 'disk', "
              + clockAhead
              + ", 'of the disk'), ('abacus', 'all targets', 6, 'led')");
    }
    try (StateStore gateway = gateways();
        StateStore controller = store()) {
      assertThat(gateway.load(disk, SqlStates.NO_LEASE)).isEqualTo("of the disk");
      assertThat(gateway.save(disk, "later", SqlStates.NO_LEASE)).isTrue();
      assertThat(gateway.load(all, SqlStates.NO_LEASE)).isEqualTo("of all");
      assertThat(controller.load(all, 1)).isEqualTo("of all");
      assertThat(controller.save(all, "later", 1)).isTrue();
      assertThat(controller.save(led, "late", 5)).as("of a leader who was replaced").isFalse();
      assertThat(controller.load(led, 7)).isEqualTo("led");
      assertThat(controller.load(disk, 7)).as("no controller decides about one target").isNull();
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
          .hasMessageContaining("of version 7, and this Sluice knows versions up to 2");
    }
  }
}
