package dev.sluice.gateway.admin;

import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/**
 * Looks after a gateway once a second, on a thread of its own: whoever asks how it is never waits
 * for what may be stuck.
 */
public final class HealthWatch implements AutoCloseable {
  /** How long something may last before it is wrong, unless somebody says otherwise. */
  public static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final System.Logger LOG = System.getLogger(HealthWatch.class.getName());
  private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);

  private final Supplier<HealthSigns> look;
  private final HealthJudge judge = new HealthJudge(System.nanoTime());
  private final Thread thread;

  /** Begins to look. */
  public HealthWatch(Supplier<HealthSigns> look) {
    this.look = look;
    this.thread = Thread.ofPlatform().name("health").daemon().start(this::run);
  }

  private void run() {
    try {
      while (true) {
        try {
          HealthSigns seen = look.get();
          judge.look(seen, System.nanoTime());
        } catch (RuntimeException e) {
          LOG.log(System.Logger.Level.ERROR, "looking after the gateway failed and goes on", e);
        }
        Thread.sleep(BETWEEN_LOOKS);
      }
    } catch (InterruptedException e) {
      // The gateway ends.
    }
  }

  /** What is wrong; nothing when all is well. */
  public List<HealthFinding> findings(Duration patience) {
    return judge.findings(patience.toNanos(), System.nanoTime());
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
