package dev.sluice.core.capacity;

import dev.sluice.core.model.Operation;
import dev.sluice.core.model.TokenUnit;
import java.util.Arrays;

/**
 * What requests cost a storage, in tokens as they would be if all kinds were as dear as assumed: an
 * operation of each class, a byte that is read and a byte that is written. It begins with the
 * prices of a target's unit and learns from stretches of full use in which the mix was another than
 * usual: kinds that were more of the mix when the storage seemed fast are too dear, and the other
 * way round. What a mix costs that never changes says nothing about its kinds, and changes nothing.
 */
final class CostModel {
  /** What a request can cost something for. */
  enum Part {
    READ(0),
    WRITE(1),
    METADATA(2),
    DIRECTORY(3),
    EXTENDED_ATTRIBUTE(4),
    BYTES_READ(5),
    BYTES_WRITTEN(6);

    /** Where it is in a row of all. */
    final int at;

    Part(int at) {
      this.at = at;
    }
  }

  static final int PARTS = Part.values().length;

  /** So far prices may go from what was assumed, either way. */
  private static final double PRICE_RANGE = 64;

  private static final double LEARNING = 0.3;
  private static final double STEP_MAX = 0.25;

  /** What is usual follows what is seen with this weight. */
  private static final double USUAL = 0.05;

  /** Mixes that differ less, in the square of their distance, are the same. */
  private static final double SAME = 0.02;

  /** Mixes must differ so much to say something about kinds: chance does not do that. */
  private static final double DIFFERENT = 0.06;

  private final double[] assumed = new double[PARTS];
  private final double[] prices;
  private final double[] usualMix = new double[PARTS];
  private double usualLogSpeed;
  private boolean hasUsual;

  CostModel(TokenUnit unit) {
    Arrays.fill(assumed, Math.max(1, (double) unit.tokensPerOperation()));
    assumed[Part.BYTES_READ.at] = (double) unit.tokensPerByte();
    assumed[Part.BYTES_WRITTEN.at] = (double) unit.tokensPerByte();
    prices = assumed.clone();
  }

  static Part part(Operation operation) {
    return switch (operation.operationClass()) {
      case DATA -> operation == Operation.READ ? Part.READ : Part.WRITE;
      case METADATA -> Part.METADATA;
      case DIRECTORY -> Part.DIRECTORY;
      case EXTENDED_ATTRIBUTE -> Part.EXTENDED_ATTRIBUTE;
    };
  }

  /** What a request costs. */
  double cost(Operation operation, long operations, long bytes) {
    double read = readBytes(operation, bytes);
    return operations * prices[part(operation).at]
        + read * prices[Part.BYTES_READ.at]
        + (bytes - read) * prices[Part.BYTES_WRITTEN.at];
  }

  /** The same, added to a sum for each part. */
  void addTo(double[] sums, Operation operation, long operations, long bytes) {
    double read = readBytes(operation, bytes);
    int part = part(operation).at;
    sums[part] += operations * prices[part];
    sums[Part.BYTES_READ.at] += read * prices[Part.BYTES_READ.at];
    sums[Part.BYTES_WRITTEN.at] += (bytes - read) * prices[Part.BYTES_WRITTEN.at];
  }

  /** What is copied is read and written. */
  private static double readBytes(Operation operation, long bytes) {
    return switch (operation) {
      case READ -> bytes;
      case COPY -> bytes / 2.0;
      default -> 0;
    };
  }

  /** What a part costs, as a multiple of what was assumed. */
  double dearness(Part part) {
    int index = part.at;
    return assumed[index] == 0 ? 1 : prices[index] / assumed[index];
  }

  /**
   * Learns from a stretch in which the storage was in full use.
   *
   * <p>Theorem. On a storage whose speed does not change, where mixes alternate between two that
   * differ, what the model says it can do comes to be the same under both.
   *
   * @param costs what was served, by part
   * @param perSecond what all of it together was, a second
   * @return by what costs of this mix have changed: 1.02 when what cost 100 costs 102 now
   */
  double learn(double[] costs, double perSecond) {
    double sum = Arrays.stream(costs).sum();
    if (sum <= 0 || perSecond <= 0) {
      return 1;
    }
    double logSpeed = Math.log(perSecond);
    if (!hasUsual) {
      hasUsual = true;
      usualLogSpeed = logSpeed;
      for (int i = 0; i < PARTS; i++) {
        usualMix[i] = costs[i] / sum;
      }
      return 1;
    }
    double[] offs = new double[PARTS];
    double distance = 0;
    for (int i = 0; i < PARTS; i++) {
      offs[i] = costs[i] / sum - usualMix[i];
      distance += offs[i] * offs[i];
      usualMix[i] += USUAL * offs[i];
    }
    double surprise = logSpeed - usualLogSpeed;
    usualLogSpeed += USUAL * surprise;
    if (distance < SAME) {
      // The same mix at another speed: the storage has changed, not its prices.
      usualLogSpeed = logSpeed;
    }
    if (distance < DIFFERENT) {
      return 1;
    }
    double grown = 0;
    for (int i = 0; i < PARTS; i++) {
      double step = Math.clamp(-LEARNING * surprise * offs[i] / distance, -STEP_MAX, STEP_MAX);
      double before = prices[i];
      prices[i] =
          Math.clamp(before * Math.exp(step), assumed[i] / PRICE_RANGE, assumed[i] * PRICE_RANGE);
      grown += before == 0 ? 0 : costs[i] / sum * prices[i] / before;
    }
    return grown;
  }
}
