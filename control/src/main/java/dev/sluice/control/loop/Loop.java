package dev.sluice.control.loop;

/**
 * One thread that does everything in turn, so that what runs on it needs no locks. Nothing on it
 * may block.
 */
public interface Loop {
  /** The time on this machine's monotonic clock. */
  long nowNanos();

  /** Does something soon; from any thread. */
  void execute(Runnable task);

  /** Does something later, unless it is cancelled; from the loop's own thread. */
  Timer schedule(Runnable task, long delayNanos);

  /** Something that is to be done later. */
  interface Timer {
    void cancel();
  }
}
