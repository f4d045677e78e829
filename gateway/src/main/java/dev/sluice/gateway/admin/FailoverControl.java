package dev.sluice.gateway.admin;

import org.jspecify.annotations.Nullable;

/**
 * What can be asked of a gateway that serves in turn with others. Safe for use by many threads. A
 * wish that cannot be told is an {@link IllegalArgumentException} that says why.
 */
public interface FailoverControl {
  /**
   * Who serves.
   *
   * @param name of this gateway
   * @param serves whether it is this one
   * @param holder the name of the one whose turn it is, which may have died; empty where it is
   *     nobody's
   * @param epoch how many times the turn went to another
   * @param takeoverNanos how long one that gives no sign of life is waited for
   * @param servingNanos for how long this one has served; 0 where it does not
   * @param moveNanos how long nobody served before it did; null where it does not serve, or nobody
   *     did before
   * @param trouble why that cannot be known just now; null when all is well
   */
  record Turn(
      String name,
      boolean serves,
      String holder,
      long epoch,
      long takeoverNanos,
      long servingNanos,
      @Nullable Long moveNanos,
      @Nullable String trouble) {}

  Turn turn();

  /** Has this one, if it serves, end what is under way and let another serve. */
  void handOver();

  /** Asks whoever serves to hand over to this one. */
  void take();
}
