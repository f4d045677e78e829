package dev.sluice.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.policy.Cluster;
import dev.sluice.core.policy.Memory;
import dev.sluice.core.policy.gift.CouponLedger;
import dev.sluice.core.policy.gift.GiftState;
import dev.sluice.core.policy.gift.LedgerEvent;
import dev.sluice.testkit.SeededCases;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** What holds for books in any database. */
abstract class LedgerContract {
  /** A place where there are no books yet. */
  abstract LedgerLocation freshLocation() throws Exception;

  /** How many random cases a database of this kind is quick enough for. */
  abstract int cases();

  static Memory<GiftState> memory(CouponBooks books) {
    return books.memory(RandomDecisions.GIFT.codec());
  }

  /** Takes so many decisions, and answers the books after them. */
  static CouponLedger decide(CouponBooks books, int decisions, RandomGenerator random) {
    RandomDecisions source = new RandomDecisions(random);
    Memory<GiftState> memory = memory(books);
    for (int i = 0; i < decisions; i++) {
      GiftState before = memory.current(RandomDecisions.BYTES);
      memory.keep(before, source.next(before));
    }
    return memory.current(RandomDecisions.BYTES).ledger();
  }

  @Test
  void whatWasKeptIsThereAgainAndAddsUp() {
    SeededCases.forAll(
        cases(),
        random -> {
          LedgerLocation where = freshLocation();
          RandomDecisions source = new RandomDecisions(random);
          Map<String, long[]> sums = new HashMap<>();
          long[] awarded = {0};
          CouponBooks books = new CouponBooks(where);
          for (int i = 0; i < 30; i++) {
            GiftState before = memory(books).current(RandomDecisions.BYTES);
            GiftState next = source.next(before);
            memory(books).keep(before, next);
            next.events().forEach(event -> count(event, sums, awarded));
            if (random.nextInt(5) == 0) {
              books.close();
              books = new CouponBooks(where);
            }
            assertThat(memory(books).current(RandomDecisions.BYTES).ledger())
                .isEqualTo(next.ledger());
          }
          CouponLedger ledger = memory(books).current(RandomDecisions.BYTES).ledger();
          books.close();
          LedgerSummary summary = CouponBooks.summary(where);
          assertThat(summary.couponsIssued()).isEqualTo(ledger.couponsIssued());
          assertThat(summary.regretNodeSeconds()).isEqualTo(ledger.regretNodeSeconds());
          assertThat(summary.regretBudgetNodeSeconds())
              .isEqualTo(RandomDecisions.BUDGET_NODE_SECONDS);
          assertThat(summary.applications()).hasSize(sums.size());
          long due = 0;
          for (LedgerSummary.Application told : summary.applications()) {
            assertThat(new long[] {told.issuedTokens(), told.redeemedTokens()})
                .isEqualTo(sums.get(told.name()));
            due += told.dueNodeSeconds();
          }
          assertThat(due).isEqualTo(awarded[0]);
        });
  }

  private static void count(LedgerEvent event, Map<String, long[]> sums, long[] awarded) {
    switch (event) {
      case LedgerEvent.Issued issued ->
          sums.computeIfAbsent(issued.coupon().application().toString(), _ -> new long[2])[0] +=
              issued.coupon().worthTokens();
      case LedgerEvent.Redeemed redeemed ->
          sums.computeIfAbsent(redeemed.application().toString(), _ -> new long[2])[1] +=
              redeemed.tokens();
      case LedgerEvent.Awarded award -> awarded[0] += award.nodeSeconds();
      default -> {}
    }
  }

  /** The theorem of {@link CouponBooks}, with a failure at every step there is. */
  @Test
  void aDatabaseThatGoesAwayAtAnyStepLosesNothingAndKeepsNothingThatWasRefused() {
    SeededCases.forAll(
        cases(),
        random -> {
          LedgerLocation where = freshLocation();
          FaultyConnections source = new FaultyConnections(where::connect);
          RandomDecisions decisions = new RandomDecisions(random);
          CouponLedger expected = CouponLedger.EMPTY;
          int failures = 0;
          try (CouponBooks books = new CouponBooks(where, source)) {
            for (int i = 0; i < 60; i++) {
              if (random.nextInt(3) > 0) {
                source.goAwayAt(random.nextInt(12), random.nextBoolean());
              }
              try {
                GiftState before = memory(books).current(RandomDecisions.BYTES);
                assertThat(before.ledger()).isEqualTo(expected);
                GiftState next = decisions.next(before);
                memory(books).keep(before, next);
                expected = next.ledger();
              } catch (LedgerException e) {
                failures++;
                assertThat(e).hasMessageStartingWith("ledger " + where + ": ");
              }
              if (random.nextBoolean()) {
                source.comeBack();
              }
            }
            source.comeBack();
            assertThat(memory(books).current(RandomDecisions.BYTES).ledger()).isEqualTo(expected);
          }
          assertThat(failures).isPositive();
          try (CouponBooks books = new CouponBooks(where)) {
            assertThat(memory(books).current(RandomDecisions.BYTES).ledger()).isEqualTo(expected);
          }
        });
  }

  @Test
  void twoWhoWriteTheSameBooksCannotSpoilThem() throws Exception {
    LedgerLocation where = freshLocation();
    RandomGenerator random = new SplittableRandom(1);
    RandomDecisions source = new RandomDecisions(random);
    try (CouponBooks one = new CouponBooks(where);
        CouponBooks other = new CouponBooks(where)) {
      CouponLedger expected = decide(one, 5, random);
      int refused = 0;
      for (int i = 0; i < 60; i++) {
        CouponBooks books = random.nextBoolean() ? one : other;
        GiftState before = memory(books).current(RandomDecisions.BYTES);
        GiftState next = source.next(before);
        try {
          memory(books).keep(before, next);
          expected = next.events().isEmpty() ? expected : next.ledger();
        } catch (LedgerException e) {
          refused++;
          assertThat(e).hasMessageContaining("somebody else writes it, too");
        }
      }
      assertThat(refused).isPositive();
      try (CouponBooks third = new CouponBooks(where)) {
        assertThat(memory(third).current(RandomDecisions.BYTES).ledger()).isEqualTo(expected);
      }
    }
  }

  @Test
  void aDecisionThatWasOvertakenIsNotKept() throws Exception {
    try (CouponBooks books = new CouponBooks(freshLocation())) {
      RandomDecisions source = new RandomDecisions(new SplittableRandom(2));
      GiftState before = memory(books).current(RandomDecisions.BYTES);
      GiftState first = source.next(before);
      memory(books).keep(before, first);
      assertThatThrownBy(() -> memory(books).keep(before, source.next(before)))
          .isInstanceOf(LedgerException.class)
          .hasMessageContaining("changed while this was decided");
      assertThat(memory(books).current(RandomDecisions.BYTES).ledger()).isEqualTo(first.ledger());
    }
  }

  @Test
  void aNewerVersionIsRefusedAndLeftAlone() throws Exception {
    LedgerLocation where = freshLocation();
    CouponLedger expected;
    try (CouponBooks books = new CouponBooks(where)) {
      expected = decide(books, 20, new SplittableRandom(3));
    }
    execute(where, "INSERT INTO sluice_migration VALUES (7, 'of tomorrow')");
    try (CouponBooks books = new CouponBooks(where)) {
      assertThatThrownBy(() -> memory(books).current(RandomDecisions.BYTES))
          .isInstanceOf(LedgerException.class)
          .hasMessageContaining("it is of version 7, and this Sluice knows versions up to 1")
          .hasMessageContaining("use the newer Sluice");
      assertThatThrownBy(() -> CouponBooks.summary(where)).isInstanceOf(LedgerException.class);
      execute(where, "DELETE FROM sluice_migration WHERE version = 7");
      assertThat(memory(books).current(RandomDecisions.BYTES).ledger()).isEqualTo(expected);
    }
  }

  @Test
  void booksThatContradictThemselvesAreRefused() throws Exception {
    LedgerLocation where = freshLocation();
    try (CouponBooks books = new CouponBooks(where)) {
      decide(books, 20, new SplittableRandom(4));
    }
    execute(where, "UPDATE sluice_coupon SET redeemed_tokens = worth_tokens");
    try (CouponBooks books = new CouponBooks(where)) {
      assertThatThrownBy(() -> memory(books).current(RandomDecisions.BYTES))
          .isInstanceOf(LedgerException.class)
          .hasMessageContaining("holds");
    }
  }

  @Test
  void booksOfOperationsAreNotThoseOfBytes() throws Exception {
    try (CouponBooks books = new CouponBooks(freshLocation())) {
      decide(books, 5, new SplittableRandom(5));
      Cluster operations = new Cluster(List.of(new Target("t", 1_000, TokenUnit.OPERATIONS)));
      assertThatThrownBy(() -> books.memory(RandomDecisions.GIFT.codec()).current(operations))
          .isInstanceOf(LedgerException.class)
          .hasMessageContaining("it counts bytes, and the targets count operations");
    }
  }

  @Test
  void whatIsDueIsHandedOutOnce() throws Exception {
    LedgerLocation where = freshLocation();
    try (CouponBooks books = new CouponBooks(where)) {
      CouponLedger ledger = decide(books, 100, new SplittableRandom(6));
      List<LedgerSummary.Application> due =
          CouponBooks.summary(where).applications().stream()
              .filter(application -> application.dueNodeSeconds() > 0)
              .toList();
      assertThat(due.size()).isGreaterThan(1);
      LedgerSummary.Application first = due.getFirst();
      assertThat(sum(CouponBooks.handOut(where, first.name(), 5)))
          .isEqualTo(first.dueNodeSeconds());
      assertThat(CouponBooks.handOut(where, first.name(), 6)).isEmpty();
      List<Award> rest = CouponBooks.handOut(where, null, 7);
      assertThat(sum(rest))
          .isEqualTo(
              due.stream().mapToLong(LedgerSummary.Application::dueNodeSeconds).sum()
                  - first.dueNodeSeconds());
      assertThat(CouponBooks.handOut(where, null, 8)).isEmpty();
      for (LedgerSummary.Application told : CouponBooks.summary(where).applications()) {
        assertThat(told.dueNodeSeconds()).isZero();
      }
      assertThat(memory(books).current(RandomDecisions.BYTES).ledger()).isEqualTo(ledger);
      decide(books, 5, new SplittableRandom(7));
    }
  }

  private static long sum(List<Award> awards) {
    return awards.stream().mapToLong(Award::nodeSeconds).sum();
  }

  static void execute(LedgerLocation where, String sql) throws SQLException {
    try (Connection connection = where.connect();
        Statement statement = connection.createStatement()) {
      statement.executeUpdate(sql);
    }
  }
}
