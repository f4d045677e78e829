package dev.sluice.ledger.states;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Where texts of states are. Whoever writes does so in an epoch, and never over what was written,
 * or read to go on from, in a later one: who no longer leads must not spoil what its successor has.
 * Where several may be there, the one writes within an epoch that has read last to go on from it.
 *
 * <p>Safe for use by many threads.
 */
public interface StateStore extends AutoCloseable {
  /**
   * Reads the last text, for somebody who goes on from it in this epoch.
   *
   * @return null where there is none
   */
  @Nullable String load(StateKey key, long epoch) throws IOException;

  /**
   * Puts a text in the place of the one before, as a whole or not at all.
   *
   * @return false where somebody else has taken it over, and nothing was changed
   */
  boolean save(StateKey key, String text, long epoch) throws IOException;

  /**
   * Moves a text that is of no use out of the way, over the last one that was.
   *
   * @return where it is now
   */
  String setAside(StateKey key) throws IOException;

  @Override
  void close();
}
