package dev.sluice.core.period;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Picks one of several rhythms: the one that chance explains least. So the short rhythm wins over a
 * longer one that rides on it, because it has more cycles.
 *
 * <p>Except for what goes on inside a phase: requests that follow each other evenly are no rhythm
 * of the job. Such a rhythm is given up for a slower one within whose last burst it was seen, and
 * altogether if it has come in spells before.
 */
final class Choice {
  /** A pause of so many cycles ends a rhythm. */
  static final double PAUSE_CYCLES = 4;

  /** Bursts that are longer than so many cycles of a rhythm are spells of it. */
  private static final double SPELL_CYCLES = 2;

  /** After so many spells of a rhythm the next one says nothing about the job. */
  private static final int SPELLS_MAX = 1;

  /** A slower rhythm must have so many times the period of the one it replaces. */
  private static final double SLOWER_FACTOR = 2;

  /** A slower rhythm whose next burst is so late may be over. */
  private static final double LATE_CYCLES = 1.5;

  private final LoadHistory history;
  private final long nowNanos;

  Choice(LoadHistory history, long nowNanos) {
    this.history = history;
    this.nowNanos = nowNanos;
  }

  /** The rhythm of the job, if it has one. */
  Optional<Candidate> among(List<Candidate> all) {
    List<Candidate> candidates = all.stream().filter(each -> !comesInSpells(each)).toList();
    Optional<Candidate> best = leastLikely(candidates);
    Optional<Candidate> slower = best;
    while (slower.isPresent()) {
      Candidate fast = slower.get();
      best = slower;
      slower = leastLikely(candidates.stream().filter(slow -> contains(slow, fast)).toList());
    }
    return best;
  }

  private static Optional<Candidate> leastLikely(List<Candidate> candidates) {
    return candidates.stream().min(Comparator.comparingDouble(Candidate::logChance));
  }

  private boolean contains(Candidate slow, Candidate fast) {
    return slow.periodNanos() > SLOWER_FACTOR * fast.periodNanos()
        && fast.firstBeginNanos() > slow.lastBeginNanos() - fast.periodNanos()
        && fast.lastBeginNanos() < slow.lastEndNanos() + fast.periodNanos()
        && slow.cyclesSinceLastBurst(nowNanos) < LATE_CYCLES;
  }

  private boolean comesInSpells(Candidate candidate) {
    int level = candidate.view().level();
    while (level + 1 < LoadHistory.LEVELS
        && LoadHistory.binNanos(level + 1) < SPELL_CYCLES * candidate.periodNanos()) {
      level++;
    }
    Signal signal = history.signal(level, nowNanos);
    double cycleBins = candidate.periodNanos() / signal.binNanos();
    Bursts runs = new Bursts(signal.length());
    runs.findIn(signal, Background.NONE);
    Bursts spells = new Bursts(signal.length());
    spells.join(runs, (int) (PAUSE_CYCLES * cycleBins));
    int earlier = 0;
    for (int spell = 0; spell < spells.size() - 1; spell++) {
      // Where a burst begins and ends within its bins is unknown; one bin less is certain.
      earlier += spells.length(spell) - 1 > SPELL_CYCLES * cycleBins ? 1 : 0;
    }
    return earlier > SPELLS_MAX;
  }
}
