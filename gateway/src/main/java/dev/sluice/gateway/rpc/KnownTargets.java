package dev.sluice.gateway.rpc;

import dev.sluice.gateway.target.TargetRequest;
import dev.sluice.gateway.target.TargetService;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The targets at which calls wait, and what is taken out of their queues: calls whose client is
 * gone, and calls whose memory others need more. Safe for use by many threads.
 */
final class KnownTargets {
  /** Who has not waited for so long may soon be served. */
  private static final long LONG_WAIT_NANOS = 500_000_000L;

  private final Set<TargetService> targets = ConcurrentHashMap.newKeySet();
  private volatile boolean purgeAsked;

  /** Calls wait there. */
  void remember(TargetService target) {
    if (!targets.contains(target)) {
      targets.add(target);
    }
  }

  /** Has all calls that nobody wants any more taken out, soon. */
  void purge() {
    purgeAsked = true;
  }

  /** Takes out what nobody wants any more, if somebody asked for it. */
  void purgeIfAsked() {
    if (purgeAsked) {
      purgeAsked = false;
      targets.forEach(TargetService::withdrawUnwanted);
      targets.removeIf(TargetService::isClosed);
    }
  }

  /**
   * Takes calls that have waited long, and will, out of the queues until they held so many bytes
   * together: those that came last first, so that whoever has waited longest is served some day.
   * Their clients are told to come later.
   */
  void reclaim(long bytes, long nowNanos) {
    long chosenBytes = 0;
    for (TargetService target : targets) {
      List<RpcRequest> waiting = new ArrayList<>();
      target.withdrawIf(request -> {
        if (request instanceof RpcRequest call && call.waitedNanos(nowNanos) > LONG_WAIT_NANOS) {
          waiting.add(call);
        }
        return false;
      });
      waiting.sort(Comparator.comparingLong(call -> call.waitedNanos(nowNanos)));
      Set<TargetRequest> chosen = Collections.newSetFromMap(new IdentityHashMap<>());
      for (RpcRequest call : waiting) {
        if (chosenBytes >= bytes) {
          break;
        }
        chosenBytes += call.heldBytes();
        chosen.add(call);
      }
      target.withdrawIf(chosen::contains).forEach(request -> ((RpcRequest) request).postpone());
    }
  }
}
