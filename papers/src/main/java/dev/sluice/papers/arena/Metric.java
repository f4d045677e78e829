package dev.sluice.papers.arena;

import dev.sluice.papers.Notation;

/**
 * What a contest is judged by.
 *
 * @param name as the paper calls it
 * @param lessIsBetter whether the smallest wins
 */
public record Metric(String name, Notation notation, boolean lessIsBetter) {
  /** Whether a value is better than another. */
  boolean isBetter(double value, double than) {
    return lessIsBetter ? value < than : value > than;
  }
}
