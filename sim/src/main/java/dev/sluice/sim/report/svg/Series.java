package dev.sluice.sim.report.svg;

/** Named values in one colour; a value that is not a number leaves a gap. */
public final class Series {
  private final String name;
  private final Colour colour;
  private final double[] xs;
  private final double[] ys;

  private Series(String name, Colour colour, double[] xs, double[] ys) {
    if (xs.length != ys.length) {
      throw new IllegalArgumentException(xs.length + " places for " + ys.length + " values");
    }
    this.name = name;
    this.colour = colour;
    this.xs = xs.clone();
    this.ys = ys.clone();
  }

  /** Values at places, the places ascending. */
  public static Series of(String name, Colour colour, double[] xs, double[] ys) {
    return new Series(name, colour, xs, ys);
  }

  /** One value for each category of a bar chart. */
  public static Series bars(String name, Colour colour, double... values) {
    double[] xs = new double[values.length];
    for (int i = 0; i < xs.length; i++) {
      xs[i] = i;
    }
    return new Series(name, colour, xs, values);
  }

  public String name() {
    return name;
  }

  Colour colour() {
    return colour;
  }

  int size() {
    return ys.length;
  }

  double x(int index) {
    return xs[index];
  }

  double y(int index) {
    return ys[index];
  }

  boolean has(int index) {
    return index < ys.length && Double.isFinite(ys[index]);
  }

  /** The highest value, 0 at least. */
  public double highest() {
    double highest = 0;
    for (int i = 0; i < ys.length; i++) {
      highest = has(i) ? Math.max(highest, ys[i]) : highest;
    }
    return highest;
  }

  /** What can be said of it in a few words. */
  String inWords(Unit unit) {
    double sum = 0;
    double largest = Double.NEGATIVE_INFINITY;
    int count = 0;
    for (int i = 0; i < ys.length; i++) {
      if (has(i)) {
        sum += ys[i];
        largest = Math.max(largest, ys[i]);
        count++;
      }
    }
    return count == 0
        ? name + ": no values"
        : name + ": mean " + unit.text(sum / count) + ", highest " + unit.text(largest);
  }
}
