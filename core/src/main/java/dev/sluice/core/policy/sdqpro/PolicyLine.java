package dev.sluice.core.policy.sdqpro;

import dev.sluice.core.model.Quantities;
import org.jspecify.annotations.Nullable;

/**
 * What an administrator said about an application.
 *
 * @param rate the bandwidth it is to have, whatever it asks for; null for what it asks for
 * @param borrow whether it may borrow tokens from its buckets on other servers
 * @param threshold it borrows no more once this part of what it requires is met
 */
record PolicyLine(Quantities.@Nullable CountedRate rate, boolean borrow, double threshold) {
  /** Nobody said anything. */
  static final PolicyLine SILENT = new PolicyLine(null, true, 1);

  PolicyLine withRate(Quantities.CountedRate given) {
    return new PolicyLine(given, borrow, threshold);
  }

  PolicyLine withBorrow(boolean given) {
    return new PolicyLine(rate, given, threshold);
  }

  PolicyLine withThreshold(double given) {
    return new PolicyLine(rate, borrow, given);
  }
}
