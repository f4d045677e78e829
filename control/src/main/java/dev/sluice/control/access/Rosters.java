package dev.sluice.control.access;

import dev.sluice.control.v1.NodeRoster;
import org.jspecify.annotations.Nullable;

/** Says which nodes may call which aggregator. */
public interface Rosters {
  /** Nobody looks who calls whom. */
  Rosters NONE =
      new Rosters() {
        @Override
        public @Nullable NodeRoster roster(String aggregator) {
          return null;
        }

        @Override
        public long version() {
          return 0;
        }
      };

  /** The nodes of an aggregator; null where nobody looks. */
  @Nullable NodeRoster roster(String aggregator);

  /** Another whenever answers may be others. */
  long version();
}
