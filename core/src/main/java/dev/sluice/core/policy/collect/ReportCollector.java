package dev.sluice.core.policy.collect;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Quantities;
import dev.sluice.core.model.Target;
import dev.sluice.core.policy.JobDemand;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Collects the reports of the targets that are decided about together, one round a decision. It
 * neither sends nor receives: whoever does tells it what came, and asks it what to do.
 *
 * <p>Theorem. A round ends in a decision if and only if more than four fifths of the targets that
 * are waited for reported in it, before its time was up, and no two reports contradict each other;
 * as soon as all targets have, or all that are waited for and half of the time is up. The decision
 * is about exactly the targets that reported. A report of another round, or of a target that is not
 * among them, never has part in a decision. So targets that are not waited for cannot hold a
 * decision up for longer than that, whatever they do, unless they contradict others.
 *
 * <p>Not thread-safe; the caller brings the time.
 */
public final class ReportCollector {
  /** How long targets may take, unless the period is shorter than twice that. */
  public static final long TIMEOUT_NANOS = 1_000_000_000L;

  /**
   * What part of that those have that are not waited for. Without it, one that is as quick as the
   * others would have part only in rounds in which it happens not to be the last.
   */
  private static final int COURTESY_PART = 2;

  private final Set<String> targets;
  private final long timeoutNanos;

  private long round;
  private boolean open;
  private long beganNanos;

  /** How long the demand took to come together that is asked for. */
  private long spanNanos;

  /** Those among the targets that this round does not wait for. */
  private Set<String> notAwaited = Set.of();

  private final Map<String, TargetReport> reports = new LinkedHashMap<>();

  /** Which reports of this round were not used, by target and so no more than there are targets. */
  private final Map<String, String> unused = new LinkedHashMap<>();

  private @Nullable String stranger;
  private @Nullable String contradiction;

  public ReportCollector(Collection<String> targets, long periodNanos) {
    this.targets = new LinkedHashSet<>(targets);
    this.timeoutNanos = Math.min(TIMEOUT_NANOS, periodNanos / 2);
    if (this.targets.isEmpty()) {
      throw new IllegalArgumentException("there is no target to ask");
    }
  }

  /** Begins a round that waits for all; one that is still open is given up. */
  public long ask(long spanNanos, long nowNanos) {
    return ask(spanNanos, Set.of(), nowNanos);
  }

  /**
   * Begins a round; one that is still open is given up.
   *
   * @param spanNanos how long the demand took to come together that is asked for
   * @param unawaited targets whose reports count if they come in time, and are not waited for when
   *     half of it is up; where that would be all of them, all are waited for
   * @return the number that reports of this round must have
   */
  public long ask(long spanNanos, Set<String> unawaited, long nowNanos) {
    round++;
    notAwaited = unawaited.containsAll(targets) ? Set.of() : Set.copyOf(unawaited);
    open = true;
    beganNanos = nowNanos;
    this.spanNanos = spanNanos;
    reports.clear();
    contradiction = null;
    return round;
  }

  /** A report came. What cannot be used changes nothing, and is spoken of when the round ends. */
  public void report(TargetReport report) {
    String name = report.target().name();
    if (!targets.contains(name)) {
      stranger = "a report of " + name + ", which is not among the targets, is not used";
    } else if (report.round() != round || !open) {
      unused.put(
          name,
          "a report of "
              + name
              + " is not used: it is of round "
              + report.round()
              + (report.round() == round ? ", which is over" : ", and this is " + round));
    } else {
      TargetReport first = reports.putIfAbsent(name, report);
      if (first != null && !first.equals(report)) {
        contradiction = "target " + name + " reported twice, and not the same";
      }
    }
  }

  /** What has come of the round so far; a round that is over is told once. */
  public Collected collect(long nowNanos) {
    if (!open) {
      return new Collected.Nothing();
    }
    boolean isLate = nowNanos - dueNanos() >= 0;
    if (contradiction == null && reports.size() < targets.size() && !isLate) {
      return new Collected.Waiting(dueNanos());
    }
    open = false;
    String against = reasonAgainst();
    List<String> notes = notes();
    unused.clear();
    stranger = null;
    if (against != null) {
      notes.addFirst(against + ", so nothing is changed");
      return new Collected.Refused(String.join("; ", notes));
    }
    Map<Target, List<JobDemand>> seen = LinkedHashMap.newLinkedHashMap(reports.size());
    reports.values().forEach(report -> seen.put(report.target(), report.jobs()));
    return new Collected.Ready(seen, spanNanos, notes);
  }

  /** Whether a round has begun and what came of it was not told. */
  public boolean isOpen() {
    return open;
  }

  /** Until when reports are waited for; the largest number while none are. */
  public long dueNanos() {
    if (!open) {
      return Long.MAX_VALUE;
    }
    boolean isForCourtesy = awaited() == awaitedReports();
    return beganNanos + (isForCourtesy ? timeoutNanos / COURTESY_PART : timeoutNanos);
  }

  private long awaited() {
    return targets.stream().filter(target -> !notAwaited.contains(target)).count();
  }

  private long awaitedReports() {
    return reports.keySet().stream().filter(target -> !notAwaited.contains(target)).count();
  }

  private @Nullable String reasonAgainst() {
    if (contradiction != null) {
      return contradiction;
    }
    // In whole numbers: four of five are not more than four fifths.
    if (5 * awaitedReports() <= 4 * awaited()) {
      return "only "
          + awaitedReports()
          + " of "
          + awaited()
          + " targets reported within "
          + Quantities.formatDuration(timeoutNanos)
          + ", and more than 80 % must";
    }
    return disagreement();
  }

  /** Two targets that say different things about one job; null where there are none. */
  private @Nullable String disagreement() {
    Map<JobId, JobDemand> known = new HashMap<>();
    for (TargetReport report : reports.values()) {
      String name = report.target().name();
      Set<JobId> here = new LinkedHashSet<>();
      for (JobDemand demand : report.jobs()) {
        if (!here.add(demand.job())) {
          return "target " + name + " reported job " + demand.job() + " twice";
        }
        JobDemand first = known.putIfAbsent(demand.job(), demand);
        if (first != null && !first.claim().isOfSameJob(demand.claim())) {
          return "target "
              + name
              + " reported job "
              + demand.job()
              + " with other nodes, weight or application than another target";
        }
      }
    }
    return null;
  }

  private List<String> notes() {
    List<String> notes = new ArrayList<>();
    for (String target : targets) {
      if (!reports.containsKey(target)) {
        notes.add("target " + target + " did not report in time and is left as it is");
      }
    }
    notes.addAll(unused.values());
    if (stranger != null) {
      notes.add(stranger);
    }
    return notes;
  }
}
