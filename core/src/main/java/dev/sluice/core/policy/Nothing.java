package dev.sluice.core.policy;

/** What a policy remembers that decides by what it sees alone. */
public enum Nothing {
  REMEMBERED
}
