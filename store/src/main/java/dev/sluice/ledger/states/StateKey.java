package dev.sluice.ledger.states;

/**
 * Whose state it is.
 *
 * @param policy the policy's name
 * @param about the target that it treats alone, or {@link #ALL_TARGETS}
 */
public record StateKey(String policy, String about) {
  /** For a policy that decides about all targets together: they may come and go. */
  public static final String ALL_TARGETS = "all targets";

  /** As one says it. */
  @Override
  public String toString() {
    return policy + " (" + about + ")";
  }
}
