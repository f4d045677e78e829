package dev.sluice.core.policy;

/** The outcome of one decision: what to remember, what to apply, and why. */
public record Step<S>(S next, Allocation allocation, Explanation explanation) {}
