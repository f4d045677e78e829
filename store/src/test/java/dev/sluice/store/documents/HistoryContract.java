package dev.sluice.store.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.document.DocumentException;
import dev.sluice.ledger.LedgerLocation;
import dev.sluice.store.documents.DocumentHistory.Outcome;
import dev.sluice.store.documents.DocumentHistory.Wish;
import dev.sluice.testkit.Eventually;
import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What holds for a history in any database. */
abstract class HistoryContract {
  /** A place where there is no history yet. */
  abstract LedgerLocation freshLocation() throws Exception;

  private static String rate(long rate) {
    return "limits: [{name: a, user: anna, rates: {open: " + rate + " ops/s}}]\n";
  }

  private static Wish wish(String content, @Nullable Long onVersion, boolean dryRun) {
    return new Wish(content, "admin", "because", onVersion, dryRun);
  }

  @Test
  void remembersWhoChangedWhatWhen() throws Exception {
    LedgerLocation where = freshLocation();
    try (DocumentHistory history = new DocumentHistory(where)) {
      assertThat(history.current()).isEmpty();
      assertThat(history.newest().version()).isZero();
      assertThat(history.apply(wish(rate(10), null, false), 1_000))
          .isInstanceOf(Outcome.Changed.class);
      assertThat(history.apply(wish(rate(20), 1L, false), 2_000))
          .isEqualTo(
              new Outcome.Changed(
                  2,
                  PolicyDocumentReader.read("d", rate(10)),
                  PolicyDocumentReader.read("d", rate(20)),
                  List.of("limit a: open 10 ops/s → 20 ops/s")));
    }
    try (DocumentHistory history = new DocumentHistory(where)) {
      assertThat(history.last(10))
          .containsExactly(
              new DocumentVersion(
                  2,
                  2_000,
                  "admin",
                  "because",
                  null,
                  List.of("limit a: open 10 ops/s → 20 ops/s"),
                  rate(20)),
              new DocumentVersion(
                  1,
                  1_000,
                  "admin",
                  "because",
                  null,
                  List.of("limit a: new: each user anna: open 10 ops/s, hard, always"),
                  rate(10)));
      assertThat(history.last(1)).hasSize(1);
      assertThat(history.version(3)).isEmpty();
    }
  }

  @Test
  void goesBackByGoingOn() throws Exception {
    try (DocumentHistory history = new DocumentHistory(freshLocation())) {
      history.apply(wish(rate(10), null, false), 1);
      history.apply(wish(rate(20), null, false), 2);
      assertThat(history.restore(1, "anna", "", null, false, 3))
          .isInstanceOfSatisfying(
              Outcome.Changed.class, changed -> assertThat(changed.version()).isEqualTo(3));
      DocumentVersion current = history.current().orElseThrow();
      assertThat(current.content()).isEqualTo(rate(10));
      assertThat(current.restores()).isEqualTo(1L);
      assertThat(current.changes()).containsExactly("limit a: open 20 ops/s → 10 ops/s");
      assertThatThrownBy(() -> history.restore(9, "anna", "", null, false, 4))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("there is no version 9");
    }
  }

  @Test
  void whatIsOnlyTriedOrBadOrTooLateChangesNothing() throws Exception {
    try (DocumentHistory history = new DocumentHistory(freshLocation())) {
      history.apply(wish(rate(10), null, false), 1);
      assertThat(history.apply(wish(rate(20), null, true), 2)).isInstanceOf(Outcome.Changed.class);
      assertThat(history.apply(wish(rate(20), 7L, false), 2)).isEqualTo(new Outcome.Conflict(7, 1));
      assertThat(history.apply(wish(rate(10), null, false), 2)).isEqualTo(new Outcome.Same(1));
      assertThatThrownBy(() -> history.apply(wish("limits: 5", null, false), 2))
          .isInstanceOf(DocumentException.class)
          .hasMessage("document:1:9: limits: \"5\": expected a list");
      assertThat(history.newest().version()).isEqualTo(1);
    }
  }

  @Test
  void manyWhoApplyAtOnceAllGetTheirTurn() throws Exception {
    LedgerLocation where = freshLocation();
    int controllers = 3;
    int each = 4;
    try (ExecutorService threads = Executors.newFixedThreadPool(controllers)) {
      List<Future<?>> done = new ArrayList<>();
      for (int controller = 0; controller < controllers; controller++) {
        int first = 1 + controller * each;
        done.add(
            threads.submit(() -> {
              try (DocumentHistory history = new DocumentHistory(where)) {
                for (int i = 0; i < each; i++) {
                  history.apply(wish(rate(first + i), null, false), first + i);
                }
              }
            }));
      }
      for (Future<?> one : done) {
        one.get();
      }
    }
    try (DocumentHistory history = new DocumentHistory(where)) {
      List<DocumentVersion> all = history.last(100);
      assertThat(all).extracting(DocumentVersion::version).hasSize(controllers * each);
      assertThat(all).extracting(DocumentVersion::content).doesNotHaveDuplicates();
      assertThat(all.getFirst().version()).isEqualTo((long) controllers * each);
    }
  }

  @Test
  void anotherControllerSeesItWithinAShortTime() throws Exception {
    LedgerLocation where = freshLocation();
    try (DocumentHistory here = new DocumentHistory(where);
        DocumentHistory there = new DocumentHistory(where);
        CurrentDocument current = new CurrentDocument(there)) {
      assertThat(current.held().document()).isEqualTo(PolicyDocument.EMPTY);
      here.apply(wish(rate(10), null, false), 1);
      Eventually.await("it is seen", () -> current.held().version() != 0);
      assertThat(current.held())
          .isEqualTo(new CurrentDocument.Held(1, PolicyDocumentReader.read("d", rate(10))));
      assertThat(current.trouble()).isNull();
    }
  }

  @Test
  void aNumberThatIsGivenAgainAfterItWasForgottenIsAnotherDocument() throws Exception {
    LedgerLocation where = freshLocation();
    try (DocumentHistory here = new DocumentHistory(where);
        DocumentHistory there = new DocumentHistory(where);
        CurrentDocument current = new CurrentDocument(there)) {
      here.apply(wish(rate(10), null, false), 1);
      Eventually.await("it is seen", () -> current.held().version() == 1);
      // As after a failover to a copy that lags.
      try (Connection connection = where.connect();
          Statement statement = connection.createStatement()) {
        statement.executeUpdate("DELETE FROM sluice_document");
      }
      here.apply(wish(rate(20), null, false), 2);
      PolicyDocument next = PolicyDocumentReader.read("d", rate(20));
      Eventually.await("the other is seen", () -> current.held().document().equals(next));
      assertThat(current.held().version()).isEqualTo(1);
    }
  }
}
