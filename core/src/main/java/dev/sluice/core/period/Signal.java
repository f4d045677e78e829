package dev.sluice.core.period;

/** A stretch of a job's history in equally wide bins; the last of them may still be filling. */
final class Signal {
  private final float[] loads;
  private final long beginNanos;
  private final long binNanos;
  private final boolean cut;

  /**
   * Takes the bins over.
   *
   * @param cut whether the job had moved bytes before the first of these bins
   */
  Signal(float[] loads, long beginNanos, long binNanos, boolean cut) {
    this.loads = loads;
    this.beginNanos = beginNanos;
    this.binNanos = binNanos;
    this.cut = cut;
  }

  int length() {
    return loads.length;
  }

  /** The bytes in a bin. */
  double load(int bin) {
    return loads[bin];
  }

  long binNanos() {
    return binNanos;
  }

  boolean cut() {
    return cut;
  }

  /** When a bin begins. */
  long nanosAt(int bin) {
    return beginNanos + bin * binNanos;
  }
}
