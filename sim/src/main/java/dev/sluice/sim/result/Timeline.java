package dev.sluice.sim.result;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A quantity over time in samples of equal width, with a bound on their number: when there are too
 * many, the width doubles and neighbours are merged.
 */
public final class Timeline {
  /** Enough for two minutes in tenths of a second, and for any picture. */
  public static final int SAMPLES_MAX = 4_096;

  /** How two neighbouring samples become one. */
  public enum Merge {
    /** Amounts: bytes served. */
    SUM,
    /** Levels: a record, a queue. */
    LAST
  }

  private final Merge merge;
  private long widthNanos;

  /** Few at first: a million jobs have one each. */
  private double[] values = new double[4];

  private int size;

  public Timeline(long widthNanos, Merge merge) {
    if (widthNanos < 1) {
      throw new IllegalArgumentException("a sample lasts at least 1 ns, not " + widthNanos);
    }
    this.widthNanos = widthNanos;
    this.merge = merge;
  }

  /** Adds an amount to the sample of an instant. */
  public void add(long atNanos, double amount) {
    // In two steps, because finding the index may replace the array.
    int index = index(atNanos);
    values[index] += amount;
  }

  /** Sets the level of an instant's sample; samples in between keep the level before. */
  public void set(long atNanos, double level) {
    widenFor(atNanos);
    int before = size;
    int index = index(atNanos);
    for (int i = Math.max(1, before); i < index; i++) {
      values[i] = values[i - 1];
    }
    values[index] = level;
  }

  private void widenFor(long atNanos) {
    while (atNanos / widthNanos >= SAMPLES_MAX) {
      halve();
    }
  }

  private int index(long atNanos) {
    widenFor(atNanos);
    int index = (int) (atNanos / widthNanos);
    if (index >= values.length) {
      values = Arrays.copyOf(values, Math.min(SAMPLES_MAX, Math.max(2 * values.length, index + 1)));
    }
    size = Math.max(size, index + 1);
    return index;
  }

  private void halve() {
    int halved = (size + 1) / 2;
    for (int i = 0; i < halved; i++) {
      double left = values[2 * i];
      boolean paired = 2 * i + 1 < size;
      double right = paired ? values[2 * i + 1] : 0;
      values[i] = merge == Merge.SUM ? left + right : paired ? right : left;
    }
    Arrays.fill(values, halved, size, 0);
    size = halved;
    widthNanos *= 2;
  }

  public long widthNanos() {
    return widthNanos;
  }

  public int size() {
    return size;
  }

  public double value(int index) {
    return index < size ? values[index] : 0;
  }

  public Merge merge() {
    return merge;
  }

  /** Whether another one is in the same samples and has the same in all of them. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Timeline that
        && merge == that.merge
        && widthNanos == that.widthNanos
        && Arrays.equals(values, 0, size, that.values, 0, that.size);
  }

  @Override
  public int hashCode() {
    return Objects.hash(merge, widthNanos, size);
  }
}
