package dev.sluice.core.capacity;

import java.util.Locale;
import java.util.Map;

/**
 * Finds out what a service can do whose requests are not handed out here, from sums that it shows
 * once a period. All that can be set is how many requests a second it is given ({@link
 * #perSecond}), and who has a queue in front of it waits there.
 *
 * <p>While it keeps up, it delivers what it is given and requests take as long as in calm. Given
 * more, it delivers what it can and requests take longer: they queue inside. So what it is given
 * climbs while somebody waits for more and requests take no longer ({@link Ceiling}), and is cut to
 * what was delivered where they do and what is delivered does not follow. What queues inside is
 * served first: for a period it is given so much less.
 *
 * <p>How long requests take in calm is seen after a cut, when what was queued has been served.
 * Before the first, the service is given a part of what it delivered for a few periods: if requests
 * then take much less time they had queued, and it had been in full use; if not, nothing is known,
 * and it is given all there is again.
 *
 * <p>While nobody waits nothing is learnt. Not thread-safe; the caller brings the time.
 */
public final class ServiceCapacity {
  /** Requests that take so many times as long as in calm have queued. */
  private static final double STRETCHED = 1.5;

  /** And at least so many must have. */
  private static final double QUEUED_MIN = 0.5;

  /** With fewer at once nothing can have queued before anything is known. */
  private static final double CROWDED = 1.5;

  /** For so many periods it must look in full use before anything is done about it. */
  private static final int CROWDED_PERIODS = 3;

  private static final int FULL_PERIODS = 4;
  private static final int LACKING_PERIODS = 10;

  /** A service in full use for so long although it delivers what it was given has too much. */
  private static final int LONG_FULL_PERIODS = 12;

  /** Periods whose standard error is larger than this may have been a burst into a cache. */
  private static final double STEADY_ERROR = 0.15;

  /** Over so many periods what is delivered is averaged. */
  private static final int WINDOW_PERIODS = 5;

  /** A cut has so many periods to show. */
  private static final int SETTLE_PERIODS = 2;

  /** After so many, requests take as long as in calm, if it keeps up. */
  private static final int CALM_PERIODS = 4;

  /** Delivering as much of what it is given is keeping up. */
  private static final double KEEPS_UP = 0.95;

  /** Delivering as much of the ceiling counts as trying it. */
  private static final double TRIED = 0.85;

  private static final double DOUBT_MIN = 0.03;
  private static final double DOUBT_MAX = 0.1;

  /** So many standard errors are no reason to believe that less is delivered than given. */
  private static final double DOUBT_ERRORS = 2.5;

  /** What is delivered for about so many seconds is not a burst. */
  private static final double LASTING_SECONDS = 8;

  /** What a period shows of calm counts so much. */
  private static final double CALM_GAIN = 0.1;

  /** A calm that is longer than before may be a queue that was not served yet. */
  private static final double CALM_RISE_MAX = 3;

  /** It is never given less than this part of what it can do to serve what queues inside. */
  private static final double DRAINED_MIN = 0.3;

  /** To see calm for the first time it is given this part of what it delivered. */
  private static final double LOOK_PART = 0.4;

  /** While requests in service become fewer by as much in a period, some had queued. */
  private static final double STILL_FALLING = 0.9;

  private static final int LOOK_PERIODS_MIN = 2;
  private static final int LOOK_PERIODS_MAX = 8;

  /** After a look that found nothing, so many periods pass before the next, and twice as many. */
  private static final int LOOK_AGAIN_PERIODS = 30;

  private static final int LOOK_AGAIN_PERIODS_MAX = 960;

  private enum Phase {
    /** Nothing is known, and it is given all there is. */
    OPEN,
    /** It is given little for a moment, to see whether requests take less time then. */
    LOOKING,
    STEADY
  }

  private final CapacityBounds bounds;
  private final Ceiling ceiling = new Ceiling();
  private Phase phase = Phase.OPEN;

  /** What it is given in the period that begins. */
  private double givenPerSecond;

  /** How long requests take in calm; 0 while nobody knows. */
  private double calmSeconds;

  /** By period, of those in which somebody waited or that were in full use. */
  private final double[] delivered = new double[WINDOW_PERIODS];

  private final double[] given = new double[WINDOW_PERIODS];
  private long periods;

  /** For how many periods it has looked in full use. */
  private int fullPeriods;

  /** For how many it has delivered less than it was given, for whatever reason. */
  private int lackingPeriods;

  private int periodsSinceCut;

  /** Whether calm was not seen since the last cut. */
  private boolean seeksCalm;

  private double lookedAtPerSecond;
  private double lookedAtTookSeconds;
  private double lookedAtInService;
  private boolean waitedBeforeLook;
  private int lookPeriods;
  private int lookAgainPeriods;
  private int nextLookAgainPeriods = LOOK_AGAIN_PERIODS;

  private double lastingPerSecond;
  private double lastInService;
  private double lastStretch = 1;
  private boolean lowered;
  private String why = "nothing was seen yet";
  private long whyNanos;

  public ServiceCapacity(CapacityBounds bounds, long nowNanos) {
    this.bounds = bounds;
    this.givenPerSecond = (double) bounds.mostPerSecond();
    this.whyNanos = nowNanos;
  }

  /**
   * Goes on from what was known of it before, unless something is known by now.
   *
   * @param perSecond requests that it could serve
   * @param calmNanos how long requests took in calm
   */
  public void remember(double perSecond, long calmNanos, long nowNanos) {
    if (isKnown()) {
      return;
    }
    calmSeconds = calmNanos / 1e9;
    lastingPerSecond = perSecond;
    ceiling.cut(perSecond, 0);
    periodsSinceCut = SETTLE_PERIODS;
    phase = Phase.STEADY;
    fullPeriods = 0;
    give(ceiling.perSecond());
    say("it did so much before a restart", nowNanos);
  }

  /** Whether anything can be said of what it can do. */
  public boolean isKnown() {
    return ceiling.isKnown();
  }

  /**
   * What it is to be given in the period that begins, in requests a second.
   *
   * <p>Theorem. It is within the bounds, whatever is seen.
   */
  public long perSecond() {
    return Math.round(givenPerSecond);
  }

  /** Whether that is all there is, because nobody knows what it can do. */
  public boolean isOpen() {
    return phase == Phase.OPEN;
  }

  /** Whether requests queued inside it in the last period, as far as can be told. */
  public boolean isCrowded() {
    return phase == Phase.LOOKING || fullPeriods > 0;
  }

  /** Whether that is less than before because it was too much: then every percent counts. */
  public boolean isLowered() {
    return lowered;
  }

  /** What is believed now. */
  public CapacityBelief belief() {
    return new CapacityBelief(
        isKnown(),
        believedPerSecond(),
        deliveredPerSecond(WINDOW_PERIODS),
        lastInService,
        lastStretch,
        Math.round(calmSeconds * 1e9),
        why,
        whyNanos,
        Map.of());
  }

  /** Not what is just being tried, unless it was delivered for a while: a cache takes bursts in. */
  private double believedPerSecond() {
    return isKnown()
        ? bounds.within(Math.min(Math.max(ceiling.most(), lastingPerSecond), ceiling.perSecond()))
        : (double) bounds.mostPerSecond();
  }

  /** A period is over, during which it was given {@link #perSecond}. */
  public void observe(ServicePeriod seen, long nowNanos) {
    lowered = false;
    if (seen.served() == 0) {
      return;
    }
    lookAgainPeriods = Math.max(0, lookAgainPeriods - 1);
    lastInService = seen.inService();
    lastStretch = calmSeconds == 0 ? 1 : seen.tookSeconds() / calmSeconds;
    switch (phase) {
      case OPEN -> open(seen);
      case LOOKING -> look(seen, nowNanos);
      case STEADY -> steady(seen, nowNanos);
    }
  }

  // ---- Before anything is known ----

  private void open(ServicePeriod seen) {
    // Nobody is held back, so whoever waits does so because the service has no room.
    boolean waits = seen.waiting() >= 1 && !seen.heldBack();
    if (!waits && seen.inService() < CROWDED) {
      fullPeriods = 0;
      return;
    }
    note(seen);
    fullPeriods++;
    if (fullPeriods >= CROWDED_PERIODS) {
      beginLook(seen, waits);
    }
  }

  /** Gives it little, to see calm, unless that was in vain not long ago. */
  private void beginLook(ServicePeriod seen, boolean waits) {
    if (lookAgainPeriods > 0 || relativeError(CROWDED_PERIODS) > STEADY_ERROR) {
      return;
    }
    lookedAtPerSecond = deliveredPerSecond(CROWDED_PERIODS);
    lookedAtTookSeconds = seen.tookSeconds();
    lookedAtInService = seen.inService();
    waitedBeforeLook = waits;
    lookPeriods = 0;
    phase = Phase.LOOKING;
    give(LOOK_PART * lookedAtPerSecond);
    lowered = true;
  }

  private void look(ServicePeriod seen, long nowNanos) {
    lookPeriods++;
    boolean falling = seen.inService() <= STILL_FALLING * lookedAtInService;
    lookedAtInService = seen.inService();
    if ((falling || lookPeriods < LOOK_PERIODS_MIN) && lookPeriods < LOOK_PERIODS_MAX) {
      return;
    }
    calmSeconds = seen.tookSeconds();
    lastStretch = 1;
    fullPeriods = 0;
    lackingPeriods = 0;
    lookAgainPeriods = nextLookAgainPeriods;
    if (waitedBeforeLook || lookedAtTookSeconds >= STRETCHED * calmSeconds) {
      say(
          isKnown()
              ? "given less, it served requests sooner: they had queued"
              : "in full use for the first time, it delivered so much",
          nowNanos);
      nextLookAgainPeriods = LOOK_AGAIN_PERIODS;
      lastingPerSecond = lookedAtPerSecond;
      ceiling.cut(lookedAtPerSecond, 0);
      periodsSinceCut = SETTLE_PERIODS;
      seeksCalm = false;
    } else {
      nextLookAgainPeriods = Math.min(LOOK_AGAIN_PERIODS_MAX, 2 * nextLookAgainPeriods);
    }
    phase = isKnown() ? Phase.STEADY : Phase.OPEN;
    give(isKnown() ? ceiling.perSecond() : (double) bounds.mostPerSecond());
  }

  // ---- From then on ----

  private void steady(ServicePeriod seen, long nowNanos) {
    periodsSinceCut++;
    double queued = seen.inService() - seen.perSecond() * calmSeconds;
    // What was seen is the mean of a period in which some of it was served.
    double left = queued - Math.max(0, seen.perSecond() - givenPerSecond) * seen.seconds() / 2;
    boolean full = lastStretch >= STRETCHED && queued >= QUEUED_MIN;
    fullPeriods = full ? fullPeriods + 1 : 0;
    // It delivers less than it is given, and nobody waits for more: perhaps nobody wants more, and
    // perhaps all that is wanted queues inside and has for so long that it looks like calm.
    boolean lacks =
        !full
            && !seen.heldBack()
            && seen.inService() >= CROWDED
            && seen.perSecond() < KEEPS_UP * givenPerSecond;
    lackingPeriods = lacks ? lackingPeriods + 1 : 0;
    if (full || seen.heldBack() || lacks) {
      note(seen);
    }
    boolean keepsUp = seen.perSecond() >= KEEPS_UP * ceiling.perSecond();
    if (seeksCalm && periodsSinceCut >= CALM_PERIODS && keepsUp) {
      seeksCalm = false;
      calmSeconds = Math.min(seen.tookSeconds(), CALM_RISE_MAX * calmSeconds);
    } else if (!full || (keepsUp && fullPeriods < FULL_PERIODS)) {
      followCalm(seen);
    }
    if (full && periodsSinceCut > SETTLE_PERIODS && fullPeriods >= FULL_PERIODS && cut(nowNanos)) {
      drain(left, seen.seconds());
    } else if (full && periodsSinceCut < CALM_PERIODS) {
      drain(left, seen.seconds());
    } else if (lackingPeriods >= LACKING_PERIODS && lookAgainPeriods == 0) {
      beginLook(seen, false);
    } else {
      if (fullPeriods < FULL_PERIODS / 2
          && seen.heldBack()
          && seen.perSecond() >= TRIED * ceiling.perSecond()) {
        ceiling.climb(seen.seconds());
      }
      give(ceiling.perSecond());
    }
  }

  /** Cuts what it is given to what it delivered, where that is less; says whether it did. */
  private boolean cut(long nowNanos) {
    // The first of them may have begun before the service was short.
    int last = Math.min(WINDOW_PERIODS, Math.max(1, fullPeriods - 1));
    double rate = deliveredPerSecond(last);
    boolean delivers = rate >= (1 - doubt()) * givenPerSecond(last);
    if (delivers && fullPeriods < LONG_FULL_PERIODS) {
      return false;
    }
    double before = ceiling.perSecond();
    double to = delivers ? before : rate;
    // Where requests queue though it keeps up, it is unsteady, and what it can do is not exact.
    ceiling.cut(to, delivers ? Ceiling.UNSTEADY : relativeError(WINDOW_PERIODS));
    lastingPerSecond = Math.min(lastingPerSecond, to);
    periodsSinceCut = 0;
    seeksCalm = true;
    fullPeriods = 0;
    say(
        String.format(
            Locale.ROOT,
            "requests took longer and no more were served: it was given %.0f %% of what it"
                + " delivered",
            100 * before / to),
        nowNanos);
    return true;
  }

  /** Gives it less for a period, so that what is queued inside is served. */
  private void drain(double queued, double seconds) {
    double all = ceiling.perSecond();
    give(Math.max(DRAINED_MIN * all, all - Math.max(0, queued) / seconds));
    lowered = true;
  }

  private void give(double perSecond) {
    givenPerSecond = bounds.within(perSecond);
  }

  /** Requests took this long while it kept up; what takes much longer counts as some longer. */
  private void followCalm(ServicePeriod seen) {
    double most = CALM_RISE_MAX * calmSeconds;
    calmSeconds += CALM_GAIN * (Math.min(seen.tookSeconds(), most) - calmSeconds);
  }

  private void note(ServicePeriod seen) {
    int at = (int) (periods % WINDOW_PERIODS);
    delivered[at] = seen.perSecond();
    given[at] = Math.min(givenPerSecond, seen.perSecond() * 2);
    periods++;
    double part = Math.min(1, seen.seconds() / LASTING_SECONDS);
    lastingPerSecond += part * (seen.perSecond() - lastingPerSecond);
  }

  private double deliveredPerSecond(int last) {
    return mean(delivered, last);
  }

  private double givenPerSecond(int last) {
    return Math.min(mean(given, last), ceiling.perSecond());
  }

  private double mean(double[] of, int last) {
    double sum = 0;
    long from = Math.max(0, periods - last);
    for (long i = from; i < periods; i++) {
      sum += of[(int) (i % WINDOW_PERIODS)];
    }
    return periods == from ? 0 : sum / (periods - from);
  }

  /** How much less may be delivered than given by chance. */
  private double doubt() {
    return Math.clamp(DOUBT_ERRORS * relativeError(WINDOW_PERIODS), DOUBT_MIN, DOUBT_MAX);
  }

  /** The standard error of what was delivered over the last periods, as a part of it. */
  private double relativeError(int last) {
    double mean = deliveredPerSecond(last);
    double squares = 0;
    long from = Math.max(0, periods - last);
    for (long i = from; i < periods; i++) {
      double off = delivered[(int) (i % WINDOW_PERIODS)] - mean;
      squares += off * off;
    }
    return mean == 0 ? 0 : Math.sqrt(squares) / (periods - from) / mean;
  }

  private void say(String words, long nowNanos) {
    why = words;
    whyNanos = nowNanos;
  }

  /** Throws {@link IllegalStateException} where what is known does not fit together. */
  public void checkInvariants() {
    if (!(givenPerSecond >= bounds.leastPerSecond() && givenPerSecond <= bounds.mostPerSecond())
        || !(calmSeconds >= 0 && calmSeconds < Double.POSITIVE_INFINITY)
        || (phase != Phase.LOOKING && isKnown() != (phase == Phase.STEADY))) {
      throw new IllegalStateException(
          phase + ", given " + givenPerSecond + ", in calm " + calmSeconds + " s");
    }
  }
}
