package dev.sluice.core.policy.gift;

import dev.sluice.core.linear.PackingSolver;
import dev.sluice.core.policy.progress.Expansion;
import dev.sluice.core.policy.progress.Expansion.Objective;
import dev.sluice.core.policy.progress.JobsOnTargets;

/** Who is throttled and who gets more: the rates of a decision, and how they were found. */
final class Throttling {
  /** The rounding of doubles must not decide whether a gain is worth its coupons. */
  private static final double ROUNDING = 1e-9;

  private final double[] rates;
  private final String how;

  private Throttling(double[] rates, String how) {
    this.rates = rates;
    this.how = how;
  }

  /** The rates after redemption. Who redeems now is not throttled: one would pay the other. */
  static Throttling of(
      JobsOnTargets on,
      Redemption redemption,
      DecisionBooks books,
      GiftSettings settings,
      PackingSolver solver) {
    double[] safe = redemption.safe();
    double[] floors = safe.clone();
    String against = books.reasonAgainstThrottling();
    for (int i = 0; i < floors.length; i++) {
      if (against.isEmpty()
          && redemption.tokens(i) == 0
          && books.mayBeThrottled(on.application(i))) {
        floors[i] = (1 - settings.throttlePart()) * redemption.fair()[i];
      }
    }
    Expansion expansion = Expansion.of(on, safe, floors, settings.objective(), solver);
    String how = expansion.how();
    if (!isWorthItsCoupons(on, safe, expansion.rates())) {
      // Counting what is taken twice, the gain cannot fall below the coupons.
      expansion = Expansion.of(on, safe, floors, Objective.NET, solver);
      how = expansion.how() + ", of gain less coupons, because the gain alone is not worth them";
    }
    return new Throttling(
        expansion.rates(),
        against.isEmpty() ? how : how + "; nobody is throttled, because " + against);
  }

  /** Constraint (3) of the paper: what is regained is worth at least the coupons. */
  private static boolean isWorthItsCoupons(JobsOnTargets on, double[] safe, double[] rates) {
    double gain = on.effective(rates) - on.effective(safe);
    double coupons = 0;
    for (int i = 0; i < rates.length; i++) {
      coupons += on.processes(i) * Math.max(0, safe[i] - rates[i]);
    }
    return gain + ROUNDING * on.usable() >= coupons;
  }

  double[] rates() {
    return rates;
  }

  String how() {
    return how;
  }
}
