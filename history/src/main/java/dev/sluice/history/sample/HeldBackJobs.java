package dev.sluice.history.sample;

import dev.sluice.history.model.Sample;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Finds the jobs of which it is worth asking why they have to wait: once a minute those that waited
 * longest, and the same one not again for a while. Not thread-safe; it has no clock.
 */
public final class HeldBackJobs {
  /** So many reasons a minute tell what is wrong; more would only fill the disk. */
  static final int JOBS_PER_MINUTE = 5;

  private static final long MINUTE_MILLIS = TimeUnit.MINUTES.toMillis(1);
  private static final long NOT_AGAIN_MILLIS = TimeUnit.MINUTES.toMillis(10);

  /** Whoever waited for less than this of a minute is not worth it. */
  private static final long HELD_BACK_MILLIS_MIN = 5_000;

  private final Map<String, Long> heldBackMillis = new HashMap<>();
  private final Map<String, Long> askedMillis = new HashMap<>();
  private long minuteEndMillis = Long.MIN_VALUE;

  /** The jobs to ask about now; mostly none. */
  public List<String> look(Sample sample) {
    long now = sample.endMillis();
    for (Sample.OfTarget target : sample.targets()) {
      for (Sample.OfJob job : target.jobs()) {
        if (job.heldBackMillis() > 0 && !job.id().equals(Sample.OTHERS)) {
          heldBackMillis.merge(job.id(), (long) job.heldBackMillis(), Long::sum);
        }
      }
    }
    if (minuteEndMillis == Long.MIN_VALUE || now < minuteEndMillis - MINUTE_MILLIS) {
      minuteEndMillis = now + MINUTE_MILLIS;
    }
    if (now < minuteEndMillis) {
      return List.of();
    }
    minuteEndMillis = now + MINUTE_MILLIS;
    askedMillis.values().removeIf(asked -> now - asked >= NOT_AGAIN_MILLIS);
    List<String> longest =
        heldBackMillis.entrySet().stream()
            .filter(job -> job.getValue() >= HELD_BACK_MILLIS_MIN)
            .filter(job -> !askedMillis.containsKey(job.getKey()))
            .sorted(
                Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder())
                    .thenComparing(Map.Entry::getKey))
            .limit(JOBS_PER_MINUTE)
            .map(Map.Entry::getKey)
            .toList();
    longest.forEach(job -> askedMillis.put(job, now));
    heldBackMillis.clear();
    return longest;
  }
}
