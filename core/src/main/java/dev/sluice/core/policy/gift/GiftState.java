package dev.sluice.core.policy.gift;

import java.util.List;

/**
 * What GIFT remembers: its books, and nothing else that a later decision depends on. Immutable.
 *
 * @param events what the last decision entered into the books, in order. Whoever keeps the books
 *     outside writes these down before the decision is carried out, and restores them with {@link
 *     CouponLedger#with}.
 */
public record GiftState(CouponLedger ledger, long decisions, List<LedgerEvent> events) {
  public GiftState {
    events = List.copyOf(events);
  }

  /** Books as they were found, before the first decision with them. */
  public static GiftState restored(CouponLedger ledger) {
    return new GiftState(ledger, 0, List.of());
  }
}
