package dev.sluice.core.policy.gift;

import dev.sluice.core.policy.progress.JobsOnTargets;
import dev.sluice.core.policy.progress.ProgressExplanation.CouponFigures;

/** What a decision had to do with coupons. */
final class GiftFigures implements CouponFigures {
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
}
