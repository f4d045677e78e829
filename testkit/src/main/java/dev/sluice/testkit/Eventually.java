package dev.sluice.testkit;

import java.time.Duration;
import java.util.concurrent.Callable;

/** Waits for what must come about, however busy the machine is. */
public final class Eventually {
  /** Much longer than anything takes on a machine that has other things to do, too. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private static final long LOOK_MILLIS = 20;

  private Eventually() {}

  /** What is waited for. */
  @FunctionalInterface
  public interface Condition {
    boolean holds() throws Exception;
  }

  /**
   * Returns once a condition holds.
   *
   * @param what is said not to have come about, where it does not
   */
  public static void await(String what, Condition condition) throws Exception {
    await(what, condition, () -> "");
  }

  /**
   * Returns once a condition holds.
   *
   * @param what is said not to have come about, where it does not
   * @param evidence is asked then for what may explain it
   */
  public static void await(String what, Condition condition, Callable<String> evidence)
      throws Exception {
    await(PATIENCE, what, condition, evidence);
  }

  /**
   * Returns once a condition holds.
   *
   * @param patience how long that may take
   */
  public static void await(
      Duration patience, String what, Condition condition, Callable<String> evidence)
      throws Exception {
    long beganNanos = System.nanoTime();
    while (!condition.holds()) {
      if (System.nanoTime() - beganNanos > patience.toNanos()) {
        throw new AssertionError(
            "for " + patience.toSeconds() + " s in vain: " + what + evidence.call());
      }
      Thread.sleep(LOOK_MILLIS);
    }
  }
}
