package dev.sluice.store.lease;

import java.io.IOException;

/** The newest leader that a controller or a member knows of, for its next life. */
public interface LeaderMemory {
  /** Remembers nothing: for whoever lives once. */
  LeaderMemory NONE =
      new LeaderMemory() {
        @Override
        public Leader load() {
          return Leader.NOBODY;
        }

        @Override
        public void save(Leader leader) {}
      };

  /** Who was kept last; {@link Leader#NOBODY} before the first. */
  Leader load() throws IOException;

  /** Keeps this leader in the place of the last, so that it outlives us from the return on. */
  void save(Leader leader) throws IOException;
}
