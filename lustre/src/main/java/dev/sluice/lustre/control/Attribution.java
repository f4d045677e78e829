package dev.sluice.lustre.control;

import java.util.ArrayList;
import java.util.List;

/**
 * Whose requests are those that a service has served and no counter of a job shows, such as lookups
 * of names that are not there.
 *
 * <p>How many there are is known, and what each job had counted. So each job is taken to have some
 * for each that was counted, and what the sum of these is off by is made up by all, each in
 * proportion to its part in it: as jobs do now more and now less, this finds out whose they are. A
 * job of which nothing is counted, but whose rule matched somebody's requests, is taken to use a
 * part of that rule instead. Nobody has more than its rule lets pass. Not thread-safe.
 */
final class Attribution {
  private static final double GAIN = 0.5;

  /** Who had nothing counted is taken for idle rather than for one of whom nothing is counted. */
  private static final double UNSEEN_PART = 0.3;

  /** Fewer than this part of all requests are not worth asking whose they are. */
  private static final double NOTED_PART = 0.05;

  private double uncounted;
  private boolean isNoted;

  /** A job, what it is judged by, and what it can have at most. */
  private record Candidate(ManagedJob job, double measure, double most) {}

  /**
   * Says what each job was served. Jobs have what was counted of them and what their rules let
   * pass.
   *
   * @param requests all that the service has served
   */
  void attribute(Iterable<ManagedJob> jobs, double requests) {
    List<Candidate> candidates = new ArrayList<>();
    double counted = 0;
    double explained = 0;
    double squares = 0;
    for (ManagedJob job : jobs) {
      counted += job.rpcs();
      double most = Math.max(0, job.letPass - job.rpcs());
      double measure = job.rpcs() > 0 ? (double) job.rpcs() : unseen(job);
      if (measure > 0 && most > 0) {
        candidates.add(new Candidate(job, measure, most));
        explained += job.uncountedPart * measure;
        squares += measure * measure;
      }
    }
    uncounted = Math.max(0, requests - counted);
    double missing = uncounted - explained;
    double left = 0;
    for (Candidate candidate : candidates) {
      ManagedJob job = candidate.job;
      double moved = job.uncountedPart + GAIN * missing * candidate.measure / squares;
      job.uncountedPart = Math.clamp(moved, 0, candidate.most / candidate.measure);
      left += job.uncountedPart * candidate.measure;
    }
    double scale = left == 0 ? 0 : Math.min(1, uncounted / left);
    for (Candidate candidate : candidates) {
      candidate.job.uncounted = scale * candidate.job.uncountedPart * candidate.measure;
      uncounted -= candidate.job.uncounted;
    }
    isNoted = uncounted > NOTED_PART * requests;
  }

  private static double unseen(ManagedJob job) {
    return job.ruleMatched ? UNSEEN_PART * job.letPass : 0;
  }

  /** Whether requests are left that are worth asking whose they are. */
  boolean isNoted() {
    return isNoted;
  }

  /** How many requests are nobody's. */
  double uncounted() {
    return Math.max(0, uncounted);
  }
}
