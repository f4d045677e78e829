package dev.sluice.lustre.tbf;

/** A rule as it should be. */
public record WantedRule(String name, JobPattern pattern, long rate) {}
