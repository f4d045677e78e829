package dev.sluice.core.capacity;

/**
 * How many requests a storage is given at once: PARDA's rule, with the latency in calm as its
 * threshold. Where latency is less than {@link #THRESHOLD} times that in calm, the storage takes
 * more at once; where it is more, requests only queue inside. Several who share a storage see the
 * same latency, and come to have the same number in it without talking to each other.
 *
 * <p>Parts of a request count: with a depth of 1.6, a second one is in service most of the time.
 */
final class Depth {
  static final double THRESHOLD = 1.25;

  /** How many requests everybody may have queued in the storage. */
  static final double QUEUED = 0.75;

  private static final double GAIN = 0.3;

  private final int max;
  private double depth = 1;
  private double part;
  private boolean oneMore;

  Depth(int max) {
    this.max = max;
  }

  double value() {
    return depth;
  }

  void set(double wanted) {
    depth = Math.clamp(wanted, 1, max);
  }

  boolean isMost() {
    return depth >= max;
  }

  boolean hasRoom(int inService) {
    return inService < (int) depth + (oneMore ? 1 : 0);
  }

  void handedOut() {
    part += depth - (int) depth;
    oneMore = part >= 1;
    if (oneMore) {
      part -= 1;
    }
  }

  /** Where the rule would go, if latency is so many times that in calm. */
  double wanted(double stretch) {
    return depth * THRESHOLD / stretch + QUEUED;
  }

  /** How far latency is from that in calm where the rule has come to rest. */
  double stretchAtRest() {
    return THRESHOLD * depth / Math.max(0.5, depth - QUEUED);
  }

  void step(double stretch) {
    double wanted = Math.clamp(wanted(stretch), depth / 2, depth * 2 + QUEUED);
    set(depth + GAIN * (wanted - depth));
  }

  /** Goes on as long as the rule says more: whether it does. */
  boolean open(double stretch) {
    double wanted = wanted(stretch);
    if (isMost() || wanted < depth * 1.15) {
      return false;
    }
    set(Math.min(wanted, depth * 2 + QUEUED));
    return true;
  }
}
