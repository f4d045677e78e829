package dev.sluice.core.period;

import java.util.ArrayList;
import java.util.List;

/**
 * Looks at a history in many views and collects the rhythms that chance does not explain.
 *
 * <p>What a burst is depends on the job: fragments of one phase must be joined, small writes
 * between phases left out, a steady background taken away. So every level is looked at with and
 * without a background, with several gaps up to which bursts are joined and several volumes below
 * which they are left out. How likely chance is ({@link Chance}) makes all these comparable, and
 * counts how much was tried.
 */
final class PeriodSearch {
  /** A cycle of fewer bins is seen better by the next finer level. */
  private static final int CYCLE_BINS_MIN = 16;

  /** And one of more bins by the next coarser level; the two ranges overlap. */
  private static final int CYCLE_BINS_MAX = 128;

  /** So many cycles must have passed before there is an answer. */
  private static final int CYCLES_MIN = 3;

  private static final int[] GAPS = {0, 1, 2, 4, 8, 16, 32, 64};

  /** Shares of a typical burst's volume. */
  private static final double[] VOLUME_SHARES = {0, 0.003, 0.01, 0.03, 0.1, 0.3};

  /** What chance explains with a higher probability is no rhythm. */
  private static final double LOG_CHANCE_MAX = Math.log(0.006);

  private static final double LOG_DOUBT_JOINED = Math.log(3);
  private static final double LOG_DOUBT_BACKGROUND = Math.log(3);
  private static final double LOG_DOUBT_LEFT_OUT = Math.log(5);

  /** Bursts of all sizes are rather those of somebody who is not periodic. */
  private static final double LOG_DOUBT_UNLIKE = Math.log(5);

  /** A rhythm's bursts hold at least this share of the bytes. */
  private static final double EXPLAINED_MIN = 0.5;

  /** The pauses between bursts are at least so many times as long as those within. */
  private static final double PAUSE_FACTOR_MIN = 1.5;

  /** Bursts are at least so many times as large as what was left out as noise. */
  private static final double VOLUME_FACTOR_MIN = 2;

  /** Only in a burst of so many bins is the second one surely full. */
  private static final int BINS_FOR_FRACTION = 3;

  private static final double SWOLLEN_FACTOR = 1.5;

  private final LoadHistory history;
  private final long nowNanos;
  private final Bursts runs = new Bursts(LoadHistory.BINS);
  private final Bursts joined = new Bursts(LoadHistory.BINS);
  private final Bursts kept = new Bursts(LoadHistory.BINS);
  private final double[] begins = new double[LoadHistory.BINS];
  private final List<Candidate> candidates = new ArrayList<>();
  private boolean burstsSeen;

  PeriodSearch(LoadHistory history, long nowNanos) {
    this.history = history;
    this.nowNanos = nowNanos;
  }

  /** All rhythms that are hardly chance. */
  List<Candidate> candidates() {
    for (int level = 0; level < LoadHistory.LEVELS; level++) {
      Signal signal = history.signal(level, nowNanos);
      if (signal.length() < CYCLES_MIN * CYCLE_BINS_MIN) {
        break;
      }
      lookAt(signal, level, Background.NONE);
      Background background = Background.of(signal);
      if (background.mean() > 0) {
        lookAt(signal, level, background);
      }
    }
    return candidates;
  }

  /** Whether there were enough bursts to compare, once the candidates have been looked for. */
  boolean sawBursts() {
    return burstsSeen;
  }

  /** The bursts of a candidate. */
  List<Burst> burstsOf(Candidate candidate) {
    View view = candidate.view();
    Signal signal = history.signal(view.level(), nowNanos);
    runs.findIn(signal, view.background());
    joined.join(runs, view.gapBins());
    kept.keep(joined, view.volumeMin());
    List<Burst> bursts = new ArrayList<>();
    for (int burst = 0; burst < kept.size(); burst++) {
      long begin = signal.nanosAt(kept.begin(burst));
      if (begin >= candidate.firstBeginNanos()) {
        bursts.add(new Burst(begin, signal.nanosAt(kept.end(burst)), kept.volume(burst)));
      }
    }
    return bursts;
  }

  private void lookAt(Signal signal, int level, Background background) {
    runs.findIn(signal, background);
    int sizeBefore = -1;
    for (int gap : GAPS) {
      joined.join(runs, gap);
      if (joined.size() <= Rhythm.INTERVALS_MIN) {
        return;
      }
      burstsSeen = true;
      // Joining is nested: as many bursts as before are the same bursts.
      if (joined.size() != sizeBefore) {
        sizeBefore = joined.size();
        if (signal.cut() && joined.begin(0) <= gap) {
          joined.dropFirst();
        }
        leaveOut(signal, level, background, gap);
      }
    }
  }

  private void leaveOut(Signal signal, int level, Background background, int gap) {
    double typical = joined.typicalVolume();
    int sizeBefore = -1;
    for (double share : VOLUME_SHARES) {
      kept.keep(joined, share * typical);
      if (kept.size() <= Rhythm.INTERVALS_MIN) {
        return;
      }
      if (kept.size() != sizeBefore) {
        sizeBefore = kept.size();
        consider(signal, new View(level, background, gap, share * typical));
      }
    }
  }

  private void consider(Signal signal, View view) {
    for (int burst = 0; burst < kept.size(); burst++) {
      begins[burst] = exactBegin(signal, view.background(), burst);
    }
    Rhythm even = Rhythm.of(begins, kept.size(), randomness(view.gapBins()));
    Rhythm rhythm = even.doubted(logDoubt(view, even.first()));
    if (rhythm.logChance() > LOG_CHANCE_MAX
        || rhythm.mean() < CYCLE_BINS_MIN
        || rhythm.mean() >= CYCLE_BINS_MAX
        || rhythm.mean() * CYCLES_MIN > signal.length()
        || !isDistinct(view, rhythm.first())
        || isSwollen(rhythm.first())) {
      return;
    }
    int last = kept.size() - 1;
    candidates.add(
        new Candidate(
            view,
            rhythm,
            rhythm.mean() * signal.binNanos(),
            rhythm.first() > 0,
            signal.nanosAt(kept.begin(rhythm.first())),
            signal.nanosAt(kept.begin(last)),
            signal.nanosAt(kept.end(last))));
  }

  /** Where a burst begins, with the fraction that the load of its first bin tells. */
  private double exactBegin(Signal signal, Background background, int burst) {
    int bin = kept.begin(burst);
    if (kept.length(burst) < BINS_FOR_FRACTION) {
      return bin;
    }
    double first = signal.load(bin) - background.mean();
    double second = signal.load(bin + 1) - background.mean();
    return bin + 1 - Math.clamp(first / second, 0, 1);
  }

  /**
   * How much intervals vary by chance: they are a burst and a pause, both of random length, of
   * which the pause is longer than those that are joined.
   */
  private double randomness(int gap) {
    int last = kept.size() - 1;
    double busy = 0;
    for (int burst = 0; burst < last; burst++) {
      busy += kept.length(burst);
    }
    double all = kept.begin(last) - kept.begin(0);
    double idle = Math.max(0, all - busy - last * (gap + 1.0));
    return Math.hypot(busy, idle) / all;
  }

  /** The more a view does to the bursts, the easier it finds a rhythm where none is. */
  private double logDoubt(View view, int first) {
    return (joined.size() < runs.size() ? LOG_DOUBT_JOINED : 0)
        + (view.background().mean() > 0 ? LOG_DOUBT_BACKGROUND : 0)
        + (kept.size() < joined.size() ? LOG_DOUBT_LEFT_OUT : 0)
        + (kept.areAlike(first) ? 0 : LOG_DOUBT_UNLIKE);
  }

  /**
   * Whether bursts are something else than what was joined and what was left out. Where pauses of
   * all lengths exist, joining at any length makes bursts that are evenly apart.
   */
  private boolean isDistinct(View view, int first) {
    int within = 0;
    int between = Integer.MAX_VALUE;
    double smallest = Double.MAX_VALUE;
    for (int burst = first; burst < kept.size() - 1; burst++) {
      within = Math.max(within, kept.gap(burst));
      between = Math.min(between, kept.begin(burst + 1) - kept.end(burst));
      smallest = Math.min(smallest, kept.volume(burst));
    }
    int begin = kept.begin(first);
    return between >= PAUSE_FACTOR_MIN * within
        && smallest >= VOLUME_FACTOR_MIN * joined.largestBelow(view.volumeMin(), begin)
        && kept.volumeFrom(begin) >= EXPLAINED_MIN * joined.volumeFrom(begin);
  }

  /**
   * Whether the last burst has become longer and more fragmented than any before it: then it is no
   * burst, but a faster rhythm that this view joins.
   */
  private boolean isSwollen(int first) {
    int last = kept.size() - 1;
    int longest = 0;
    int parts = 0;
    for (int burst = first; burst < last; burst++) {
      longest = Math.max(longest, kept.length(burst));
      parts = Math.max(parts, kept.parts(burst));
    }
    return kept.length(last) > SWOLLEN_FACTOR * longest + 2
        && kept.parts(last) > SWOLLEN_FACTOR * parts + 1;
  }
}
