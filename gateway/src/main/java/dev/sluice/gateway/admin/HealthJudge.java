package dev.sluice.gateway.admin;

import dev.sluice.core.model.Quantities;
import dev.sluice.gateway.admin.HealthFinding.Kind;
import dev.sluice.gateway.target.TargetVitals;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Says from looks at a gateway whether it is well. What may be so for a moment is sick only once it
 * has been so at every look for as long as whoever asks is patient. Safe for use by many threads;
 * the caller brings the time.
 */
final class HealthJudge {
  /** Looks come every second: who has not looked for so long may have got stuck itself. */
  static final long WATCHED_NANOS = 10_000_000_000L;

  /** Requests that hold this part of the memory leave too little for anybody. */
  static final double EXHAUSTED = 0.95;

  private @Nullable HealthSigns signs;
  private long lookedNanos;
  private long memoryFullSinceNanos;
  private boolean memoryFull;
  private Map<String, Waiting> waiting = Map.of();

  /** Requests wait on a target for no reason: since when, and how many had had their turn then. */
  private record Waiting(long sinceNanos, long handedOut) {}

  HealthJudge(long nowNanos) {
    lookedNanos = nowNanos;
  }

  /** Takes a look into account. */
  synchronized void look(HealthSigns seen, long nowNanos) {
    signs = seen;
    lookedNanos = nowNanos;
    boolean full = seen.heldBytes() > EXHAUSTED * seen.memoryBytes();
    if (full && !memoryFull) {
      memoryFullSinceNanos = nowNanos;
    }
    memoryFull = full;
    Map<String, Waiting> still = new HashMap<>();
    for (TargetVitals target : seen.targets()) {
      if (target.queued() > 0 && !target.heldBack()) {
        Waiting before = waiting.get(target.target());
        boolean goesOn = before != null && before.handedOut == target.handedOut();
        still.put(target.target(), goesOn ? before : new Waiting(nowNanos, target.handedOut()));
      }
    }
    waiting = still;
  }

  /**
   * What is wrong, the gravest first; nothing when all is well.
   *
   * @param patienceNanos how long something may last before it is wrong
   */
  synchronized List<HealthFinding> findings(long patienceNanos, long nowNanos) {
    List<HealthFinding> findings = new ArrayList<>();
    long unwatchedNanos = nowNanos - lookedNanos;
    if (unwatchedNanos > WATCHED_NANOS) {
      findings.add(
          new HealthFinding(
              Kind.NOT_WATCHED,
              "",
              "the gateway has not looked after itself for "
                  + time(unwatchedNanos)
                  + ": something that it looks at is stuck"));
    }
    HealthSigns last = signs;
    if (last == null) {
      return findings;
    }
    last.targets().forEach(target -> judge(target, patienceNanos, nowNanos, findings));
    if (last.controlLateNanos() > patienceNanos) {
      findings.add(
          new HealthFinding(
              Kind.CONTROL_LAPSED,
              "",
              "the control loop has not run for " + time(last.controlLateNanos())));
    }
    new TreeMap<>(last.lapsed())
        .forEach((target, why) ->
            findings.add(
                new HealthFinding(Kind.CONTROL_LAPSED, target, "target " + target + ": " + why)));
    if (memoryFull && nowNanos - memoryFullSinceNanos >= patienceNanos) {
      findings.add(
          new HealthFinding(
              Kind.MEMORY_EXHAUSTED,
              "",
              "requests on their way have held "
                  + Quantities.formatBytes((double) last.heldBytes())
                  + " of "
                  + Quantities.formatBytes((double) last.memoryBytes())
                  + " for "
                  + time(nowNanos - memoryFullSinceNanos)));
    }
    findings.addAll(last.further());
    return findings;
  }

  private void judge(
      TargetVitals target, long patienceNanos, long nowNanos, List<HealthFinding> findings) {
    String name = "target " + target.target() + ": ";
    long oldestNanos = target.oldestInServiceNanos();
    // A look may be old itself, and what was in service then has been for longer now.
    if (oldestNanos > 0 && oldestNanos + Math.max(0, nowNanos - lookedNanos) >= patienceNanos) {
      findings.add(
          new HealthFinding(
              Kind.STUCK_TARGET,
              target.target(),
              name
                  + "a request has been with the storage for "
                  + time(oldestNanos)
                  + "; "
                  + target.inService()
                  + " are in service, "
                  + target.queued()
                  + " wait"));
    }
    if (target.workersAlive() < target.workers()) {
      findings.add(
          new HealthFinding(
              Kind.WORKERS_DIED,
              target.target(),
              name
                  + "of "
                  + target.workers()
                  + " threads that serve requests "
                  + (target.workers() - target.workersAlive())
                  + " are gone"));
    }
    Waiting undrained = waiting.get(target.target());
    if (undrained != null && nowNanos - undrained.sinceNanos >= patienceNanos) {
      findings.add(
          new HealthFinding(
              Kind.QUEUE_NOT_DRAINED,
              target.target(),
              name
                  + target.queued()
                  + " requests wait and none has had its turn for "
                  + time(nowNanos - undrained.sinceNanos)
                  + ", although nothing holds them back"));
    }
  }

  private static String time(long nanos) {
    return Quantities.formatDuration(nanos / 1_000_000_000L * 1_000_000_000L);
  }
}
