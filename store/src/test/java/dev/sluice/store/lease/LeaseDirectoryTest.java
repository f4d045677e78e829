package dev.sluice.store.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.store.StoreException;
import dev.sluice.testkit.Eventually;
import dev.sluice.testkit.SeededCases;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LeaseDirectoryTest {
  private static final long MILLI = 1_000_000;
  private static final LeaseTimes QUICK =
      new LeaseTimes(200 * MILLI, 40 * MILLI, 20 * MILLI, 10 * MILLI);

  @TempDir private Path temporary;

  private LeaseDirectory in(Path directory) {
    return new LeaseDirectory(directory, _ -> false);
  }

  /** However several look and write: a row is replaced by one alone, and only the present one. */
  @Test
  void aRowIsReplacedOnceAndOnlyWhileItIsThere() {
    SeededCases.forAll(
        1_000,
        random -> {
          Path directory = Files.createTempDirectory(temporary, "lease");
          List<LeaseDirectory> seers = new ArrayList<>();
          List<LeaseRow> seen = new ArrayList<>();
          for (int i = 0; i < 3; i++) {
            seers.add(in(directory));
            seen.add(LeaseRow.INITIAL);
          }
          LeaseRow present = LeaseRow.INITIAL;
          int steps = random.nextInt(5, 40);
          for (int step = 0; step < steps; step++) {
            int who = random.nextInt(3);
            if (random.nextInt(3) == 0) {
              seen.set(who, seers.get(who).read());
              assertThat(seen.get(who)).isEqualTo(present);
            } else {
              LeaseRow known = seen.get(who);
              LeaseRow by = random.nextBoolean() ? taken(known, "holder" + who) : known.renewed();
              boolean isReplaced = seers.get(who).replace(known, by);
              assertThat(isReplaced).isEqualTo(known.equals(present));
              if (isReplaced) {
                present = by;
                seen.set(who, by);
              }
            }
          }
        });
  }

  @Test
  void manyRowsLeaveFewLinks() throws Exception {
    LeaseDirectory rows = in(temporary);
    LeaseRow row = rows.read();
    for (int i = 0; i < 1_000; i++) {
      LeaseRow next = row.renewed();
      assertThat(rows.replace(row, next)).isTrue();
      row = next;
    }
    try (Stream<Path> links = Files.list(temporary)) {
      assertThat(links.count()).isLessThan(200);
    }
    assertThat(in(temporary).read()).isEqualTo(row);
  }

  /** Whoever sees a state of long ago for the present one does not get what follows it. */
  @Test
  void whoSeesWhatIsLongPastReplacesNothing() {
    LeaseDirectory late = in(temporary);
    LeaseRow initial = late.read();
    LeaseDirectory rows = in(temporary);
    LeaseRow row = rows.read();
    for (int i = 0; i < 1_000; i++) {
      LeaseRow next = i == 0 ? taken(row, "one") : row.renewed();
      assertThat(rows.replace(row, next)).isTrue();
      row = next;
    }
    // The link that would be in its way was removed long ago.
    assertThat(late.replace(initial, taken(initial, "late"))).isFalse();
    assertThat(in(temporary).read()).isEqualTo(row);
    assertThat(rows.replace(row, row.renewed())).isTrue();
  }

  @Test
  void aLeaseOfTheDeadIsGivenBackForThem() {
    LeaseDirectory rows = in(temporary);
    LeaseRow row = rows.read();
    assertThat(rows.replace(row, taken(row, "dead"))).isTrue();
    assertThat(in(temporary).read().holder()).isEqualTo("dead");
    LeaseRow freed = new LeaseDirectory(temporary, "dead"::equals).read();
    assertThat(freed.isFree()).isTrue();
    assertThat(freed.epoch()).isEqualTo(1);
    assertThat(rows.replace(taken(row, "dead"), taken(row, "dead").renewed())).isFalse();
  }

  @Test
  void whatIsNoLeaseIsRefusedWithItsPlace() throws Exception {
    Files.createSymbolicLink(temporary.resolve("7"), Path.of("nonsense"));
    assertThatThrownBy(() -> in(temporary).read())
        .isInstanceOf(StoreException.class)
        .hasMessageContaining(temporary.toString())
        .hasMessageContaining("nonsense")
        .hasMessageContaining("EPOCH:RENEWALS:HOLDER");
    assertThatThrownBy(() -> in(temporary.resolve("missing")).read())
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("missing");
  }

  /** Whoever is granted the lease is told first until when, and no two of them overlap. */
  @Test
  void oneOfThreeKeepersHasItAtATime() throws Exception {
    List<LeaseKeeper> keepers = new ArrayList<>();
    List<Long> toldUntil = new ArrayList<>();
    try {
      for (int i = 0; i < 3; i++) {
        toldUntil.add(Long.MIN_VALUE);
        int who = i;
        keepers.add(
            LeaseKeeper.inDirectory(
                temporary,
                "keeper" + i,
                QUICK,
                _ -> false,
                untilNanos -> {
                  synchronized (toldUntil) {
                    toldUntil.set(who, untilNanos);
                  }
                }));
      }
      for (int turn = 0; turn < 3; turn++) {
        Eventually.await("somebody holds it", () -> holders(keepers) == 1);
        assertThat(holders(keepers)).isEqualTo(1);
        LeaseKeeper leading =
            keepers.stream().filter(LeaseDirectoryTest::leads).findFirst().orElseThrow();
        synchronized (toldUntil) {
          int who = Integer.parseInt(LeaseKeeper.heldIn(temporary).holder().substring(6));
          assertThat(toldUntil.get(who)).isNotEqualTo(Long.MIN_VALUE);
        }
        leading.close();
        keepers.remove(leading);
      }
      assertThat(LeaseKeeper.heldIn(temporary)).isEqualTo(new LeaseKeeper.Held(3, ""));
    } finally {
      keepers.forEach(LeaseKeeper::close);
    }
  }

  private static boolean leads(LeaseKeeper keeper) {
    return keeper.leading(System.nanoTime()) != null;
  }

  private static long holders(List<LeaseKeeper> keepers) {
    return keepers.stream().filter(LeaseDirectoryTest::leads).count();
  }

  private static LeaseRow taken(LeaseRow row, String by) {
    return row.takenBy(by, row.epoch() + 1);
  }
}
