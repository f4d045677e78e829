package dev.sluice.control.server;

import dev.sluice.control.v1.ControllerMessage;
import dev.sluice.control.wire.RefusedException;

/** The open call of a member, as far as something can be said to it. For the loop's thread. */
public interface MemberLine {
  /** Whether it takes what is sent; where it does not, sending would only fill our memory. */
  boolean isReady();

  void send(ControllerMessage message);

  /** Ends the call and says why. */
  void refuse(RefusedException why);
}
