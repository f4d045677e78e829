package dev.sluice.core.period;

/** Counts values and sums them and their squares. */
final class Moments {
  private int count;
  private double sum;
  private double squares;

  void add(double value) {
    count++;
    sum += value;
    squares += value * value;
  }

  /** These values without some of them. */
  Moments without(Moments some) {
    Moments rest = new Moments();
    rest.count = count - some.count;
    rest.sum = sum - some.sum;
    rest.squares = squares - some.squares;
    return rest;
  }

  int count() {
    return count;
  }

  double mean() {
    return sum / count;
  }

  /** The sum of the squared distances from the mean. */
  double squaredDeviations() {
    return Math.max(0, squares - sum * sum / count);
  }

  /** The variance of what the values were drawn from. */
  double variance() {
    return count < 2 ? 0 : squaredDeviations() / (count - 1);
  }

  /** The coefficient of variation. */
  double variation() {
    return Math.sqrt(variance()) / mean();
  }
}
