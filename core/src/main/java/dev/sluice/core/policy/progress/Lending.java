package dev.sluice.core.policy.progress;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Quantities;
import dev.sluice.core.model.Quantities.Counted;
import dev.sluice.core.model.Rate;
import dev.sluice.core.model.Target;
import dev.sluice.core.policy.Explanation;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.policy.LocalRule;
import dev.sluice.core.policy.LocalStep;
import dev.sluice.core.policy.Observation;
import dev.sluice.core.policy.PolicyInfo.Parameter;
import dev.sluice.core.policy.Settings;
import dev.sluice.core.schedule.Shares;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Lends what jobs leave of the rates that they were given, between two decisions and on each target
 * alone: to jobs that want more than theirs, and to those that came since and have none.
 *
 * <p>A decision over all targets holds for seconds. Meanwhile a job may stop to do I/O, and its
 * rate is of use to nobody; and another may come, and a target whose jobs use all that they were
 * given does not serve it before the next decision. So a fiftieth of the target is kept for
 * newcomers, as long as there are some.
 *
 * @param claim by what those who borrow share what there is
 */
public record Lending(long periodNanos, ShareBasis claim) implements LocalRule {
  private static final String NAME = "lending";

  /** What can be set. */
  public static final Parameter PARAMETER =
      new Parameter(
          NAME,
          "100 ms",
          "how often each target by itself lends what jobs leave of their rates to others and to"
              + " newcomers; 0 s: never, as in the paper");

  /** The part of a target that newcomers have at least, all together. */
  static final double NEWCOMERS_PART = 0.02;

  private static final long PERIOD_NANOS_MIN = 1_000_000;
  private static final int BISECTIONS = 100;

  /** As it was set; null where it was set to never. */
  public static @Nullable Lending of(Settings settings, ShareBasis claim) {
    long nanos = settings.durationNanos(NAME);
    if (nanos != 0 && (nanos < PERIOD_NANOS_MIN || nanos > Observation.PERIOD_NANOS_MAX)) {
      throw new IllegalArgumentException(
          NAME + "=" + settings.text(NAME) + ": expected 0 s, or a duration from 1 ms to 1 h");
    }
    return nanos == 0 ? null : new Lending(nanos, claim);
  }

  /**
   * One look.
   *
   * <p>Theorem. Where what was decided fits what the target can serve:
   *
   * <ol>
   *   <li>Nobody loses what it was given: its limit is at least that, whether it wants it now or
   *       not. Only while there are newcomers may all limits be lower by at most a fiftieth.
   *   <li>If everybody wants again what it wanted since the last look, all limits together let pass
   *       what the target can serve and no more: whoever still wants its part gets it.
   *   <li>And no less, if so much was wanted: nothing is left idle that somebody could use.
   *   <li>Of those who want more than they get, nobody has more for its claim than another unless
   *       it was decided so, or is a newcomer and has its part of the fiftieth.
   * </ol>
   *
   * Who lends keeps its limit, so what it needs again it has again; until the next look it shares
   * the target with those who have borrowed.
   */
  @Override
  public LocalStep adjust(Shares decided, Observation seen) {
    Columns jobs = new Columns(decided, seen, claim);
    if (decided.size() == 0 || jobs.claims == 0) {
      return new LocalStep(decided, new NothingLent());
    }
    return jobs.lend();
  }

  /** Everybody who is listed or wants something, in ascending order of job id. */
  private static final class Columns {
    final Shares decided;
    final Target target;
    final int count;
    final JobId[] ids;
    final long[] nodes;

    /** Where it is listed; negative for newcomers. */
    final int[] places;

    /** What it was given, and what it wanted, in tokens a second. */
    final double[] given;

    final double[] wanted;

    /** Of those alone who want more than they were given. */
    final double[] claim;

    final double[] limits;

    final double capacity;

    /** Sum of the claims, of all and of newcomers. */
    double claims;

    double newClaims;

    Columns(Shares decided, Observation seen, ShareBasis basis) {
      this.decided = decided;
      target = seen.target();
      capacity = (double) target.tokensPerSecond();
      List<JobDemand> demands = seen.jobs();
      int most = decided.size() + demands.size();
      ids = new JobId[most];
      nodes = new long[most];
      places = new int[most];
      given = new double[most];
      wanted = new double[most];
      claim = new double[most];
      limits = new double[most];
      double perSecond = (double) Rate.NANOS_PER_SECOND / seen.periodNanos();
      int at = 0;
      int listed = 0;
      for (JobDemand demand : demands) {
        for (; isBefore(listed, demand.job()); listed++) {
          listed(at++, listed, 0);
        }
        double wants = demand.wantedTokens() * perSecond;
        if (listed < decided.size() && decided.job(listed).equals(demand.job())) {
          listed(at, listed++, wants);
        } else if (wants > 0) {
          ids[at] = demand.job();
          places[at] = -1;
          wanted[at] = wants;
        } else {
          continue;
        }
        nodes[at] = demand.nodes();
        if (wants > given[at]) {
          claim[at] = basis.of(demand);
          claims += claim[at];
          if (places[at] < 0) {
            newClaims += claim[at];
          }
        }
        at++;
      }
      for (; listed < decided.size(); listed++) {
        listed(at++, listed, 0);
      }
      count = at;
    }

    private boolean isBefore(int listed, JobId job) {
      return listed < decided.size() && decided.job(listed).compareTo(job) < 0;
    }

    private void listed(int at, int place, double wants) {
      ids[at] = decided.job(place);
      places[at] = place;
      given[at] = decided.tokensPerSecond(place);
      wanted[at] = wants;
    }

    LocalStep lend() {
      double kept = 0;
      for (int i = 0; i < count; i++) {
        kept += places[i] < 0 ? Math.min(wanted[i], keptFor(i)) : 0;
      }
      double part = kept == 0 ? 1 : part(capacity - kept);
      double spare = Math.max(0, capacity - kept - used(part));
      double[] floors = new double[count];
      double missing = 0;
      for (int i = 0; i < count; i++) {
        floors[i] = places[i] < 0 ? Math.min(wanted[i], keptFor(i)) : given[i] * part;
        missing += claim[i] > 0 ? wanted[i] - floors[i] : 0;
      }
      boolean isEnough = missing <= spare;
      double left = spare - missing;
      double level = isEnough ? 0 : level(floors, spare);
      for (int i = 0; i < count; i++) {
        limits[i] = floors[i];
        if (claim[i] > 0) {
          double fair = isEnough ? wanted[i] + left * claim[i] / claims : level * claim[i];
          limits[i] = Math.max(limits[i], Math.min(capacity, fair));
        }
        if (places[i] < 0) {
          // Who has one request outstanding asks for more only once it is served.
          limits[i] = Math.max(limits[i], keptFor(i));
        }
      }
      return new LocalStep(shares(part), new Lent(this, part));
    }

    /** What listed jobs use when they may have this part of what they were given. */
    private double used(double part) {
      double used = 0;
      for (int i = 0; i < count; i++) {
        used += Math.min(given[i] * part, wanted[i]);
      }
      return used;
    }

    /** What everybody may have of what it was given, so that no more than this is used. */
    private double part(double most) {
      double high = 1;
      double low = 1 - NEWCOMERS_PART;
      if (used(high) <= most) {
        return high;
      }
      for (int step = 0; step < BISECTIONS; step++) {
        double middle = (low + high) / 2;
        if (used(middle) <= most) {
          low = middle;
        } else {
          high = middle;
        }
      }
      return low;
    }

    /** What a newcomer has of the part that is kept for all of them. */
    private double keptFor(int newcomer) {
      return NEWCOMERS_PART * capacity * claim[newcomer] / newClaims;
    }

    /** Up to which rate for its claim everybody can have what it wants. */
    private double level(double[] floors, double spare) {
      // Whoever still wants more at that level has all of the target: claims are 1 or more.
      double high = capacity;
      double low = 0;
      for (int step = 0; step < BISECTIONS; step++) {
        double middle = (low + high) / 2;
        double taken = 0;
        for (int i = 0; i < count; i++) {
          taken += Math.max(0, Math.min(wanted[i], middle * claim[i]) - floors[i]);
        }
        if (taken <= spare) {
          low = middle;
        } else {
          high = middle;
        }
      }
      return low;
    }

    private Shares shares(double part) {
      double partsPerSecond =
          (double) decided.periodNanos() / Rate.NANOS_PER_SECOND * decided.partsPerToken();
      JobId[] jobs = new JobId[count];
      long[] parts = new long[count];
      long[] weights = new long[count];
      long[] reserved = new long[count];
      long[] borrowed = new long[count];
      for (int i = 0; i < count; i++) {
        int place = places[i];
        jobs[i] = ids[i];
        weights[i] = place < 0 ? nodes[i] : decided.weight(place);
        if (place < 0) {
          parts[i] = (long) (limits[i] * partsPerSecond);
        } else {
          // What is not changed is not rounded either.
          long atLeast = part == 1 || !decided.isLimited(place) ? decided.limitParts(place) : 0;
          parts[i] = Math.max(atLeast, (long) (limits[i] * partsPerSecond));
          reserved[i] = Math.min(decided.reservedParts(place), parts[i]);
          borrowed[i] = Math.min(decided.borrowedParts(place), parts[i]);
        }
      }
      return Shares.ofParts(jobs, parts, weights, decided.partsPerToken(), decided.periodNanos())
          .withReserves(reserved)
          .withBorrowed(borrowed)
          .withTurns(decided.turns());
    }
  }

  private record NothingLent() implements Explanation {
    @Override
    public String summary() {
      return "nobody wants more than it was given";
    }

    @Override
    public List<Reason> reasons() {
      return List.of();
    }
  }

  private record Lent(Columns jobs, double part) implements Explanation {
    @Override
    public String summary() {
      int borrowing = 0;
      int newcomers = 0;
      int lending = 0;
      double left = 0;
      for (int i = 0; i < jobs.count; i++) {
        if (jobs.places[i] < 0) {
          newcomers++;
        } else if (jobs.limits[i] > jobs.given[i]) {
          borrowing++;
        } else if (jobs.wanted[i] < jobs.given[i] && !Double.isInfinite(jobs.given[i])) {
          lending++;
          left += jobs.given[i] - jobs.wanted[i];
        }
      }
      return count(lending, "job leaves ", "jobs leave ")
          + rate(left)
          + ", "
          + count(
              borrowing, "job has more than it was given", "jobs have more than they were given")
          + ", and "
          + count(newcomers, "that came since is served", "that came since are served")
          + (part < 1 ? "; all others have a little less for it" : "");
    }

    private static String count(int count, String one, String several) {
      return count + " " + (count == 1 ? one : several);
    }

    private String rate(double perSecond) {
      return Quantities.formatRate(
          perSecond, jobs.target.unit().tokensPerByte() > 0 ? Counted.BYTES : Counted.OPERATIONS);
    }

    @Override
    public List<Reason> reasons() {
      List<Reason> reasons = new ArrayList<>();
      for (int i = 0; i < jobs.count; i++) {
        if (jobs.limits[i] != jobs.given[i]) {
          Map<String, Number> figures = new LinkedHashMap<>();
          figures.put("wanted", jobs.wanted[i]);
          figures.put("allocated", jobs.limits[i]);
          reasons.add(new Reason(jobs.ids[i], figures, words(i)));
        }
      }
      return reasons;
    }

    private String words(int i) {
      String now = "it may have " + rate(jobs.limits[i]) + " for now";
      if (jobs.places[i] < 0) {
        return now + ": it came after the decision";
      }
      return now
          + (jobs.limits[i] > jobs.given[i]
              ? ": others leave some of theirs"
              : ": somebody came after the decision");
    }
  }
}
