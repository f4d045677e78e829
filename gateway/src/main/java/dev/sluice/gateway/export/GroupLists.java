package dev.sluice.gateway.export;

import dev.sluice.gateway.files.FileException;
import org.jspecify.annotations.Nullable;

/**
 * Knows the groups of users, of which a call has room for sixteen. Safe for use by many threads.
 */
@FunctionalInterface
public interface GroupLists {
  /**
   * All groups of a user, not to be changed; null when nobody knows the user.
   *
   * @throws FileException JUKEBOX when they are not known yet
   */
  int @Nullable [] of(int uid) throws FileException;
}
