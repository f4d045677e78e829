package dev.sluice.app.coupons;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.app.Cli;
import dev.sluice.core.linear.BoundedSimplex;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.policy.Cluster;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.policy.Memory;
import dev.sluice.core.policy.Observation;
import dev.sluice.core.policy.gift.Gift;
import dev.sluice.core.policy.gift.GiftSettings;
import dev.sluice.core.policy.gift.GiftState;
import dev.sluice.core.policy.progress.Expansion.Objective;
import dev.sluice.core.policy.progress.ShareBasis;
import dev.sluice.ledger.CouponBooks;
import dev.sluice.ledger.LedgerLocation;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CouponsCommandTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long DAY = 86_400 * SECOND;

  private static final Cluster CLUSTER =
      new Cluster(
          List.of(
              new Target("t1", 1_000_000, TokenUnit.BYTES),
              new Target("t2", 1_000_000, TokenUnit.BYTES)));

  /** 2026-01-02 03:04 UTC. */
  private static final long BEGIN = 1_767_323_040L * SECOND;

  @TempDir private Path directory;

  /** Alice's lammps is throttled once, and paid for it a day later. */
  private String throttledAndPaidFor() {
    Path file = directory.resolve("coupons.db");
    Gift gift =
        new Gift(
            new GiftSettings(
                0.8, 0.3, 250, Objective.GAIN, ShareBasis.GIVEN, DAY, DAY, 360_000, 30 * DAY),
            new BoundedSimplex());
    JobDemand alice = JobDemand.of("1", 7_200, 1).withApplication(JobId.of("lammps@alice"));
    JobDemand bob = JobDemand.of("2", 1, 1).withApplication(JobId.of("wrf@bob"));
    try (CouponBooks books = new CouponBooks(new LedgerLocation.SqliteFile(file))) {
      Memory<GiftState> memory = books.memory(gift.codec());
      decide(gift, memory, BEGIN, Map.of("t1", List.of(alice, bob), "t2", List.of(bob)));
      decide(gift, memory, BEGIN + DAY, Map.of("t1", List.of(), "t2", List.of()));
      decide(gift, memory, BEGIN + DAY, Map.of("t1", List.of(alice, bob), "t2", List.of(bob)));
    }
    return file.toString();
  }

  private static void decide(
      Gift gift, Memory<GiftState> memory, long nowNanos, Map<String, List<JobDemand>> seen) {
    GiftState before = memory.current(CLUSTER);
    memory.keep(
        before,
        gift.decide(before, new Observation(nowNanos, 10 * SECOND, CLUSTER, seen, List.of()))
            .next());
  }

  @Test
  void tellsWhoIsOwedWhat() {
    String ledger = throttledAndPaidFor();
    Cli cli = Cli.run("coupons", "--ledger", ledger);
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    assertThat(cli.out())
        .contains("regret: 6.00 of 100.00 node-hours were awarded at the assessment of 2026-01-03")
        .containsPattern("lammps@alice +1.50 MB +1 +2 +3 MB +0 B +6.00 +6.00 +0.00");
    assertThat(Cli.run("coupons", "--ledger", ledger, "--json").out())
        .contains("\"token\":\"byte\"", "\"coupons_issued\":2", "\"budget_node_seconds\":360000")
        .contains("\"application\":\"lammps@alice\",\"owed\":1500000,\"open_coupons\":1")
        .contains("\"issued\":3000000,\"redeemed\":0,\"regret_node_seconds\":21600")
        .contains("\"due_node_seconds\":21600,\"handed_out_node_seconds\":0");
  }

  @Test
  void nodeHoursAreHandedOutOnce() {
    String ledger = throttledAndPaidFor();
    assertThat(Cli.run("coupons", "award", "wrf@bob", "--ledger", ledger).out())
        .contains("nothing is due for \"wrf@bob\"");
    Cli first = Cli.run("coupons", "award", "--ledger", ledger);
    assertThat(first.exitCode()).isZero();
    assertThat(first.out()).isEqualToNormalizingNewlines("lammps@alice: 6.00 node-hours\n");
    assertThat(Cli.run("coupons", "award", "--ledger", ledger).out()).contains("nothing is due");
    assertThat(Cli.run("coupons", "award", "--ledger", ledger, "--json").out())
        .contains("{\"handed_out_node_seconds\":{}}");
    assertThat(Cli.run("coupons", "--ledger", ledger, "--json").out())
        .contains("\"due_node_seconds\":0,\"handed_out_node_seconds\":21600");
  }

  @Test
  void whereThereIsNoLedgerNobodyWasOwedAnything() {
    Path none = directory.resolve("none.db");
    assertThat(Cli.run("coupons", "--ledger", none.toString()).out())
        .contains("nobody was ever owed anything");
    assertThat(none).doesNotExist();
  }

  @Test
  void whatIsWrongIsOneLine() {
    Cli bad = Cli.run("coupons", "--ledger", "postgresql://u:secret@h/d");
    assertThat(bad.exitCode()).isEqualTo(2);
    assertThat(bad.err().lines()).hasSize(1);
    assertThat(bad.err()).contains("no password here").doesNotContain("secret");
    Cli failed = Cli.run("coupons", "--ledger", directory.toString());
    assertThat(failed.exitCode()).isEqualTo(1);
    assertThat(failed.err().lines()).hasSize(1);
    assertThat(failed.err()).contains("ledger " + directory);
  }
}
