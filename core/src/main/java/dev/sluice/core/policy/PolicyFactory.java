package dev.sluice.core.policy;

/** How a policy comes into being; what the registry lists. */
public interface PolicyFactory {
  PolicyInfo info();

  /** The policy with these settings; throws {@link IllegalArgumentException} for a bad value. */
  Policy<?> create(Settings settings);
}
