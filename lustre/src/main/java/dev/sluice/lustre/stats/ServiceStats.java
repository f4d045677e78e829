package dev.sluice.lustre.stats;

/**
 * What a service counted since its counting began: all requests that it took up, whatever they
 * were, and how long they had waited for that. Lookups that find nothing are in it.
 *
 * @param requests that it took up
 * @param waitedMicros how long all of them had waited
 * @param timed requests of kinds whose time in service is counted, which is behind any filter
 * @param timedMicros how long all of these were in service
 * @param active the sum over all requests of how many were in service when each was taken up, on
 *     its partition, itself included
 */
public record ServiceStats(
    long requests, long waitedMicros, long timed, long timedMicros, long active) {
  /** Before the first request. */
  public static final ServiceStats NONE = new ServiceStats(0, 0, 0, 0, 0);

  /** Each request that is taken up adds a sample of how long it had waited. */
  private static final String WAITED = "req_waittime";

  /** And one of how many were in service. */
  private static final String ACTIVE = "req_active";

  /** What is counted of each kind of request; counters of the queue begin with this. */
  private static final String OF_QUEUE = "req";

  private static final String TIMES = "[usecs]";

  /** Name, samples, the word, the unit, least, most, sum. */
  private static final int UNIT = 3;

  private static final int SUM = 6;

  private static final double NANOS_PER_MICRO = 1e3;

  /** Where less is counted of times than this part of all requests, it says nothing of all. */
  private static final double TIMED_PART = 0.9;

  /** How many are in service where nobody says. */
  public static final double NOT_SAID = -1;

  /** Reads the text; throws {@link IllegalArgumentException} for what is not understood. */
  public static ServiceStats parse(String text) {
    ServiceStats all = NONE;
    for (String line : (Iterable<String>) text.lines()::iterator) {
      String[] words = line.strip().split("\\s+", -1);
      boolean times = words.length > UNIT && words[UNIT].equals(TIMES);
      if (words[0].equals(WAITED)) {
        all = all.plus(new ServiceStats(count(words, line), sum(words, line), 0, 0, 0));
      } else if (words[0].equals(ACTIVE)) {
        all = all.plus(new ServiceStats(0, 0, 0, 0, sum(words, line)));
      } else if (times && !words[0].startsWith(OF_QUEUE)) {
        all = all.plus(new ServiceStats(0, 0, count(words, line), sum(words, line), 0));
      }
    }
    return all;
  }

  private static long count(String[] words, String line) {
    return number(words, 1, line);
  }

  private static long sum(String[] words, String line) {
    return number(words, SUM, line);
  }

  private static long number(String[] words, int at, String line) {
    try {
      return Long.parseLong(words[at]);
    } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
      throw new IllegalArgumentException(
          "stats: \""
              + line.strip()
              + "\": expected "
              + words[0]
              + " N samples "
              + (words[0].equals(ACTIVE) ? "[reqs]" : TIMES)
              + " MIN MAX SUM",
          e);
    }
  }

  private ServiceStats plus(ServiceStats other) {
    return new ServiceStats(
        requests + other.requests,
        waitedMicros + other.waitedMicros,
        timed + other.timed,
        timedMicros + other.timedMicros,
        active + other.active);
  }

  /** What was counted since an earlier look; all of it where counting began anew since. */
  public ServiceStats since(ServiceStats earlier) {
    boolean anew =
        requests < earlier.requests
            || waitedMicros < earlier.waitedMicros
            || timed < earlier.timed
            || timedMicros < earlier.timedMicros
            || active < earlier.active;
    return anew
        ? this
        : new ServiceStats(
            requests - earlier.requests,
            waitedMicros - earlier.waitedMicros,
            timed - earlier.timed,
            timedMicros - earlier.timedMicros,
            active - earlier.active);
  }

  /**
   * How many requests were in service at once on average, if this was counted in so long: the time
   * that all were, by that of the period. Where times are counted of some kinds of requests only,
   * as on metadata servers, it is as many as those saw that were taken up, as if all partitions
   * were alike; {@link #NOT_SAID} where the service says neither.
   */
  public double inService(int partitions, long periodNanos) {
    if (requests == 0) {
      return 0;
    }
    if (timed >= TIMED_PART * requests) {
      return timedMicros * NANOS_PER_MICRO / periodNanos;
    }
    return active == 0 ? NOT_SAID : (double) active / requests * partitions;
  }
}
