package dev.sluice.core.policy.sojourn;

import dev.sluice.core.fair.WaterFilling;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Quantities.Counted;
import dev.sluice.core.policy.Explanation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The same idea for a single resource of which only rates can be set, and only usage is seen: what
 * a stage can do. A virtual schedule shares the resource by weight and gives each phase a date. Who
 * has time to spare keeps a part of its fair rate, and what that frees goes to who has least time
 * left by the virtual schedule.
 *
 * <p>A job wants all it can get where it was held back; else what it used and a quarter more, and
 * at least a sixteenth of its part by weight, with which it can begin. Its fair rate is what
 * max-min fairness by weight gives it, up to what it wants and to its limit.
 *
 * <p>Who got more than the virtual schedule would have given it is ahead until that has caught up,
 * also through its next phases. So many short phases are served no better than a long one, and who
 * makes pauses, or says that its phases are short, has nothing of it for long.
 *
 * <p>Not thread-safe.
 */
public final class SojournRates {
  /**
   * The part of what a job has by weight with which it can begin, whatever it did: one in so many.
   */
  private static final double START_PARTS = 16;

  /** How much more than it used a job may have that is not held back. */
  private static final double GROWTH = 1.25;

  /** Sizes tell what comes if neither is more than so many times the other. */
  private static final double ALIKE = 2;

  /**
   * Who is behind by what its fair rate comes to in so many seconds leaves nothing to others, so
   * that a phase that seems endless is not put off for as long.
   */
  private static final double PUT_OFF_SECONDS = 300;

  /** How many jobs that are gone are remembered for every resource. */
  static final int GONE_MAX = 4_096;

  private static final double NANOS_PER_SECOND = 1e9;

  private final String name;
  private final Counted counted;
  private SojournSetting setting;

  /** By job, those that were not there for the longest first. */
  private final LinkedHashMap<JobId, Memory> memories = new LinkedHashMap<>(16, 0.75f, true);

  private long turn;
  private List<SojournRate> last = List.of();
  private double maximum;

  /**
   * What a resource is to be divided by.
   *
   * @param weight what it weighs among the others
   * @param usedPerSecond what it was seen to use
   * @param heldBack whether it would have used more, had it been let
   * @param limitPerSecond the most that it may have; infinite where nobody said so
   */
  public record Claim(
      JobId job, double weight, double usedPerSecond, boolean heldBack, double limitPerSecond) {
    public Claim {
      if (!(weight > 0) || !(usedPerSecond >= 0) || !(limitPerSecond >= 0)) {
        throw new IllegalArgumentException(
            "job "
                + job
                + ": expected a weight above 0, and a usage and a limit of 0 or more, not "
                + weight
                + ", "
                + usedPerSecond
                + " and "
                + limitPerSecond);
      }
    }
  }

  /** What is remembered of a job. */
  private static final class Memory {
    /** What its last phases came to; 0 where there was none. */
    double lastTokens;

    double beforeTokens;

    /** What it has moved in this phase. */
    double movedTokens;

    /**
     * How much more it was served than by the virtual schedule. Negative where it was held back for
     * longer than it should have been, and no more so than by a phase.
     */
    double aheadTokens;

    /** What it was given last, really and by the virtual schedule. */
    double ratePerSecond;

    double virtualPerSecond;
    long seenTurn;

    void phaseEnds() {
      if (movedTokens > 0) {
        beforeTokens = lastTokens;
        lastTokens = movedTokens;
        movedTokens = 0;
      }
      aheadTokens = Math.max(-lastTokens, aheadTokens);
    }

    /** What a phase will come to; 0 where nobody knows. */
    double expectedTokens(double toldTokens) {
      if (toldTokens > 0 && (lastTokens == 0 || areAlike(toldTokens, lastTokens))) {
        return toldTokens;
      }
      if (beforeTokens == 0) {
        return lastTokens;
      }
      return areAlike(lastTokens, beforeTokens) ? (lastTokens + beforeTokens) / 2 : 0;
    }

    private static boolean areAlike(double one, double other) {
      return one <= ALIKE * other && other <= ALIKE * one;
    }
  }

  /**
   * Nothing is known of anybody.
   *
   * @param name what the resource is called
   * @param counted what of it
   */
  public SojournRates(String name, Counted counted, SojournSetting setting) {
    this.name = name;
    this.counted = counted;
    this.setting = setting;
  }

  /** Goes by this from now on, and forgets nothing. */
  public void follow(SojournSetting now) {
    setting = now;
  }

  /**
   * What each job may have a second until the next decision, in the order of the jobs.
   *
   * <p>Theorem. The rates add up to at most the maximum, to within the rounding of a sum of
   * doubles, and with any job that has no limit there to all of it. Nobody has more than its limit,
   * nobody that has no time to spare less than its fair rate, and who has, no less than {@code
   * keep} of it; nor is it behind the virtual schedule by more than five minutes of that for it. So
   * a phase takes at most {@code 1/keep} times as long as by max-min fairness among those that are
   * there. Nobody is given more than it wants while somebody wants what is left. Who is ahead of
   * the virtual schedule by what its phases come to is given no more than its fair rate, unless
   * others leave it.
   *
   * @param jobs those that are there, idle ones too, each once
   * @param periodNanos how long ago the last decision was
   */
  public double[] divide(double maximumPerSecond, List<Claim> jobs, long periodNanos) {
    turn++;
    maximum = maximumPerSecond;
    // Sums of doubles depend on the order, and what is decided shall not.
    int[] places =
        IntStream.range(0, jobs.size())
            .boxed()
            .sorted(Comparator.comparing(i -> jobs.get(i).job))
            .mapToInt(Integer::intValue)
            .toArray();
    List<Claim> ordered = Arrays.stream(places).mapToObj(jobs::get).toList();
    Round round = new Round(maximumPerSecond, ordered, periodNanos / NANOS_PER_SECOND);
    double[] decided = round.rates();
    last = round.lines(decided);
    forget(jobs.size());
    double[] rates = new double[decided.length];
    for (int k = 0; k < places.length; k++) {
      rates[places[k]] = decided[k];
    }
    return rates;
  }

  private void forget(int there) {
    Iterator<Memory> eldest = memories.values().iterator();
    for (int over = memories.size() - there - GONE_MAX; over > 0; over--) {
      eldest.next();
      eldest.remove();
    }
  }

  /** Why each job has its rate. */
  public Explanation explanation() {
    return new SojournRatesExplanation(name, counted, maximum, last);
  }

  /** Of how many jobs something is known. */
  int remembered() {
    return memories.size();
  }

  /** One decision, in columns. */
  private final class Round {
    final double maximum;
    final double seconds;
    final List<Claim> jobs;
    final int count;
    final Memory[] of;
    final double[] weights;
    final double[] limits;
    final double[] wants;
    final boolean[] quiet;

    /** Max-min fairness among those that want something. */
    final double[] fair;

    /** What is left of each phase; 0 where nobody knows. */
    final double[] restTokens;

    final double[] expectedTokens;

    /** What each has by the virtual schedule, where who is ahead is still served. */
    final double[] virtual;

    final boolean[] spare;
    final double[] leftSeconds;

    Round(double maximum, List<Claim> jobs, double seconds) {
      this.maximum = maximum;
      this.seconds = seconds;
      this.jobs = jobs;
      count = jobs.size();
      of = new Memory[count];
      weights = new double[count];
      limits = new double[count];
      wants = new double[count];
      quiet = new boolean[count];
      restTokens = new double[count];
      expectedTokens = new double[count];
      spare = new boolean[count];
      leftSeconds = new double[count];
      double sum = 0;
      for (Claim job : jobs) {
        sum += job.weight;
      }
      for (int i = 0; i < count; i++) {
        look(i, maximum * jobs.get(i).weight / sum);
      }
      double[] nothing = new double[count];
      fair = WaterFilling.between(weights, nothing, wants, maximum);
      double[] virtualWants = wants.clone();
      for (int i = 0; i < count; i++) {
        if (quiet[i]) {
          double ahead = of[i].aheadTokens / seconds;
          virtualWants[i] = Math.min(limits[i], Math.max(wants[i], ahead));
        }
      }
      double[] wanted = WaterFilling.between(weights, nothing, virtualWants, maximum);
      virtual = WaterFilling.between(weights, wanted, limits, maximum);
    }

    /** What a job has done since the last decision, and what it wants now. */
    private void look(int i, double part) {
      Claim job = jobs.get(i);
      Memory memory = memories.computeIfAbsent(job.job, _ -> new Memory());
      of[i] = memory;
      weights[i] = job.weight;
      limits[i] = Math.min(maximum, job.limitPerSecond);
      if (memory.seenTurn != turn - 1) {
        wasGone(memory, part);
      }
      double used = Math.min(maximum, job.usedPerSecond);
      quiet[i] = !job.heldBack && used <= part / START_PARTS;
      // Who was held back had all that it was given, whatever it says of it.
      double had = job.heldBack ? Math.max(used, memory.ratePerSecond) : used;
      double ahead = memory.aheadTokens + (had - memory.virtualPerSecond) * seconds;
      // Who could have had more and did not take it is not behind for that.
      double noLess = Math.min(0, memory.aheadTokens);
      if (quiet[i]) {
        memory.aheadTokens = Math.max(ahead, noLess);
        memory.phaseEnds();
      } else {
        memory.movedTokens += used * seconds;
        expectedTokens[i] = memory.expectedTokens(setting.phaseTokens(job.job));
        restTokens[i] = Math.max(0, expectedTokens[i] - memory.movedTokens);
        double least = -Math.max(expectedTokens[i], memory.lastTokens);
        memory.aheadTokens = Math.max(ahead, job.heldBack ? least : noLess);
      }
      memory.seenTurn = turn;
      wants[i] =
          job.heldBack
              ? limits[i]
              : Math.min(limits[i], Math.max(GROWTH * used, part / START_PARTS));
    }

    /** The virtual schedule has gone on meanwhile. */
    private void wasGone(Memory memory, double part) {
      memory.phaseEnds();
      double turns = (double) (turn - 1 - memory.seenTurn);
      memory.aheadTokens = Math.max(0, memory.aheadTokens - turns * part * seconds);
      memory.ratePerSecond = 0;
      memory.virtualPerSecond = 0;
    }

    double[] rates() {
      double[] rates = fair.clone();
      double free = maximum;
      for (int i = 0; i < count; i++) {
        leftSeconds[i] = Double.POSITIVE_INFINITY;
        if (restTokens[i] > 0 && virtual[i] > 0) {
          leftSeconds[i] = (of[i].aheadTokens + restTokens[i]) / virtual[i];
          double alone = restTokens[i] / limits[i];
          spare[i] =
              jobs.get(i).heldBack
                  && alone < setting.slack() * leftSeconds[i]
                  && of[i].aheadTokens > -PUT_OFF_SECONDS * fair[i];
          rates[i] = spare[i] ? setting.keep() * fair[i] : fair[i];
        }
        free -= rates[i];
      }
      for (int i : byTimeLeft()) {
        double more = Math.clamp(useful(i) - rates[i], 0, Math.max(0, free));
        rates[i] += more;
        free -= more;
      }
      rates = WaterFilling.between(weights, rates, wants, maximum);
      rates = WaterFilling.between(weights, rates, limits, maximum);
      for (int i = 0; i < count; i++) {
        of[i].ratePerSecond = rates[i];
        of[i].virtualPerSecond = virtual[i];
      }
      return rates;
    }

    /** Those with a date, who has least time first. */
    private int[] byTimeLeft() {
      return IntStream.range(0, count)
          .filter(i -> leftSeconds[i] < Double.POSITIVE_INFINITY)
          .boxed()
          .sorted(Comparator.comparingDouble(i -> leftSeconds[i]))
          .mapToInt(Integer::intValue)
          .toArray();
    }

    /**
     * The most that is worth giving to a job before others: what is left of its phase, and what
     * does not have it ahead by more than a phase.
     */
    private double useful(int i) {
      double rest = restTokens[i] / seconds;
      double ahead = virtual[i] + (expectedTokens[i] - of[i].aheadTokens) / seconds;
      return Math.min(wants[i], Math.min(rest, ahead));
    }

    List<SojournRate> lines(double[] rates) {
      List<SojournRate> lines = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        lines.add(
            new SojournRate(
                jobs.get(i),
                rates[i],
                fair[i],
                quiet[i],
                spare[i],
                expectedTokens[i],
                restTokens[i],
                of[i].aheadTokens,
                leftSeconds[i]));
      }
      return lines;
    }
  }

  /** The fair rate of each job in the last decision. */
  public Map<JobId, Double> fairRates() {
    Map<JobId, Double> rates = new LinkedHashMap<>();
    last.forEach(line -> rates.put(line.claim().job(), line.fairPerSecond()));
    return rates;
  }
}
