package dev.sluice.gateway.rpc;

import dev.sluice.core.model.ClientAddress;
import java.util.HashMap;
import java.util.Map;

/**
 * How many datagrams are answered a second, to each address and in all: whoever sends calls under
 * another's address makes us send it no more than that. Not thread-safe; the caller brings the
 * time.
 */
final class AnswerAllowance {
  private static final long WINDOW_NANOS = 1_000_000_000L;

  private final int perAddressMax;
  private final int totalMax;
  private final Map<ClientAddress, Integer> answered = new HashMap<>();
  private int total;
  private long windowEndNanos;

  AnswerAllowance(int perAddressMax, int totalMax, long nowNanos) {
    this.perAddressMax = perAddressMax;
    this.totalMax = totalMax;
    windowEndNanos = nowNanos + WINDOW_NANOS;
  }

  /** Whether one more may be answered now; then it counts. */
  boolean take(ClientAddress client, long nowNanos) {
    if (nowNanos - windowEndNanos >= 0) {
      windowEndNanos = nowNanos + WINDOW_NANOS;
      answered.clear();
      total = 0;
    }
    // What is remembered is bounded by what is answered in all.
    if (total >= totalMax || answered.getOrDefault(client, 0) >= perAddressMax) {
      return false;
    }
    answered.merge(client, 1, Integer::sum);
    total++;
    return true;
  }
}
