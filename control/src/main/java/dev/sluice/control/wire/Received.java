package dev.sluice.control.wire;

import dev.sluice.control.v1.MemberMessage;

/** What came in from a member. */
public sealed interface Received {
  /** A message that could be read. */
  record Message(MemberMessage content) implements Received {}

  /** Bytes that are no message. */
  record Malformed(String reason) implements Received {}
}
