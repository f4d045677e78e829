package dev.sluice.app.endurance;

import dev.sluice.command.CommandClient;
import dev.sluice.document.DocumentMap;
import dev.sluice.testkit.TimePasses;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Asks every member of a control plane, again and again, how its link is and what holds. */
final class PlaneWatch implements AutoCloseable {
  private static final long LOOK_MILLIS = 50;

  /** Whoever looks this much later than he wanted to was held up by the machine. */
  private static final long HELD_UP_NANOS = 1_000_000_000L;

  private final ControlPlane plane;
  private final Map<String, Seen> members = new LinkedHashMap<>();
  private final List<String> wentBack = new ArrayList<>();
  private long highestEpoch;
  private double longestUntilLimited;
  private final NavigableMap<Long, Long> firstHeardNanos = new TreeMap<>();
  private final Thread thread;
  private volatile boolean stopped;

  /** What is known of a member. */
  private static final class Seen {
    boolean connected;
    boolean obeys;
    long epoch;

    /** Since when it is connected and not limited; 0 where it is limited or not connected. */
    long unlimitedSinceNanos;
  }

  PlaneWatch(ControlPlane plane) {
    this.plane = plane;
    ControlPlane.AGENTS.forEach(name -> members.put(name, new Seen()));
    ControlPlane.GATEWAYS.forEach(name -> members.put(name, new Seen()));
    thread = Thread.ofPlatform().name("plane-watch").daemon().start(this::run);
  }

  private void run() {
    long lookedNanos = System.nanoTime();
    while (!stopped) {
      if (System.nanoTime() - lookedNanos > HELD_UP_NANOS) {
        startOver(System.nanoTime());
      }
      lookedNanos = System.nanoTime();
      members.keySet().forEach(this::look);
      try {
        TimePasses.forMillis(LOOK_MILLIS);
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  /** The answer of a part to the command status; null where it does not answer. */
  private @Nullable DocumentMap status(String name) {
    try (CommandClient client = new CommandClient(plane.socket(name))) {
      return CommandClient.read(client.ask("status", _ -> {})).openMap();
    } catch (IOException | CommandClient.RefusedException e) {
      return null;
    }
  }

  private void look(String name) {
    DocumentMap status = status(name);
    synchronized (this) {
      Seen seen = seen(name);
      if (status == null || !status.required("controller").isMap()) {
        seen.connected = false;
        seen.obeys = false;
        seen.unlimitedSinceNanos = 0;
        return;
      }
      note(name, seen, status, System.nanoTime());
    }
  }

  private void note(String name, Seen seen, DocumentMap status, long nowNanos) {
    DocumentMap link = status.required("controller").openMap();
    seen.connected = link.required("connected").bool();
    long epoch = link.required("epoch").whole(0, Long.MAX_VALUE);
    // One that has just started has heard of nobody.
    if (epoch > 0) {
      if (epoch < seen.epoch) {
        wentBack.add(name + " from " + seen.epoch + " to " + epoch);
      }
      seen.epoch = epoch;
      highestEpoch = Math.max(highestEpoch, epoch);
      if (seen.connected && name.startsWith("agent")) {
        firstHeardNanos.putIfAbsent(epoch, nowNanos);
      }
    }
    seen.obeys =
        name.startsWith("agent")
            ? status.required("jobs").list().stream()
                .anyMatch(job -> !job.openMap().required("limits").list().isEmpty())
            : status.required("policy").text().endsWith("of the controller");
    if (name.startsWith("agent")) {
      noteLimits(seen, nowNanos);
    }
  }

  private void noteLimits(Seen seen, long nowNanos) {
    if (!seen.connected || seen.obeys) {
      if (seen.unlimitedSinceNanos != 0 && seen.obeys) {
        longestUntilLimited =
            Math.max(longestUntilLimited, (nowNanos - seen.unlimitedSinceNanos) / 1e9);
      }
      seen.unlimitedSinceNanos = 0;
    } else if (seen.unlimitedSinceNanos == 0) {
      seen.unlimitedSinceNanos = nowNanos;
    }
  }

  private Seen seen(String name) {
    return Objects.requireNonNull(members.get(name));
  }

  /** A member was killed: what it does not answer is not its controller's fault. */
  synchronized void down(String name) {
    Seen seen = members.get(name);
    if (seen != null) {
      seen.connected = false;
      seen.obeys = false;
      seen.unlimitedSinceNanos = 0;
    }
  }

  /** The machine stood still: whatever lasts was not this long. */
  private synchronized void startOver(long nowNanos) {
    for (Seen seen : members.values()) {
      seen.unlimitedSinceNanos = seen.unlimitedSinceNanos == 0 ? 0 : nowNanos;
    }
  }

  /** What was measured until now does not count. */
  synchronized void forget() {
    longestUntilLimited = 0;
  }

  boolean leads(String controller) {
    DocumentMap status = status(controller);
    return status != null && status.required("leads").bool();
  }

  synchronized boolean allIsWell() {
    return members.values().stream().allMatch(seen -> seen.connected && seen.obeys);
  }

  synchronized long highestEpoch() {
    return highestEpoch;
  }

  /** Where a member obeyed a leader that another had replaced. */
  synchronized List<String> wentBack() {
    return List.copyOf(wentBack);
  }

  synchronized double longestUntilLimitedSeconds() {
    return longestUntilLimited;
  }

  /** When a node first had orders of a leader after this one; empty where there is none. */
  synchronized OptionalLong heardOfSuccessorNanos(long epoch) {
    Map.Entry<Long, Long> next = firstHeardNanos.higherEntry(epoch);
    return next == null ? OptionalLong.empty() : OptionalLong.of(next.getValue());
  }

  @Override
  public synchronized String toString() {
    StringBuilder text = new StringBuilder();
    members.forEach((name, seen) ->
        text.append(name)
            .append(seen.connected ? " is connected" : " is not connected")
            .append(seen.obeys ? " and obeys; " : " and obeys nobody; "));
    return text.toString();
  }

  @Override
  public void close() {
    stopped = true;
    thread.interrupt();
  }
}
