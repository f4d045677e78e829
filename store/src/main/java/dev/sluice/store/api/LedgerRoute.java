package dev.sluice.store.api;

import dev.sluice.access.Role;
import dev.sluice.ledger.CouponBooks;
import dev.sluice.ledger.LedgerException;
import dev.sluice.ledger.LedgerLocation;
import dev.sluice.web.server.HttpMethod;
import dev.sluice.web.server.RefusedException;
import dev.sluice.web.server.Routes;
import dev.sluice.web.server.WebAnswer;

/** Who is owed what under GIFT, over HTTP. */
public final class LedgerRoute {
  private final LedgerLocation where;

  public LedgerRoute(LedgerLocation where) {
    this.where = where;
  }

  /** Adds it. */
  public void addTo(Routes routes) {
    routes.add(HttpMethod.GET, "/api/v1/ledger", Role.READ, _ -> books());
  }

  private WebAnswer books() {
    try {
      return WebAnswer.json(LedgerJson.text(where, CouponBooks.summary(where)));
    } catch (LedgerException e) {
      throw new RefusedException(503, String.valueOf(e.getMessage()));
    }
  }
}
