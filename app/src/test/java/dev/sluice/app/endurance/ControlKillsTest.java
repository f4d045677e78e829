package dev.sluice.app.endurance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.ledger.LedgerLocation;
import dev.sluice.stage.library.PreloadLibrary;
import dev.sluice.testkit.EnduranceScale;
import dev.sluice.testkit.ThrowAwayPostgres;
import dev.sluice.testkit.TimePasses;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * All of the control plane and its database are killed at random, under load: two controllers of
 * which one leads, an aggregator, agents with programs under the stage, gateways with NFS clients.
 * I/O goes on, limits come back, no coupon is lost or redeemed twice, and nobody gives orders who
 * does not lead.
 */
@Tag("untimed")
@Timeout(1_200)
class ControlKillsTest {
  private static final int SECONDS = EnduranceScale.of(20, 600);

  /** At least so many are killed: in turn, these are of all kinds. */
  private static final int KILLS_MIN = 6;

  /**
   * What is promised: whoever lost its agent is free after 2 s, and an NFS client goes on as soon
   * as its gateway is back. The rest is for a busy machine.
   */
  private static final double BLOCKED_SECONDS_MAX = 10;

  /** Two cycles are one second here; the rest is for a busy machine. */
  private static final double LIMITED_AGAIN_SECONDS_MAX = 6;

  /** Five seconds are promised; the rest is for a busy machine. */
  private static final double TAKEOVER_SECONDS_MAX = 15;

  @TempDir private Path directory;

  private final SplittableRandom random = new SplittableRandom(11);
  private final Map<String, Integer> kills = new TreeMap<>();
  private double longestUntilAllWell;
  private final List<Double> takeovers = new ArrayList<>();

  @Test
  void whateverIsKilledWorkGoesOnAndNothingIsLost() throws Exception {
    Path programs = ThrowAwayPostgres.programs();
    assumeTrue(programs != null, "there is no PostgreSQL here (Debian: postgresql)");
    assumeTrue(PreloadLibrary.find().isPresent(), "libsluice.so was not built: no C compiler");
    try (ThrowAwayPostgres postgres = ThrowAwayPostgres.start(Objects.requireNonNull(programs));
        ControlPlane plane = new ControlPlane(directory, postgres)) {
      plane.awaitAllWell();
      try (PlaneLoad load = new PlaneLoad(plane)) {
        plane.watch().forget();
        load.begin();
        killAtRandom(plane, postgres);
        load.stop();
        plane.awaitAllWell();
        report(plane, load);
        assertThat(load.longestStageSeconds()).isLessThan(BLOCKED_SECONDS_MAX);
        assertThat(load.longestNfsSeconds()).isLessThan(BLOCKED_SECONDS_MAX);
        load.verify();
      }
      assertThat(plane.watch().wentBack()).as("orders of a leader that was replaced").isEmpty();
      assertThat(plane.watch().longestUntilLimitedSeconds()).isLessThan(LIMITED_AGAIN_SECONDS_MAX);
      assertThat(takeovers).allMatch(seconds -> seconds < TAKEOVER_SECONDS_MAX);
      assertLedgerIsConsistent(plane.store());
    }
  }

  private void killAtRandom(ControlPlane plane, ThrowAwayPostgres postgres) throws Exception {
    long endNanos = System.nanoTime() + SECONDS * 1_000_000_000L;
    int turn = 0;
    while (turn < KILLS_MIN || System.nanoTime() < endNanos) {
      TimePasses.forMillis(500 + random.nextInt(1_500));
      String leader = plane.leader();
      long epoch = plane.watch().highestEpoch();
      List<String> victims = victims(leader, turn);
      turn++;
      long beganNanos = System.nanoTime();
      hit(plane, postgres, victims);
      plane.awaitAllWell();
      longestUntilAllWell = Math.max(longestUntilAllWell, (System.nanoTime() - beganNanos) / 1e9);
      if (victims.equals(List.of(leader))) {
        // One that was stopped for a moment may still lead afterwards.
        plane
            .watch()
            .heardOfSuccessorNanos(epoch)
            .ifPresent(nanos -> takeovers.add((nanos - beganNanos) / 1e9));
      }
    }
  }

  /** In turn, so that a short run has all kinds; and now and then two at once. */
  private List<String> victims(String leader, int turn) {
    List<String> all = ControlPlane.PARTS;
    String victim = all.get(turn % all.size());
    if (victim.equals(all.getFirst()) && !leader.isEmpty()) {
      victim = leader;
    }
    String another = random.nextInt(4) == 0 ? all.get(random.nextInt(all.size())) : victim;
    return Stream.of(victim, another).distinct().toList();
  }

  private void hit(ControlPlane plane, ThrowAwayPostgres postgres, List<String> victims)
      throws Exception {
    boolean pause = random.nextInt(3) == 0;
    for (String victim : victims) {
      boolean pauses = pause && victim.startsWith("controller");
      kills.merge(pauses ? "controller stopped" : victim.replaceAll("-?\\d", ""), 1, Integer::sum);
      if (victim.equals(ControlPlane.DATABASE)) {
        postgres.stop();
      } else if (pauses) {
        plane.part(victim).signal("STOP");
      } else {
        plane.part(victim).kill();
        plane.watch().down(victim);
      }
    }
    TimePasses.forMillis(random.nextInt(pause ? 6_000 : 3_000));
    for (String victim : victims) {
      if (victim.equals(ControlPlane.DATABASE)) {
        postgres.start();
      } else if (pause && victim.startsWith("controller")) {
        plane.part(victim).signal("CONT");
      } else {
        plane.part(victim).restart();
      }
    }
  }

  private void report(ControlPlane plane, PlaneLoad load) {
    System.out.printf(
        Locale.ROOT,
        "killed %s; a call under the stage waited at most %.2f s, an NFS client %.2f s after its"
            + " gateway was back; limits were back at most %.2f s after a node was connected, all"
            + " was well at most %.1f s after a kill; epoch %d at the end, seconds until a node had"
            + " orders of another leader: %s; %d NFS steps%n",
        kills,
        load.longestStageSeconds(),
        load.longestNfsSeconds(),
        plane.watch().longestUntilLimitedSeconds(),
        longestUntilAllWell,
        plane.watch().highestEpoch(),
        takeovers,
        load.steps());
  }

  /** What was issued is redeemed or owed, application by application, coupon by coupon. */
  private static void assertLedgerIsConsistent(LedgerLocation store) throws SQLException {
    try (Connection connection = store.connect();
        Statement statement = connection.createStatement()) {
      // Gateways go on deciding: all is asked of one instant.
      connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      connection.setAutoCommit(false);
      assertThat(number(statement, "SELECT coupons_issued FROM sluice_ledger")).isPositive();
      assertThat(number(statement, "SELECT SUM(coupons_issued) FROM sluice_application"))
          .isEqualTo(number(statement, "SELECT coupons_issued FROM sluice_ledger"));
      assertThat(
              number(
                  statement,
                  "SELECT COUNT(*) FROM sluice_application a WHERE issued_tokens <> redeemed_tokens"
                      + " + (SELECT COALESCE(SUM(worth_tokens - redeemed_tokens), 0)"
                      + " FROM sluice_coupon c WHERE c.application = a.name)"))
          .as("applications whose coupons do not add up")
          .isZero();
      assertThat(
              number(
                  statement,
                  "SELECT COUNT(*) FROM sluice_coupon WHERE redeemed_tokens NOT BETWEEN 0 AND"
                      + " worth_tokens OR number >="
                      + " (SELECT coupons_issued FROM sluice_ledger) + 1"))
          .as("coupons that were redeemed beyond their worth, or never issued")
          .isZero();
      assertThat(
              number(
                  statement,
                  "SELECT COUNT(*) FROM (SELECT application, ordinal FROM sluice_coupon"
                      + " GROUP BY application, ordinal HAVING COUNT(*) > 1) twice"))
          .as("coupons that are there twice")
          .isZero();
    }
  }

  private static long number(Statement statement, String sql) throws SQLException {
    try (ResultSet row = statement.executeQuery(sql)) {
      return row.next() ? row.getLong(1) : 0;
    }
  }
}
