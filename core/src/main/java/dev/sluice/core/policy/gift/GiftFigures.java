package dev.sluice.core.policy.gift;

import dev.sluice.core.policy.progress.JobsOnTargets;
import dev.sluice.core.policy.progress.ProgressExplanation.CouponFigures;
import java.util.Map;

/** What a decision had to do with coupons. */
public final class GiftFigures implements CouponFigures {
  /** Paid out in this decision. */
  public static final String AWARDED_NODE_SECONDS = "awarded-node-seconds";

  /** All that were ever issued. */
  public static final String COUPONS_ISSUED = "coupons-issued";

  /** What would have to be paid if nothing of what is owed were ever redeemed. */
  public static final String OWED_NODE_SECONDS = "owed-node-seconds";

  private final JobsOnTargets on;
  private final Redemption redemption;
  private final double[] rates;
  private final GiftState after;

  GiftFigures(JobsOnTargets on, Redemption redemption, double[] rates, GiftState after) {
    this.on = on;
    this.redemption = redemption;
    this.rates = rates;
    this.after = after;
  }

  @Override
  public long redeemedTokens(int job) {
    return redemption.tokens(job);
  }

  @Override
  public long issuedTokens(int job) {
    return Worth.tokens(on, job, redemption.fair()[job] - rates[job]);
  }

  @Override
  public long owedTokens(int job) {
    return after.ledger().account(on.application(job)).owedTokens();
  }

  @Override
  public Map<String, Number> amounts() {
    long awarded = 0;
    for (LedgerEvent event : after.events()) {
      awarded += event instanceof LedgerEvent.Awarded award ? award.nodeSeconds() : 0;
    }
    return Map.of(AWARDED_NODE_SECONDS, awarded);
  }

  @Override
  public Map<String, Number> levels() {
    return Map.of(
        COUPONS_ISSUED,
        after.ledger().couponsIssued(),
        OWED_NODE_SECONDS,
        after.ledger().regretNodeSeconds());
  }
}
