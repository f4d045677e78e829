package dev.sluice.history.alert;

import dev.sluice.core.model.Quantities;
import dev.sluice.history.model.Sample;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Finds in samples what an alert could be about. Not thread-safe; it has no clock.
 *
 * <p>How long a job waits: as long as its requests waited for each that was served; and where none
 * is served although some wait, as long as that has lasted.
 */
public final class AlertConditions {
  /** Jobs whose starving is followed, over all targets. */
  private static final int STARVING_MAX = 10_000;

  private Map<String, Long> starvingMillis = Map.of();

  /**
   * What is so now, in words.
   *
   * @param waitingMillis from when on a wait is worth telling; null where none is
   */
  public Map<AlertKey, String> of(Sample sample, @Nullable Long waitingMillis) {
    Map<AlertKey, String> seen = new LinkedHashMap<>();
    Map<String, Long> starving = new HashMap<>();
    for (Sample.OfTarget target : sample.targets()) {
      if (target.saturatedMillis() > 0) {
        seen.put(
            new AlertKey(AlertKind.TARGET_SATURATED, target.name()),
            "target " + target.name() + " serves all that it can; " + target.queued() + " wait");
      }
      for (Sample.OfJob job : target.jobs()) {
        long waits = waits(target, job, sample.spanMillis(), starving);
        if (waitingMillis != null && waits >= waitingMillis && !job.id().equals(Sample.OTHERS)) {
          seen.put(
              new AlertKey(AlertKind.JOB_WAITING, job.id()),
              "requests of job "
                  + job.id()
                  + " wait "
                  + Quantities.formatDuration(TimeUnit.MILLISECONDS.toNanos(waits))
                  + " on target "
                  + target.name());
        }
      }
    }
    starvingMillis = starving;
    return seen;
  }

  private long waits(
      Sample.OfTarget target, Sample.OfJob job, int spanMillis, Map<String, Long> starving) {
    if (job.operations() > 0) {
      return job.waitedMicros() / 1_000 / job.operations();
    }
    String key = target.name() + '\n' + job.id();
    long millis = starvingMillis.getOrDefault(key, 0L) + spanMillis;
    if (starving.size() < STARVING_MAX) {
      starving.put(key, millis);
    }
    return millis;
  }
}
