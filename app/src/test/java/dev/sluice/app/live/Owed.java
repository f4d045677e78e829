package dev.sluice.app.live;

import dev.sluice.ledger.CouponBooks;
import dev.sluice.ledger.LedgerLocation;
import dev.sluice.ledger.LedgerSummary;

/** What the books say of one application. */
final class Owed {
  private Owed() {}

  /** Everything is 0 of an application that is not in the books. */
  static LedgerSummary.Application to(String application, LedgerLocation ledger) {
    return CouponBooks.summary(ledger).applications().stream()
        .filter(each -> each.name().equals(application))
        .findFirst()
        .orElse(new LedgerSummary.Application(application, 0, 0, 0, 0, 0, 0, 0, 0));
  }
}
