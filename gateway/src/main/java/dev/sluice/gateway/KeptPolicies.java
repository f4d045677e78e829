package dev.sluice.gateway;

import dev.sluice.core.policy.Cluster;
import dev.sluice.core.policy.Policy;
import dev.sluice.core.policy.PolicyControl;
import dev.sluice.core.policy.PolicyFactory;
import dev.sluice.core.policy.PolicyInfo;
import dev.sluice.core.policy.Settings;
import dev.sluice.core.policy.StateCodec;
import dev.sluice.core.policy.gift.CouponCodec;
import dev.sluice.core.policy.registry.PolicyRegistry;
import dev.sluice.gateway.control.PolicyControls;
import dev.sluice.ledger.CouponBooks;
import dev.sluice.ledger.states.StateKeeper;
import dev.sluice.ledger.states.StateKey;
import java.util.Locale;
import java.util.Map;

/**
 * Puts policies to work, each with what it remembered before the last restart, as it declares it:
 * most of them what was kept about a second before they ended, and those that owe coupons their
 * books with every single decision. While the ledger cannot be read or written, fair shares hold,
 * which throttle nobody and owe nothing.
 *
 * @param books where coupons are
 * @param states where everything else is
 */
public record KeptPolicies(CouponBooks books, StateKeeper states, PolicyRegistry policies)
    implements PolicyControls {
  private static final String FAIR_SHARES = "bsip";

  @Override
  public PolicyControl<?> control(Policy<?> policy, Cluster cluster) {
    return remembering(policy, cluster);
  }

  private <S> PolicyControl<S> remembering(Policy<S> policy, Cluster cluster) {
    StateCodec<S> codec = policy.codec();
    if (codec == null) {
      return PolicyControl.of(policy, cluster);
    }
    if (codec instanceof CouponCodec<S> coupons) {
      return PolicyControl.remembering(policy, books.memory(coupons), fairShares(coupons), cluster);
    }
    return PolicyControl.remembering(
        policy, states.memory(key(codec, cluster), policy, codec, cluster), cluster);
  }

  private StateKey key(StateCodec<?> codec, Cluster cluster) {
    PolicyInfo info = policies.policy(codec.name()).info();
    return new StateKey(
        info.name(),
        switch (info.scope()) {
          case EACH_TARGET_ALONE -> cluster.only().name();
          case ALL_TARGETS -> StateKey.ALL_TARGETS;
        });
  }

  private Policy<?> fairShares(CouponCodec<?> coupons) {
    PolicyFactory factory = policies.policy(FAIR_SHARES);
    String claim = coupons.claim().name().toLowerCase(Locale.ROOT);
    return factory.create(new Settings(factory.info(), Map.of("weights", claim)));
  }
}
