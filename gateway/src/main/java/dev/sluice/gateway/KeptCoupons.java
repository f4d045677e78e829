package dev.sluice.gateway;

import dev.sluice.core.policy.Cluster;
import dev.sluice.core.policy.Policy;
import dev.sluice.core.policy.PolicyControl;
import dev.sluice.core.policy.PolicyFactory;
import dev.sluice.core.policy.Settings;
import dev.sluice.core.policy.gift.Gift;
import dev.sluice.core.policy.registry.PolicyRegistry;
import dev.sluice.gateway.control.PolicyControls;
import dev.sluice.ledger.CouponBooks;
import java.util.Locale;
import java.util.Map;

/**
 * Puts policies to work; GIFT with its coupons in a ledger. While the ledger cannot be read or
 * written, fair shares hold, which throttle nobody and owe nothing.
 */
public record KeptCoupons(CouponBooks books, PolicyRegistry policies) implements PolicyControls {
  private static final String FAIR_SHARES = "bsip";

  @Override
  public PolicyControl<?> control(Policy<?> policy, Cluster cluster) {
    return policy instanceof Gift gift
        ? PolicyControl.remembering(gift, books.memory(gift, cluster), fairShares(gift), cluster)
        : PolicyControl.of(policy, cluster);
  }

  private Policy<?> fairShares(Gift gift) {
    PolicyFactory factory = policies.policy(FAIR_SHARES);
    String claim = gift.settings().claim().name().toLowerCase(Locale.ROOT);
    return factory.create(new Settings(factory.info(), Map.of("weights", claim)));
  }
}
