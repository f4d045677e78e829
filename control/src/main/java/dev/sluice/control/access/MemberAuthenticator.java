package dev.sluice.control.access;

import dev.sluice.store.keys.Mandate;
import java.util.Set;

/**
 * Says who a caller is from what it has shown. It is asked once for each call that is opened, from
 * several threads, and must answer at once.
 */
@FunctionalInterface
public interface MemberAuthenticator {
  /** Takes everybody at his word: for loopback, where whoever can connect is on this machine. */
  MemberAuthenticator TRUSTING =
      offered -> new Identity.Known(offered.claimedName(), Mandate.ANYTHING);

  Identity identify(Credentials offered);

  /** Who is refused whatever he shows, now: also those who were let in before. */
  default Set<String> revoked() {
    return Set.of();
  }
}
