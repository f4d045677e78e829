package dev.sluice.control.server;

import dev.sluice.control.v1.MemberMessage;
import dev.sluice.control.wire.RefusedException;

/** A member that has said hello and was let in. Called on the loop's thread. */
public interface MemberSession {
  /** It said something more. */
  void received(MemberMessage message, long nowNanos) throws RefusedException;

  /** It is gone, whoever ended the call; told once. */
  void ended(long nowNanos);
}
