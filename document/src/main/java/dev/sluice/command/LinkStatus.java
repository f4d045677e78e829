package dev.sluice.command;

import tools.jackson.core.JsonGenerator;

/**
 * How the link of a program to its controller is, as its status shows it.
 *
 * @param connected whether orders have come over the call that is open
 * @param lapsed whether what was ordered holds no more, because no orders came for too long
 * @param epoch of the leader that was heard last; 0 before the first
 * @param orderedNanos when orders came last, by {@link System#nanoTime}; 0 before the first
 * @param trouble in words; empty where there is none
 */
public record LinkStatus(
    boolean connected, boolean lapsed, long epoch, long orderedNanos, String trouble) {
  /** Before the first call was answered. */
  public static final LinkStatus NOT_YET = new LinkStatus(false, false, 0, 0, "not connected yet");

  /** Orders have come; what is wrong nevertheless is in {@code trouble}. */
  public static LinkStatus ordered(long epoch, long nowNanos, String trouble) {
    return new LinkStatus(true, false, epoch, nowNanos, trouble);
  }

  /** The call has ended; what was ordered holds on. */
  public LinkStatus parted(String reason) {
    return new LinkStatus(false, lapsed, epoch, orderedNanos, reason);
  }

  /** What was ordered holds no more. */
  public LinkStatus withoutOrders(String reason) {
    return new LinkStatus(connected, true, epoch, orderedNanos, reason);
  }

  /** Writes it as the property {@code controller} of an object that is open. */
  public void write(JsonGenerator json, long nowNanos) {
    json.writeObjectPropertyStart("controller");
    json.writeBooleanProperty("connected", connected);
    json.writeBooleanProperty("lapsed", lapsed);
    json.writeNumberProperty("epoch", epoch);
    if (orderedNanos == 0) {
      json.writeNullProperty("silent_ms");
    } else {
      json.writeNumberProperty("silent_ms", Math.max(0, nowNanos - orderedNanos) / 1_000_000);
    }
    if (trouble.isEmpty()) {
      json.writeNullProperty("trouble");
    } else {
      json.writeStringProperty("trouble", trouble);
    }
    json.writeEndObject();
  }
}
