package dev.sluice.core.policy.sojourn;

import dev.sluice.core.model.JobId;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * What is remembered from one decision to the next.
 *
 * @param phases what jobs do I/O and how far they are, in ascending order of job id
 * @param sizes what a phase of an application comes to for one process, in ascending order of its
 *     id
 */
record SojournAllState(Map<JobId, Phase> phases, Map<JobId, Size> sizes) {
  static final SojournAllState EMPTY = new SojournAllState(Map.of(), Map.of());

  /** An application of which nothing was seen for so long is forgotten. */
  static final long FORGOTTEN_AFTER_NANOS = 30 * 86_400_000_000_000L;

  SojournAllState {
    phases = Collections.unmodifiableMap(new TreeMap<>(phases));
    sizes = Collections.unmodifiableMap(new TreeMap<>(sizes));
  }

  /**
   * How far a phase is, in tokens of one process.
   *
   * @param application what its job runs
   * @param virtualTokens how far it is by the virtual schedule
   */
  record Phase(JobId application, double tokens, double virtualTokens) {
    private static final Phase NEW = new Phase(JobId.of("new"), 0, 0);

    Phase goneOn(double movedTokens) {
      return new Phase(application, tokens + movedTokens, virtualTokens);
    }

    Phase withVirtual(double tokensByThen, JobId run) {
      return new Phase(run, tokens, tokensByThen);
    }
  }

  /**
   * What phases of an application came to.
   *
   * @param seenNanos when the last was over
   */
  record Size(double tokens, long seenNanos) {}

  Phase phase(JobId job) {
    return phases.getOrDefault(job, Phase.NEW);
  }

  /** What a phase of an application will come to; 0 where nobody knows. */
  double expectedTokens(JobId application) {
    Size size = sizes.get(application);
    return size == null ? 0 : size.tokens();
  }

  /** After a decision in which these jobs did I/O: the phases of all others are over. */
  SojournAllState next(Map<JobId, Phase> now, long nowNanos) {
    Map<JobId, Size> next = new TreeMap<>(sizes);
    phases.forEach((job, phase) -> {
      if (!now.containsKey(job) && phase.tokens() > 0) {
        Size before = next.get(phase.application());
        double tokens = before == null ? phase.tokens() : (before.tokens() + phase.tokens()) / 2;
        next.put(phase.application(), new Size(tokens, nowNanos));
      }
    });
    next.values().removeIf(size -> nowNanos - size.seenNanos() > FORGOTTEN_AFTER_NANOS);
    return new SojournAllState(now, next);
  }
}
