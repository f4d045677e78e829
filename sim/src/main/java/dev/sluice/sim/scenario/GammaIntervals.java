package dev.sluice.sim.scenario;

import java.util.random.RandomGenerator;

/**
 * Random times between arrivals, Gamma distributed: with mean {@code m} and shape {@code k} their
 * standard deviation is {@code m/√k}. Shape 1 is the exponential distribution (a Poisson process);
 * a smaller one gives arrivals in clusters, a larger one regular arrivals.
 *
 * <p>Uses only arithmetic that gives the same result on every machine.
 */
public final class GammaIntervals {
  private final double meanNanos;
  private final double shape;
  private final RandomGenerator random;

  public GammaIntervals(long meanNanos, double shape, RandomGenerator random) {
    this.meanNanos = (double) meanNanos;
    this.shape = shape;
    this.random = random;
  }

  /** The next interval; at least 1 ns. */
  public long nextNanos() {
    double scaled = standardGamma() / shape * meanNanos;
    return scaled < 1 ? 1 : (long) Math.min(scaled, (double) Limits.TIME_NANOS_MAX);
  }

  private double standardGamma() {
    if (shape == 1) {
      return -StrictMath.log(positive());
    }
    // A shape below 1 is reached from the one above it by a power of a uniform number.
    return shape < 1
        ? marsagliaTsang(shape + 1) * StrictMath.pow(positive(), 1 / shape)
        : marsagliaTsang(shape);
  }

  /** Marsaglia and Tsang's rejection method, for a shape of at least 1. */
  private double marsagliaTsang(double alpha) {
    double d = alpha - 1.0 / 3;
    double c = 1 / StrictMath.sqrt(9 * d);
    while (true) {
      double x = standardNormal();
      double root = 1 + c * x;
      if (root > 0) {
        double v = root * root * root;
        if (StrictMath.log(positive()) < x * x / 2 + d - d * v + d * StrictMath.log(v)) {
          return d * v;
        }
      }
    }
  }

  /** The polar method. */
  private double standardNormal() {
    while (true) {
      double u = 2 * random.nextDouble() - 1;
      double v = 2 * random.nextDouble() - 1;
      double square = u * u + v * v;
      if (square > 0 && square < 1) {
        return u * StrictMath.sqrt(-2 * StrictMath.log(square) / square);
      }
    }
  }

  private double positive() {
    return 1 - random.nextDouble();
  }
}
