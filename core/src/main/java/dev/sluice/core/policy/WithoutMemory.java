package dev.sluice.core.policy;

import java.util.List;

/** Explains a decision that was taken without what its policy remembers. */
record WithoutMemory(String reason, Explanation decision) implements Explanation {
  @Override
  public String summary() {
    return reason + "; so nothing is owed or redeemed, and fair shares hold: " + decision.summary();
  }

  @Override
  public List<Reason> reasons() {
    return decision.reasons();
  }
}
