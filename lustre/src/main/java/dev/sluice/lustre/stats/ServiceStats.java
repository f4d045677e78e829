package dev.sluice.lustre.stats;

/**
 * What a service counted since its counting began: all requests that it took up, whatever they
 * were, and how long they had waited for that. Lookups that find nothing are in it.
 */
public record ServiceStats(long requests, long waitedMicros) {
  /** Before the first request. */
  public static final ServiceStats NONE = new ServiceStats(0, 0);

  /** Each request that is taken up adds a sample of how long it had waited. */
  private static final String WAITED = "req_waittime";

  /** Name, samples, the word, the unit, least, most, sum. */
  private static final int SUM = 6;

  /** Reads the text; throws {@link IllegalArgumentException} for what is not understood. */
  public static ServiceStats parse(String text) {
    for (String line : (Iterable<String>) text.lines()::iterator) {
      if (line.startsWith(WAITED)) {
        String[] words = line.strip().split("\\s+", -1);
        try {
          return new ServiceStats(Long.parseLong(words[1]), Long.parseLong(words[SUM]));
        } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
          throw new IllegalArgumentException(
              "stats: \""
                  + line.strip()
                  + "\": expected "
                  + WAITED
                  + " N samples [usecs] MIN MAX SUM",
              e);
        }
      }
    }
    return NONE;
  }

  /** What was counted since an earlier look; all of it where counting began anew since. */
  public ServiceStats since(ServiceStats earlier) {
    return requests < earlier.requests || waitedMicros < earlier.waitedMicros
        ? this
        : new ServiceStats(requests - earlier.requests, waitedMicros - earlier.waitedMicros);
  }
}
