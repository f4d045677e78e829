package dev.sluice.lustre.stats;

import dev.sluice.lustre.LustreJobId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
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

  /** How many of them this reading has shown. */
  private int shown;

  private int malformed;
  private @Nullable String problem;

  /**
   * The entries of one target, in the order in which they were first shown: what is known of them
   * is in rows, so that those that come one after another lie so.
   */
  private static final class Target {
    /** What an entry showed last. */
    static final int START_NANOS = 0;

    static final int RPCS = 1;
    static final int READS = 2;
    static final int WRITES = 3;
    static final int READ_BYTES = 4;
    static final int WRITTEN_BYTES = 5;

    /** In which reading that was. */
    static final int SEEN = 6;

    static final int COLUMNS = 7;

    private static final int NONE = -1;

    final Map<String, Integer> rows = new HashMap<>();
    String[] names = new String[16];
    Tally[] tallies = new Tally[16];
    long[] counters = new long[16 * COLUMNS];

    /** Which entry came after an entry the last time. */
    int[] following = new int[16];

    long seen;

    /** The entry that was shown last in this reading. */
    int last = NONE;

    /** The row of a job; mostly it comes after the same one as in the reading before. */
    @SuppressWarnings("ReferenceEquality") // Only to save a comparison.
    int find(String job) {
      int expected = last == NONE ? 0 : following[last];
      if (expected < rows.size()) {
        String name = names[expected];
        if (name == job || name.equals(job)) {
          return expected;
        }
      }
      return rows.getOrDefault(job, NONE);
    }

    void follow(int row) {
      if (last != NONE) {
        following[last] = row;
      }
      last = row;
    }

    int add(String job, Tally tally) {
      int row = rows.size();
      if (row == names.length) {
        names = Arrays.copyOf(names, 2 * row);
        tallies = Arrays.copyOf(tallies, 2 * row);
        following = Arrays.copyOf(following, 2 * row);
        counters = Arrays.copyOf(counters, 2 * row * COLUMNS);
      }
      rows.put(job, row);
      names[row] = job;
      tallies[row] = tally;
      following[row] = row + 1;
      return row;
    }

    /** Forgets entries that were not shown since a reading; what follows what is learnt anew. */
    void forget(long oldest, Consumer<Tally> forgotten) {
      int kept = 0;
      int size = rows.size();
      for (int row = 0; row < size; row++) {
        if (counters[row * COLUMNS + SEEN] <= oldest) {
          rows.remove(names[row]);
          forgotten.accept(tallies[row]);
        } else {
          rows.put(names[row], kept);
          names[kept] = names[row];
          tallies[kept] = tallies[row];
          following[kept] = kept + 1;
          System.arraycopy(counters, row * COLUMNS, counters, kept * COLUMNS, COLUMNS);
          kept++;
        }
      }
      last = NONE;
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
    shown = 0;
    lastTarget = null;
    malformed = 0;
    problem = null;
  }

  @Override
  public void job(JobSample sample) {
    Target target = target(sample.target());
    if (target.seen != reading) {
      target.seen = reading;
      target.last = Target.NONE;
    }
    int row = target.find(sample.job());
    boolean known = row != Target.NONE;
    if (!known) {
      if (entries == ENTRIES_MAX) {
        malformed("more than " + ENTRIES_MAX + " entries; the rest is left out");
        return;
      }
      Tally tally = tallies.computeIfAbsent(sample.job(), id -> new Tally(new LustreJobId(id)));
      tally.entries++;
      entries++;
      row = target.add(sample.job(), tally);
    }
    target.follow(row);
    long[] counters = target.counters;
    int at = row * Target.COLUMNS;
    // What was counted before we came may be days old. A target that comes later was mounted later
    // or had no job yet, and servers forget their counts at a mount.
    if (hasBegun) {
      add(target.tallies[row], counters, at, sample, known);
    }
    shown += counters[at + Target.SEEN] == reading ? 0 : 1;
    counters[at + Target.START_NANOS] = sample.startNanos();
    counters[at + Target.RPCS] = sample.rpcs();
    counters[at + Target.READS] = sample.reads();
    counters[at + Target.WRITES] = sample.writes();
    counters[at + Target.READ_BYTES] = sample.readBytes();
    counters[at + Target.WRITTEN_BYTES] = sample.writtenBytes();
    counters[at + Target.SEEN] = reading;
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

  private static void add(Tally tally, long[] before, int at, JobSample now, boolean known) {
    boolean anew =
        !known
            || now.startNanos() != before[at + Target.START_NANOS]
            || now.rpcs() < before[at + Target.RPCS];
    tally.rpcs = plus(tally.rpcs, now.rpcs(), anew ? 0 : before[at + Target.RPCS]);
    tally.reads = plus(tally.reads, now.reads(), anew ? 0 : before[at + Target.READS]);
    tally.writes = plus(tally.writes, now.writes(), anew ? 0 : before[at + Target.WRITES]);
    tally.readBytes =
        plus(tally.readBytes, now.readBytes(), anew ? 0 : before[at + Target.READ_BYTES]);
    tally.writtenBytes =
        plus(tally.writtenBytes, now.writtenBytes(), anew ? 0 : before[at + Target.WRITTEN_BYTES]);
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
    if (shown == entries) {
      return;
    }
    long oldest = reading - FORGET_READINGS;
    targets
        .values()
        .removeIf(target -> {
          target.forget(oldest, this::forget);
          return target.rows.isEmpty() && target.seen <= oldest;
        });
    lastTarget = null;
  }

  private void forget(Tally tally) {
    entries--;
    tally.entries--;
    if (tally.entries == 0 && tally.rpcs == 0) {
      tallies.remove(tally.job.bytes());
    }
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
      counted += target.rows.size();
      for (String job : target.rows.keySet()) {
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
