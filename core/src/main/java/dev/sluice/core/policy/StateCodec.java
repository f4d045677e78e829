package dev.sluice.core.policy;

/**
 * How what a policy remembers is written down and read again, so that it can outlive the process.
 * What it writes is lines of words, numbers and quoted texts, which people can read, too.
 *
 * <p>Whatever a later decision depends on is written. Settings do not belong to it, but where they
 * give a meaning to what is remembered, they are written along and compared when it is read: {@link
 * StateReader#unfit}.
 *
 * @param <S> what the policy remembers
 */
public interface StateCodec<S> {
  /** An hour: what is learnt of jobs holds for some time, and not for ever. */
  long KEPT_NANOS = 3_600_000_000_000L;

  /** The name of the policy. */
  String name();

  /** Counts the forms in which it was ever written, from 1; others than this one are refused. */
  default int version() {
    return 1;
  }

  /** For how long after it was written it may still be used. */
  default long keptNanos() {
    return KEPT_NANOS;
  }

  void write(S state, StateWriter out);

  /**
   * Reads what {@link #write} has written: a state from which all decisions are the same.
   *
   * @param cluster the targets that it is about, as they were when it was written; those of the
   *     next decision may be others
   * @throws IllegalArgumentException or {@link IllegalStateException} for what cannot be
   */
  S read(StateReader in, Cluster cluster);
}
