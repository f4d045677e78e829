package dev.sluice.control.history;

import dev.sluice.control.controller.ControllerStatus;
import dev.sluice.control.controller.ControllerStatus.Gateways;
import dev.sluice.control.controller.ControllerStatus.JobRate;
import dev.sluice.control.controller.ControllerStatus.JobState;
import dev.sluice.control.controller.ControllerStatus.ResourceState;
import dev.sluice.control.controller.ControllerStatus.TargetJob;
import dev.sluice.control.controller.ControllerStatus.TargetState;
import dev.sluice.control.gateways.TargetSeen.JobSeen;
import dev.sluice.core.model.LimitKey;
import dev.sluice.core.model.Quantities.Counted;
import dev.sluice.core.model.Rate;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.history.sample.Totals;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Counters of what jobs did on all nodes together, as history takes them. A controller is told
 * rates; each counts for the time until it is looked at again. Each resource is a target, and each
 * target of a gateway is one. Not thread-safe; it has no clock.
 */
final class ControllerTotals {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double NANOS_PER_MILLI = 1e6;

  private Map<Place, Counters> counted = new HashMap<>();
  private @Nullable Long lookedNanos;

  private record Place(String target, String job) {}

  /** What a job did so far; fractions are carried. */
  private static final class Counters {
    private double operations;
    private double readBytes;
    private double writtenBytes;
    private double waitedNanos;
  }

  /** What a job does on a target, and may do. */
  private record Doing(
      String job,
      String user,
      long weight,
      double operationsPerSecond,
      double readBytesPerSecond,
      double writtenBytesPerSecond,
      double waitedMillis,
      int queued,
      double allowedTokensPerSecond) {}

  /** The counters at an instant. */
  Totals look(ControllerStatus status, long nowNanos, long nowMillis) {
    double seconds = lookedNanos == null ? 0 : (nowNanos - lookedNanos) / NANOS_PER_SECOND;
    Map<Place, Counters> now = new HashMap<>();
    List<Totals.OfTarget> targets = new ArrayList<>();
    capacities(status)
        .forEach((key, capacity) -> {
          Target target = target(key, capacity);
          boolean known = capacity < Rate.TOKENS_PER_SECOND_MAX;
          targets.add(counted(target, known, 0, doing(status.jobs(), key), seconds, now));
        });
    Gateways gateways = status.gateways();
    if (gateways != null) {
      for (TargetState state : gateways.targets()) {
        boolean known = state.target().tokensPerSecond() < Rate.TOKENS_PER_SECOND_MAX;
        List<Doing> doing = state.jobs().stream().map(ControllerTotals::doing).toList();
        targets.add(counted(state.target(), known, state.queued(), doing, seconds, now));
      }
    }
    counted = now;
    lookedNanos = nowNanos;
    return new Totals(nowNanos, nowMillis, policy(status), false, targets);
  }

  /** Those that decide, each once. */
  private static String policy(ControllerStatus status) {
    Set<String> names = new LinkedHashSet<>();
    status.resources().forEach(resource -> names.add(resource.algorithm()));
    if (status.gateways() != null) {
      names.add(status.gateways().policy());
    }
    return String.join(", ", names);
  }

  /** What is divided, and what is only limited and so has no capacity that anybody knows. */
  private static Map<LimitKey, Long> capacities(ControllerStatus status) {
    Map<LimitKey, Long> capacities = new LinkedHashMap<>();
    for (ResourceState resource : status.resources()) {
      capacities.put(
          resource.key(), Math.clamp(resource.maximumPerSecond(), 1, Rate.TOKENS_PER_SECOND_MAX));
    }
    for (JobState job : status.jobs()) {
      job.rates().forEach(rate -> capacities.putIfAbsent(rate.key(), Rate.TOKENS_PER_SECOND_MAX));
    }
    return capacities;
  }

  private static Target target(LimitKey key, long capacity) {
    return new Target(
        key.toString(),
        capacity,
        key.counted() == Counted.BYTES ? TokenUnit.BYTES : TokenUnit.OPERATIONS);
  }

  private static List<Doing> doing(List<JobState> jobs, LimitKey key) {
    boolean bytes = key.counted() == Counted.BYTES;
    List<Doing> doing = new ArrayList<>();
    for (JobState job : jobs) {
      for (JobRate rate : job.rates()) {
        if (rate.key().equals(key) && rate.usedPerSecond() > 0) {
          double used = (double) rate.usedPerSecond();
          doing.add(
              new Doing(
                  job.job(),
                  job.user(),
                  1,
                  bytes ? 0 : used,
                  // A stage counts the bytes of reads and writes together.
                  bytes ? used : 0,
                  0,
                  0,
                  0,
                  rate.allowedPerSecond() < 0
                      ? Double.POSITIVE_INFINITY
                      : (double) rate.allowedPerSecond()));
        }
      }
    }
    return doing;
  }

  private static Doing doing(TargetJob job) {
    JobSeen seen = job.seen();
    return new Doing(
        seen.job(),
        seen.user(),
        job.weight(),
        seen.operationsPerSecond(),
        seen.readBytesPerSecond(),
        seen.writtenBytesPerSecond(),
        seen.waitedMillis(),
        seen.queued(),
        job.allowedTokensPerSecond());
  }

  private Totals.OfTarget counted(
      Target target,
      boolean capacityKnown,
      int queued,
      List<Doing> doing,
      double seconds,
      Map<Place, Counters> now) {
    List<Totals.OfJob> jobs = new ArrayList<>(doing.size());
    for (Doing one : doing) {
      Place place = new Place(target.name(), one.job);
      Counters counters = counted.getOrDefault(place, new Counters());
      now.put(place, counters);
      counters.operations += one.operationsPerSecond * seconds;
      counters.readBytes += one.readBytesPerSecond * seconds;
      counters.writtenBytes += one.writtenBytesPerSecond * seconds;
      // Where nothing is served, each that waits has waited all the time.
      counters.waitedNanos +=
          one.operationsPerSecond == 0
              ? one.queued * seconds * NANOS_PER_SECOND
              : one.operationsPerSecond * seconds * one.waitedMillis * NANOS_PER_MILLI;
      jobs.add(
          new Totals.OfJob(
              one.job,
              one.user,
              one.weight,
              (long) counters.operations,
              (long) counters.readBytes,
              (long) counters.writtenBytes,
              (long) counters.waitedNanos,
              one.queued,
              one.allowedTokensPerSecond));
    }
    return new Totals.OfTarget(target, capacityKnown, queued, jobs);
  }
}
