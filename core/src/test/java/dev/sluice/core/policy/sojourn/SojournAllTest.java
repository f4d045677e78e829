package dev.sluice.core.policy.sojourn;

import dev.sluice.core.policy.AllTargetsPolicyContract;
import dev.sluice.core.policy.PolicyFactory;

class SojournAllTest extends AllTargetsPolicyContract {
  @Override
  protected PolicyFactory factory() {
    return new SojournAllFactory();
  }
}
