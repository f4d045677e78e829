package dev.sluice.load.client;

import java.time.Duration;

/**
 * How long a client waits before it does something about it.
 *
 * @param patience for how long a server may be away before calls fail
 * @param repeatAfter a call without an answer for so long is sent again under its number, and once
 *     more after twice as long, and so on
 * @param comeBackAfter a call that the server told to come later is made anew after so long
 */
public record ClientTimes(Duration patience, Duration repeatAfter, Duration comeBackAfter) {
  private static final Duration LINUX_REPEAT = Duration.ofSeconds(60);
  private static final Duration LINUX_JUKEBOX = Duration.ofSeconds(5);

  /** As Linux waits, except that it would wait for a server for ever. */
  public static ClientTimes asLinux(Duration patience) {
    return new ClientTimes(patience, LINUX_REPEAT, LINUX_JUKEBOX);
  }
}
