package dev.sluice.sim.workload;

import dev.sluice.sim.storage.JobOnTarget;
import java.util.List;

/** A position in a file that lies in stripes over targets. */
final class FileCursor {
  private final JobOnTarget[] stripes;
  private final long stripeBytes;
  private int stripe;
  private long leftInStripe;

  FileCursor(List<JobOnTarget> stripes, long stripeBytes) {
    this.stripes = stripes.toArray(JobOnTarget[]::new);
    this.stripeBytes = this.stripes.length == 1 ? Long.MAX_VALUE : stripeBytes;
    if (this.stripeBytes < 1) {
      throw new IllegalArgumentException("a stripe has at least 1 byte, not " + stripeBytes);
    }
    this.leftInStripe = this.stripeBytes;
  }

  /** The account on the target where the position is. */
  JobOnTarget account() {
    return stripes[stripe];
  }

  /** How much of so many bytes lies on that target: no request crosses the end of a stripe. */
  long within(long bytes) {
    return Math.min(bytes, leftInStripe);
  }

  void advance(long bytes) {
    if (stripes.length == 1) {
      return;
    }
    leftInStripe -= bytes;
    while (leftInStripe <= 0) {
      stripe = stripe + 1 < stripes.length ? stripe + 1 : 0;
      leftInStripe += stripeBytes;
    }
  }

  void advanceToNextStripe() {
    advance(leftInStripe);
  }
}
