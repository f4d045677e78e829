package dev.sluice.app.demo;

import dev.sluice.load.play.ScenarioPlayer;
import org.jspecify.annotations.Nullable;

/** Ends the play that is on, and lets no other begin. Safe to use from several threads. */
final class DemoStops {
  private boolean stopped;
  private @Nullable ScenarioPlayer playing;

  synchronized void stop() {
    stopped = true;
    if (playing != null) {
      playing.stop();
    }
  }

  synchronized boolean stopped() {
    return stopped;
  }

  /** A play is about to begin. */
  synchronized void playing(ScenarioPlayer player) {
    playing = player;
    if (stopped) {
      player.stop();
    }
  }
}
