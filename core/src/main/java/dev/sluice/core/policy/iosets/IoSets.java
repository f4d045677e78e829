package dev.sluice.core.policy.iosets;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Target;
import dev.sluice.core.policy.Allocation;
import dev.sluice.core.policy.Cadence;
import dev.sluice.core.policy.Cluster;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.policy.Observation;
import dev.sluice.core.policy.Policy;
import dev.sluice.core.policy.StateCodec;
import dev.sluice.core.policy.Step;
import dev.sluice.core.policy.iosets.IoSetsState.Remembered;
import dev.sluice.core.schedule.Shares;
import dev.sluice.core.schedule.Turns;
import dev.sluice.core.schedule.iosets.IoSetsScheduler;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Set-10 of IO-Sets (Boito, Pallez, Teylo and Vidal, 2023): every job goes to the set of its
 * period's order of magnitude. Nobody is limited; the scheduler serves by set and priority.
 *
 * <p>A priority that somebody gave counts before a period that is known, and that before one that
 * was found. A job of which nothing is known is a set of its own, until a phase lasts so long that
 * S1 or a later set must be its own: such jobs take turns, and with a priority of 1/50 at most; a
 * job whose period was found once stays where that put it until another is found.
 */
final class IoSets implements Policy<IoSetsState> {
  /** A job that was not reported for so long is forgotten; few have longer periods. */
  static final long FORGOTTEN_AFTER_NANOS = 6 * 3_600_000_000_000L;

  /** Phases that are shorter than those of this set say nothing about the period. */
  private static final int FIRST_SET_OF_PHASES = 1;

  private final SetMapping mapping;
  private final double confidenceMin;
  private final double error;
  private final KnownPeriods known;
  private final Turns turns;
  private final Variant variant;

  IoSets(
      SetMapping mapping,
      double confidenceMin,
      double error,
      KnownPeriods known,
      Turns turns,
      Variant variant) {
    this.mapping = mapping;
    this.confidenceMin = confidenceMin;
    this.error = error;
    this.known = known;
    this.turns = turns;
    this.variant = variant;
  }

  @Override
  public IoSetsState initialState(Cluster cluster) {
    return new IoSetsState(cluster.only(), Map.of());
  }

  @Override
  public StateCodec<IoSetsState> codec() {
    return new IoSetsCodec(mapping);
  }

  @Override
  public Step<IoSetsState> decide(IoSetsState state, Observation seen) {
    Target target = seen.target();
    boolean isSame = target.name().equals(state.target().name());
    Map<JobId, Remembered> jobs = new TreeMap<>(isSame ? state.jobs() : Map.of());
    seen.ended().forEach(jobs::remove);
    jobs.values().removeIf(job -> seen.nowNanos() - job.seenNanos() > FORGOTTEN_AFTER_NANOS);
    BitSet numbers = new BitSet();
    jobs.values()
        .forEach(job -> {
          if (job.standing() instanceof Standing.Alone(int number)) {
            numbers.set(number);
          }
        });
    List<Standing> here = new ArrayList<>();
    for (JobDemand demand : seen.jobs()) {
      Remembered before = jobs.get(demand.job());
      Standing standing = standing(cadence(demand), before == null ? null : before.standing());
      if (standing == null) {
        int free = numbers.nextClearBit(1);
        numbers.set(free);
        standing = new Standing.Alone(free);
      }
      jobs.put(demand.job(), new Remembered(standing, seen.nowNanos()));
      here.add(standing);
    }
    Shares shares = shares(seen, here);
    return new Step<>(
        new IoSetsState(target, jobs),
        new Allocation(Map.of(target.name(), shares)),
        new IoSetsExplanation(target, here, shares));
  }

  private Cadence cadence(JobDemand demand) {
    return known.of(
        demand.cadence() instanceof Cadence.Every(long nanos, double confidence) && error > 0
            ? demand.withCadence(new Cadence.Every(falsified(demand.job(), nanos), confidence))
            : demand);
  }

  /** Longer or shorter by the error, which of both being as good as random for every finding. */
  private long falsified(JobId job, long nanos) {
    long mixed = (nanos ^ (long) job.hashCode() << 32) * 0x9e3779b97f4a7c15L;
    double factor = 1 + (mixed < 0 ? -error : error);
    return Math.max(1, (long) (nanos * factor));
  }

  /** Where a job stands; null where nothing is known of it and nothing ever was. */
  private @Nullable Standing standing(Cadence cadence, @Nullable Standing before) {
    return switch (cadence) {
      case Cadence.Prioritised(double priority) -> new Standing.Given(priority);
      case Cadence.Every(long nanos, double confidence) when confidence >= confidenceMin -> {
        int set =
            before instanceof Standing.Member member
                ? mapping.set(nanos, member.index())
                : mapping.set(nanos);
        long weight = SetMapping.weight(mapping.priority(set));
        yield new Standing.Member(set, weight, nanos / 1e9, confidence);
      }
      case Cadence.AtLeast(long nanos)
          when !(before instanceof Standing.Member)
              && mapping.set(nanos) >= FIRST_SET_OF_PHASES -> {
        int set = mapping.set(nanos);
        // Never before those of which nothing is known: so much is known that it moves much.
        long weight =
            Math.min(SetMapping.weight(mapping.priority(set)), IoSetsScheduler.UNLISTED_WEIGHT);
        yield new Standing.NotBefore(set, weight, nanos / 1e9);
      }
      // What somebody gave and took away again is no finding that one could keep.
      case Cadence.Every _, Cadence.AtLeast _, Cadence.Unknown _ ->
          before instanceof Standing.Given ? null : before;
    };
  }

  private Shares shares(Observation seen, List<Standing> here) {
    int count = here.size();
    JobId[] jobs = new JobId[count];
    long[] unlimited = new long[count];
    long[] weights = new long[count];
    Arrays.fill(unlimited, Shares.UNLIMITED);
    for (int i = 0; i < count; i++) {
      jobs[i] = seen.jobs().get(i).job();
      weights[i] = weight(here.get(i), i);
    }
    return Shares.ofColumns(jobs, unlimited, weights, seen.periodNanos()).withTurns(turns);
  }

  /**
   * The weight of the job at this place. Sets are told apart by their weights, so where priorities
   * are to be alike, or sets to be of one job, weights differ by next to nothing.
   */
  private long weight(Standing standing, int place) {
    return switch (variant) {
      case FULL -> standing.weight();
      case EQUAL ->
          IoSetsScheduler.PRIORITY_ONE
              + switch (standing) {
                case Standing.Member member -> 1_000 + member.index();
                case Standing.NotBefore waits -> 1_000 + waits.index();
                case Standing.Alone alone -> 2_000 + alone.number();
                case Standing.Given _ -> 0;
              };
      case ALONE -> Math.min(standing.weight() + place, IoSetsScheduler.WEIGHT_MAX);
      case ONE -> IoSetsScheduler.PRIORITY_ONE;
    };
  }
}
