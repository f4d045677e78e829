package dev.sluice.load.play;

import java.util.List;

/** Told how a play goes; called by the thread that plays, a few times a second. */
public interface PlayListener {
  /** For those who do not want to know. */
  PlayListener NONE = new PlayListener() {};

  /** Directories and files are being made. */
  default void preparing(int processesReady, int processes) {}

  /**
   * The jobs run.
   *
   * @param nowNanos since the play began
   */
  default void playing(List<JobProgress> jobs, long nowNanos, long endNanos) {}

  /** What was written is being read back. */
  default void verifying(int processesDone, int processes) {}
}
