package dev.sluice.core.policy.gift;

import dev.sluice.core.policy.StateCodec;
import dev.sluice.core.policy.progress.ShareBasis;
import java.util.List;

/**
 * Of a policy that owes somebody something: coupons must be in the books before a decision about
 * them is carried out, and be there once. So it is kept not now and then, but with each decision,
 * by its entries, where there is a ledger; and fair shares hold while that fails.
 *
 * @param <S> what the policy remembers
 */
public interface CouponCodec<S> extends StateCodec<S> {
  /** The books of a state. */
  CouponLedger books(S state);

  /** What the decision that led to this state has entered, in order. */
  List<LedgerEvent> entries(S state);

  /** Books as they were found, before the first decision with them. */
  S restored(CouponLedger books);

  /** How much compute time may be paid out in a regret period. */
  long regretBudgetNodeSeconds();

  /** By what targets are shared fairly. */
  ShareBasis claim();
}
