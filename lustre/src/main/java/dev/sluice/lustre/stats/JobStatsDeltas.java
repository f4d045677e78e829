package dev.sluice.lustre.stats;

import dev.sluice.lustre.LustreJobId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Turns counters that only grow into what jobs did between two readings, over all targets of a
 * server. Nothing is ever cleared on the server: others read the same counters. Not thread-safe.
 *
 * <p>Theorem. If every reading shows every entry, then what {@link #take} hands out over time adds
 * up to what the counters grew by since the first complete reading, where a counter that began anew
 * counts from zero. An entry that a reading missed is made good by the next that has it; one that a
 * reading shows twice counts once.
 */
public final class JobStatsDeltas implements JobStatsSink {
  /**
   * For how many readings an entry that is not shown is remembered. Servers hand the list out in
   * pieces while it changes, so that one may be missed; its old counts must not look like news when
   * it is back.
   */
  private static final int FORGET_READINGS = 16;

  /** A bound on what a server can make us keep: a hundred thousand jobs on ten targets. */
  static final int ENTRIES_MAX = 1_000_000;

  private static final long SUM_MAX = 1L << 61;

  private final Map<String, Target> targets = new HashMap<>();
  private final Map<String, Tally> tallies = new HashMap<>();
  private long reading;

  /** Whether a first reading has told what the counters were before we came. */
  private boolean hasBegun;

  private @Nullable Target lastTarget;
  private @Nullable String lastName;
  private int entries;
  private int malformed;
  private @Nullable String problem;

  /** The entries of one target. */
  private static final class Target {
    final Map<String, Counters> jobs = new HashMap<>();
    long seen;

    /** The entry that was shown last in this reading; null before the first. */
    private @Nullable Counters last;

    /** The entry of a job; mostly it comes after the same one as in the reading before. */
    @Nullable Counters find(String job) {
      Counters expected = last == null ? null : last.following;
      boolean isIt = expected != null && !expected.forgotten && expected.name.equals(job);
      return isIt ? expected : jobs.get(job);
    }

    void follow(Counters shown) {
      if (last != null) {
        last.following = shown;
      }
      last = shown;
    }
  }

  /** What an entry showed last. */
  private static final class Counters {
    final String name;
    final Tally tally;
    @Nullable Counters following;
    boolean forgotten;
    long startNanos;
    long rpcs;
    long reads;
    long writes;
    long readBytes;
    long writtenBytes;
    long seen;

    Counters(String name, Tally tally) {
      this.name = name;
      this.tally = tally;
    }
  }

  /** What a job did since somebody took it. */
  private static final class Tally {
    final LustreJobId job;
    int entries;
    long rpcs;
    long reads;
    long writes;
    long readBytes;
    long writtenBytes;

    Tally(LustreJobId job) {
      this.job = job;
    }
  }

  /** A new reading of all targets begins. */
  public void beginReading() {
    reading++;
    lastTarget = null;
    malformed = 0;
    problem = null;
  }

  @Override
  public void job(JobSample sample) {
    Target target = target(sample.target());
    if (target.seen != reading) {
      target.seen = reading;
      target.last = null;
    }
    Counters counters = target.find(sample.job());
    boolean known = counters != null;
    if (counters == null) {
      if (entries == ENTRIES_MAX) {
        malformed("more than " + ENTRIES_MAX + " entries; the rest is left out");
        return;
      }
      Tally tally = tallies.computeIfAbsent(sample.job(), id -> new Tally(new LustreJobId(id)));
      tally.entries++;
      entries++;
      counters = new Counters(sample.job(), tally);
      target.jobs.put(sample.job(), counters);
    }
    target.follow(counters);
    // What was counted before we came may be days old. A target that comes later was mounted later
    // or had no job yet, and servers forget their counts at a mount.
    if (hasBegun) {
      add(counters, sample, known);
    }
    counters.startNanos = sample.startNanos();
    counters.rpcs = sample.rpcs();
    counters.reads = sample.reads();
    counters.writes = sample.writes();
    counters.readBytes = sample.readBytes();
    counters.writtenBytes = sample.writtenBytes();
    counters.seen = reading;
  }

  /** Entries of a target come one after another. */
  @SuppressWarnings("ReferenceEquality") // The same name, mostly; else it is looked up.
  private Target target(String name) {
    Target last = lastTarget;
    if (last == null || name != lastName) {
      last = targets.computeIfAbsent(name, _ -> new Target());
      lastTarget = last;
      lastName = name;
    }
    return last;
  }

  private static void add(Counters before, JobSample now, boolean known) {
    boolean anew = !known || now.startNanos() != before.startNanos || now.rpcs() < before.rpcs;
    Tally tally = before.tally;
    tally.rpcs = plus(tally.rpcs, now.rpcs(), anew ? 0 : before.rpcs);
    tally.reads = plus(tally.reads, now.reads(), anew ? 0 : before.reads);
    tally.writes = plus(tally.writes, now.writes(), anew ? 0 : before.writes);
    tally.readBytes = plus(tally.readBytes, now.readBytes(), anew ? 0 : before.readBytes);
    tally.writtenBytes =
        plus(tally.writtenBytes, now.writtenBytes(), anew ? 0 : before.writtenBytes);
  }

  /** Bounded, so that counters of a server gone mad do not turn round. */
  private static long plus(long sum, long now, long before) {
    return Math.min(SUM_MAX, sum + Math.max(0, now - before));
  }

  @Override
  public void malformed(String what) {
    malformed++;
    if (problem == null) {
      problem = what;
    }
  }

  /** What was not understood in this reading, in a sentence; null where all was. */
  public @Nullable String problem() {
    return malformed <= 1 ? problem : problem + " (and " + (malformed - 1) + " more like it)";
  }

  /** The reading is complete: what has not been shown for long is forgotten. */
  public void endReading() {
    hasBegun = true;
    long oldest = reading - FORGET_READINGS;
    targets
        .values()
        .removeIf(target -> {
          target.jobs.values().removeIf(counters -> counters.seen <= oldest && forget(counters));
          return target.jobs.isEmpty() && target.seen <= oldest;
        });
  }

  private boolean forget(Counters counters) {
    counters.forgotten = true;
    entries--;
    Tally tally = counters.tally;
    tally.entries--;
    if (tally.entries == 0 && tally.rpcs == 0) {
      tallies.remove(tally.job.bytes());
    }
    return true;
  }

  /**
   * What jobs did since the last time, and begins to count anew. Jobs that did nothing are not in
   * it.
   */
  public List<JobActivity> take() {
    List<JobActivity> active = new ArrayList<>();
    tallies
        .values()
        .removeIf(tally -> {
          if (tally.rpcs > 0) {
            active.add(
                new JobActivity(
                    tally.job,
                    tally.rpcs,
                    tally.reads,
                    tally.writes,
                    tally.readBytes,
                    tally.writtenBytes));
          }
          tally.rpcs = 0;
          tally.reads = 0;
          tally.writes = 0;
          tally.readBytes = 0;
          tally.writtenBytes = 0;
          return tally.entries == 0;
        });
    return active;
  }

  /** The targets of which there are entries. */
  public int targets() {
    return targets.size();
  }

  /** Throws {@link IllegalStateException} where the books do not agree. */
  public void checkInvariants() {
    int counted = 0;
    Map<String, Integer> references = new HashMap<>();
    for (Target target : targets.values()) {
      counted += target.jobs.size();
      for (String job : target.jobs.keySet()) {
        references.merge(job, 1, Integer::sum);
      }
    }
    if (counted != entries) {
      throw new IllegalStateException(counted + " entries are kept, and " + entries + " counted");
    }
    for (Tally tally : tallies.values()) {
      int found = references.getOrDefault(tally.job.bytes(), 0);
      if (tally.entries != found || tally.rpcs < 0) {
        throw new IllegalStateException(
            tally.job + ": " + found + " entries, " + tally.entries + " counted");
      }
    }
  }
}
