package dev.sluice.gateway.control;

import dev.sluice.core.policy.Cluster;
import dev.sluice.core.policy.Policy;
import dev.sluice.core.policy.PolicyControl;

/** Puts policies to work, each with the memory that it is to have. */
@FunctionalInterface
public interface PolicyControls {
  /** Whatever a policy remembers is forgotten when it no longer decides. */
  PolicyControls FORGETFUL = PolicyControl::of;

  PolicyControl<?> control(Policy<?> policy, Cluster cluster);
}
