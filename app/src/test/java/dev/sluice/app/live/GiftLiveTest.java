package dev.sluice.app.live;

import static dev.sluice.testkit.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.app.Cli;
import dev.sluice.core.linear.PackingAnswer;
import dev.sluice.core.linear.PackingProgram;
import dev.sluice.core.linear.PackingSolver;
import dev.sluice.core.linear.PackingSolvers;
import dev.sluice.core.policy.registry.PolicyRegistry;
import dev.sluice.gateway.Gateway;
import dev.sluice.ledger.CouponBooks;
import dev.sluice.ledger.LedgerLocation;
import dev.sluice.ledger.LedgerSummary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * GIFT over the targets of a real gateway, with jobs that write to several of them at once. The
 * jobs are those of the paper's figure 6.
 */
@Tag("untimed")
@Timeout(180)
class GiftLiveTest {
  @TempDir private Path directory;
  private Path file;
  private LedgerLocation ledger;

  /**
   * The targets are not paced: the rates that are decided hold the jobs back. A machine that is so
   * busy that pacing falls behind would otherwise divide by turns what is left.
   */
  @BeforeEach
  void write() throws IOException {
    for (String target : List.of("one", "two")) {
      Path exported = Files.createDirectory(directory.resolve(target));
      Files.setAttribute(exported, "unix:mode", 0_777);
    }
    Files.writeString(
        directory.resolve("jobs.yaml"),
        """
        jobs:
          11: {name: alpha, user: alice, nodes: 4}
          12: {name: alpha, user: alice, nodes: 4}
          21: {name: beta, user: bob}
        """);
    file = directory.resolve("sluice.yaml");
    Files.writeString(
        file,
        """
        nfs-port: 0
        mount-port: 0
        state: state
        jobs: jobs.yaml
        trust-claimed-jobs: true
        policy: {name: gift, period: 1 s, threshold: 0.3}
        targets:
          one: {capacity: 4 MB/s, pace: false}
          two: {capacity: 4 MB/s, pace: false}
        exports:
          /one: {directory: one, target: one, privileged-ports: false}
          /two: {directory: two, target: two, privileged-ports: false}
        """);
    ledger = new LedgerLocation.SqliteFile(directory.resolve("state").resolve("coupons.db"));
  }

  @Test
  void throttlesOwesSurvivesARestartAndGivesBack() throws Exception {
    LedgerSummary.Application owed;
    try (Gateway gateway = Gateway.start(file);
        SynchronousJob alpha = new SynchronousJob(gateway, "11", "/one");
        SynchronousJob beta = new SynchronousJob(gateway, "21", "/one", "/two")) {
      await("coupons for who is slowed down", () -> alpha().couponsIssued() >= 2);
      assertThat(beta.speedBeside(alpha, 5))
          .as("65 of 100 beside 35; a fair share would be the same for both")
          .isGreaterThan(1.25);
      assertThat(ask("explain", "11"))
          .contains("70.00 % of the fair rate, with a coupon for the rest")
          .contains("optimum of the linear program by built-in");
      gateway.stop();
    }
    owed = alpha();
    assertThat(owed.owedTokens()).isPositive().isEqualTo(owed.issuedTokens());
    assertThat(ask("coupons")).contains("alpha@alice");

    try (Gateway gateway = Gateway.start(file);
        SynchronousJob _ = new SynchronousJob(gateway, "12", "/one");
        SynchronousJob _ = new SynchronousJob(gateway, "21", "/one", "/two");
        SynchronousJob _ = new SynchronousJob(gateway, "31", "/one");
        SynchronousJob _ = new SynchronousJob(gateway, "41", "/two");
        SynchronousJob _ = new SynchronousJob(gateway, "42", "/two");
        SynchronousJob _ = new SynchronousJob(gateway, "43", "/two")) {
      await("another run of it gets back what it is owed", () -> alpha().redeemedTokens() > 0);
      LedgerSummary.Application later = alpha();
      assertThat(later.couponsIssued()).isGreaterThanOrEqualTo(owed.couponsIssued());
      assertThat(later.issuedTokens()).isGreaterThanOrEqualTo(owed.issuedTokens());
      assertThat(later.owedTokens()).isEqualTo(later.issuedTokens() - later.redeemedTokens());
    }
  }

  /** A solver that never has an answer, as one whose native library is missing. */
  private static final class BrokenSolver implements PackingSolver {
    @Override
    public String name() {
      return "broken";
    }

    @Override
    public PackingAnswer solve(PackingProgram program, long limitNanos) {
      return new PackingAnswer.Failed("its library is missing");
    }
  }

  @Test
  void withoutASolverGapsAreFilledAndItIsSaid() throws Exception {
    PolicyRegistry policies = PolicyRegistry.with(new PackingSolvers(List.of(new BrokenSolver())));
    try (Gateway gateway = Gateway.start(file, policies);
        SynchronousJob _ = new SynchronousJob(gateway, "11", "/one");
        SynchronousJob _ = new SynchronousJob(gateway, "21", "/one", "/two")) {
      await(
          "an explanation that says so",
          () ->
              ask("explain", "11")
                  .contains(
                      "max-min fill, because broken did not solve the linear program"
                          + " (its library is missing)"));
    }
    assertThat(CouponBooks.summary(ledger).couponsIssued()).isZero();
  }

  @Test
  void withALedgerOfAnotherVersionFairSharesHoldAndItIsSaid() throws Exception {
    Files.createDirectory(directory.resolve("state"));
    try (Connection connection = ledger.connect();
        Statement statement = connection.createStatement()) {
      statement.executeUpdate("CREATE TABLE sluice_migration (version INTEGER, name TEXT)");
      statement.executeUpdate("INSERT INTO sluice_migration VALUES (9, 'of tomorrow')");
    }
    try (Gateway gateway = Gateway.start(file);
        SynchronousJob _ = new SynchronousJob(gateway, "11", "/one");
        SynchronousJob beta = new SynchronousJob(gateway, "21", "/one", "/two")) {
      await(
          "a decision although the ledger cannot be read",
          () -> ask("explain", "11").contains("may move at the fair rate"));
      assertThat(ask("explain", "11"))
          .contains("it is of version 9, and this Sluice knows versions up to 1")
          .contains("so nothing is owed or redeemed, and fair shares hold");
      assertThat(ask("status")).contains("fair shares hold until it is back");
      long before = beta.bytesOnEachTarget();
      await("I/O that goes on", () -> beta.bytesOnEachTarget() > before);
    }
  }

  private LedgerSummary.Application alpha() {
    return Owed.to("alpha@alice", ledger);
  }

  private String ask(String... words) {
    return Cli.ask(file, words);
  }
}
