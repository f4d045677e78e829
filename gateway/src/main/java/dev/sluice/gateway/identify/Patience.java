package dev.sluice.gateway.identify;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Waits for answers that are not there yet, but only for a moment: most name services answer at
 * once. If that was in vain nobody waits for a while: a name service that hangs costs a thread that
 * others need 20 ms in 5 s, and one that is slow no more than a bound in the same time. Safe for
 * use by many threads.
 */
final class Patience<K, V> {
  static final long MOMENT_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final LateAnswers<K, V> answers;
  private final LateAnswers.Clock clock;
  private volatile boolean waitedInVain;
  private volatile long inVainNanos;
  private final WaitBudget budget;

  /**
   * @param waitsNanosMax how long all may wait together in the time of a pause
   */
  Patience(LateAnswers<K, V> answers, long waitsNanosMax, LateAnswers.Clock clock) {
    this.answers = answers;
    this.budget = new WaitBudget(waitsNanosMax, PAUSE_NANOS, clock.nanos());
    this.clock = clock;
  }

  /** The answer; null when there is none yet. */
  @Nullable V get(K about) {
    V known = answers.get(about);
    return known == null && isWorthWaiting() ? awaited(about) : known;
  }

  private boolean isWorthWaiting() {
    long nowNanos = clock.nanos();
    return !(waitedInVain && nowNanos - inVainNanos < PAUSE_NANOS) && budget.isLeft(nowNanos);
  }

  private @Nullable V awaited(K about) {
    long beganNanos = clock.nanos();
    try {
      V known = answers.await(about, MOMENT_NANOS);
      if (known == null) {
        inVainNanos = clock.nanos();
      }
      waitedInVain = known == null;
      return known;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    } finally {
      long nowNanos = clock.nanos();
      budget.spend(nowNanos - beganNanos, nowNanos);
    }
  }
}
