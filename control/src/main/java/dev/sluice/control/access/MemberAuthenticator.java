package dev.sluice.control.access;

import dev.sluice.control.v1.NodeRoster;
import dev.sluice.store.keys.Mandate;
import org.jspecify.annotations.Nullable;

/**
 * Says who a caller is from what it has shown. It is asked for each call that is opened, and again
 * for those that are open whenever its version is another, from several threads, and must answer at
 * once.
 */
@FunctionalInterface
public interface MemberAuthenticator extends Rosters {
  /** Takes everybody at his word: for loopback, where whoever can connect is on this machine. */
  MemberAuthenticator TRUSTING =
      offered -> new Identity.Known(offered.claimedName(), Mandate.ANYTHING, null);

  Identity identify(Credentials offered);

  @Override
  default long version() {
    return 0;
  }

  @Override
  default @Nullable NodeRoster roster(String aggregator) {
    return null;
  }
}
