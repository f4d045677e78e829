package dev.sluice.gateway.rpc;

import java.util.concurrent.atomic.LongAdder;

/** What an RPC server has done so far. */
final class RpcCounters {
  final LongAdder accepted = new LongAdder();
  final LongAdder refused = new LongAdder();
  final LongAdder strangers = new LongAdder();
  final LongAdder malformed = new LongAdder();
  final LongAdder calls = new LongAdder();
  final LongAdder duplicates = new LongAdder();
  final LongAdder postponed = new LongAdder();
  private final LongAdder receivedBytes = new LongAdder();
  private final LongAdder sentBytes = new LongAdder();

  void received(int bytes) {
    receivedBytes.add(bytes);
  }

  void sent(int bytes) {
    sentBytes.add(bytes);
  }

  RpcStatistics statistics(int connections, long inFlight, long heldBytes) {
    return new RpcStatistics(
        connections,
        accepted.sum(),
        refused.sum(),
        strangers.sum(),
        malformed.sum(),
        calls.sum(),
        duplicates.sum(),
        postponed.sum(),
        inFlight,
        heldBytes,
        receivedBytes.sum(),
        sentBytes.sum());
  }
}
