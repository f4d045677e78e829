package dev.sluice.app.live;

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
import dev.sluice.nfs.rpc.Credential;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * GIFT over the targets of a real gateway, with jobs that write to several of them at once. The
 * jobs are those of the paper's figure 6.
 */
@Timeout(180)
class GiftLiveTest {
  private static final long PATIENCE_NANOS = 60_000_000_000L;

  @TempDir private Path directory;
  private Path file;
  private LedgerLocation ledger;
  private Credential.Sys caller;

  /**
   * The targets are not paced: the rates that are decided hold the jobs back. A machine that is so
   * busy that pacing falls behind would otherwise divide by turns what is left.
   */
  @BeforeEach
  void write() throws IOException {
    int self = (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
    int uid = self == 0 ? 1_001 : self;
    caller = new Credential.Sys("live", uid, uid);
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
          /one: {directory: one, target: one}
          /two: {directory: two, target: two}
        """);
    ledger = new LedgerLocation.SqliteFile(directory.resolve("state").resolve("coupons.db"));
  }

  @Test
  void throttlesOwesSurvivesARestartAndGivesBack() throws Exception {
    LedgerSummary.Application owed;
    try (Gateway gateway = Gateway.start(file);
        SynchronousJob alpha = new SynchronousJob(gateway, "11", caller, "/one");
        SynchronousJob beta = new SynchronousJob(gateway, "21", caller, "/one", "/two")) {
      until(() -> alpha().couponsIssued() >= 2, "coupons for who is slowed down");
      long alphaBefore = alpha.bytesOnEachTarget();
      long betaBefore = beta.bytesOnEachTarget();
      Thread.sleep(5_000);
      double alphaMoved = (double) (alpha.bytesOnEachTarget() - alphaBefore);
      double betaMoved = (double) (beta.bytesOnEachTarget() - betaBefore);
      assertThat(betaMoved / alphaMoved)
          .as("65 of 100 beside 35; a fair share would be the same for both")
          .isGreaterThan(1.25);
      assertThat(ask("explain", "11"))
          .contains("70.00 % of the fair rate, with a coupon for the rest")
          .contains("optimum of the linear program by simplex");
      gateway.stop();
    }
    owed = alpha();
    assertThat(owed.owedTokens()).isPositive().isEqualTo(owed.issuedTokens());
    assertThat(ask("coupons")).contains("alpha@alice");

    try (Gateway gateway = Gateway.start(file);
        SynchronousJob _ = new SynchronousJob(gateway, "12", caller, "/one");
        SynchronousJob _ = new SynchronousJob(gateway, "21", caller, "/one", "/two");
        SynchronousJob _ = new SynchronousJob(gateway, "31", caller, "/one");
        SynchronousJob _ = new SynchronousJob(gateway, "41", caller, "/two");
        SynchronousJob _ = new SynchronousJob(gateway, "42", caller, "/two");
        SynchronousJob _ = new SynchronousJob(gateway, "43", caller, "/two")) {
      until(() -> alpha().redeemedTokens() > 0, "another run of it gets back what it is owed");
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
        SynchronousJob _ = new SynchronousJob(gateway, "11", caller, "/one");
        SynchronousJob _ = new SynchronousJob(gateway, "21", caller, "/one", "/two")) {
      until(
          () ->
              ask("explain", "11")
                  .contains(
                      "max-min fill, because broken did not solve the linear program"
                          + " (its library is missing)"),
          "an explanation that says so");
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
        SynchronousJob _ = new SynchronousJob(gateway, "11", caller, "/one");
        SynchronousJob beta = new SynchronousJob(gateway, "21", caller, "/one", "/two")) {
      until(
          () -> ask("explain", "11").contains("may move at the fair rate"),
          "a decision although the ledger cannot be read");
      assertThat(ask("explain", "11"))
          .contains("it is of version 9, and this Sluice knows versions up to 1")
          .contains("so nothing is owed or redeemed, and fair shares hold");
      assertThat(ask("status")).contains("fair shares hold until it is back");
      long before = beta.bytesOnEachTarget();
      until(() -> beta.bytesOnEachTarget() > before, "I/O that goes on");
    }
  }

  private LedgerSummary.Application alpha() {
    return CouponBooks.summary(ledger).applications().stream()
        .filter(application -> application.name().equals("alpha@alice"))
        .findFirst()
        .orElse(new LedgerSummary.Application("alpha@alice", 0, 0, 0, 0, 0, 0, 0, 0));
  }

  private String ask(String... words) {
    String[] call = new String[words.length + 2];
    System.arraycopy(words, 0, call, 0, words.length);
    call[words.length] = "-c";
    call[words.length + 1] = file.toString();
    Cli cli = Cli.run(call);
    return cli.out() + cli.err();
  }

  private static void until(Callable<Boolean> holds, String what) throws Exception {
    long endNanos = System.nanoTime() + PATIENCE_NANOS;
    while (!holds.call()) {
      assertThat(System.nanoTime()).as("no %s", what).isLessThan(endNanos);
      Thread.sleep(100);
    }
  }
}
