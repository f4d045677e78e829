package dev.sluice.papers.sdqpro;

import dev.sluice.sim.engine.Seeds;
import java.util.SplittableRandom;

/**
 * How the applications' demand is spread over the servers: each server's part is drawn from a
 * normal distribution around the even one.
 *
 * <p>Its deviation is the one number that is calibrated. Tokens that are spread evenly and may not
 * be borrowed serve, of each application on each server, the smaller of its demand and its even
 * part; the deviation is such that this comes to what the paper reports without borrowing.
 */
final class Imbalance {
  static final int SERVERS = 10;

  private final double[][] normal;
  private final double deviation;

  private Imbalance(double[][] normal, double deviation) {
    this.normal = normal;
    this.deviation = deviation;
  }

  /** Drawn from a seed, so that without borrowing this part of what is desired is served. */
  static Imbalance calibrated(long seed, double servedWithoutBorrowing) {
    SplittableRandom random = Seeds.random(seed, "demand over servers");
    double[][] normal = new double[Desired.APPLICATIONS][SERVERS];
    for (double[] row : normal) {
      for (int s = 0; s < SERVERS; s++) {
        row[s] = random.nextGaussian();
      }
    }
    double low = 0;
    double high = 2;
    for (int i = 0; i < 60; i++) {
      double middle = (low + high) / 2;
      if (new Imbalance(normal, middle).servedWithoutBorrowing() > servedWithoutBorrowing) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return new Imbalance(normal, low);
  }

  double deviation() {
    return deviation;
  }

  /** The part of an application's demand that goes to a server; all its parts add up to 1. */
  double part(int application, int server) {
    double sum = 0;
    for (int s = 0; s < SERVERS; s++) {
      sum += raw(application, s);
    }
    return raw(application, server) / sum;
  }

  /** Nobody asks for less than next to nothing. */
  private double raw(int application, int server) {
    return Math.max(0.01, 1 + deviation * normal[application][server]);
  }

  private double servedWithoutBorrowing() {
    double served = 0;
    for (int i = 0; i < Desired.APPLICATIONS; i++) {
      for (int s = 0; s < SERVERS; s++) {
        served += Desired.of(i) * Math.min(part(i, s), 1.0 / SERVERS);
      }
    }
    return served / Desired.sum();
  }
}
