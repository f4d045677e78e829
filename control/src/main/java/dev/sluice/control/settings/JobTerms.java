package dev.sluice.control.settings;

import java.util.OptionalLong;

/**
 * On what terms a job has its part of a resource.
 *
 * @param demandPerSecond the rate it may count on when all are busy; empty for a part by priority
 * @param priority its weight among the others
 */
public record JobTerms(OptionalLong demandPerSecond, long priority) {
  public static final JobTerms DEFAULT = new JobTerms(OptionalLong.empty(), 1);
}
