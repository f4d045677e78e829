package dev.sluice.papers.padll;

import java.util.Arrays;

/**
 * A job that replays its part of the load from the second in which it enters. What it may not
 * submit at once it submits later; it ends when it has submitted all.
 */
final class ReplayedJob {
  private final LoadCurve curve;
  private final double load;
  private final int entersAtSecond;
  private long[] served = new long[LoadCurve.SECONDS];
  private long backlog;
  private long lastServed;
  private int endsAtSecond = -1;

  ReplayedJob(LoadCurve curve, double load, int entersAtSecond) {
    this.curve = curve;
    this.load = load;
    this.entersAtSecond = entersAtSecond;
  }

  boolean isThere(int second) {
    return second >= entersAtSecond && endsAtSecond < 0;
  }

  boolean hasEnded() {
    return endsAtSecond >= 0;
  }

  /** Replays a second, in which it may submit so many operations. */
  void replay(int second, long mostOperations) {
    int own = second - entersAtSecond;
    backlog += curve.operations(load, own);
    lastServed = Math.min(backlog, mostOperations);
    backlog -= lastServed;
    if (second >= served.length) {
      served = Arrays.copyOf(served, 2 * second);
    }
    served[second] = lastServed;
    if (own >= LoadCurve.SECONDS - 1 && backlog == 0) {
      endsAtSecond = second + 1;
    }
  }

  /** What it submitted in the last second: its usage. */
  long lastServed() {
    return lastServed;
  }

  /** What it submitted in a second. */
  long served(int second) {
    return second < served.length ? served[second] : 0;
  }

  /** When it ended, in minutes after the first job entered. */
  double endMinutes() {
    return endsAtSecond / 60.0;
  }

  /** How long it was there, in minutes. */
  double minutes() {
    return (endsAtSecond - entersAtSecond) / 60.0;
  }
}
