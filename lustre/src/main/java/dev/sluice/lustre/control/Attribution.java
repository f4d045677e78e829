package dev.sluice.lustre.control;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whose requests are those that a service has served and no counter of a job shows, such as lookups
 * of names that are not there.
 *
 * <p>How many there are is known, what was counted of each job, and what its rule let pass. A job
 * has some for each that was counted, and mostly as many as in the periods before; whatever that
 * does not explain is of those whose rules had room for more than was counted, in proportion to
 * that room. Where all use up their rules, as they do while requests wait, room is just what is not
 * counted, so that what is learnt of a job then is right. A job of which nothing is counted, but
 * whose rule matched somebody's requests, may have used all of that rule. Not thread-safe.
 */
final class Attribution {
  /** How much of what a period shows of a job is believed. */
  private static final double GAIN = 0.3;

  /** Who had nothing counted is taken for idle rather than for one of whom nothing is counted. */
  private static final double UNSEEN_PART = 0.3;

  /** Fewer than this part of all requests are not worth asking whose they are. */
  private static final double NOTED_PART = 0.05;

  private double uncounted;
  private boolean isNoted;

  /**
   * A job, what it is judged by, and how much of what is uncounted can be its.
   *
   * @param weight how likely its room was used
   */
  private record Candidate(ManagedJob job, double measure, double room, double weight) {
    double expected() {
      return Math.min(room, job.uncountedPart * measure);
    }
  }

  /**
   * Says what each job was served besides what was counted. Jobs have what was counted of them and
   * what their rules let pass.
   *
   * <p>Theorem. Nobody has more than its room, and all together no more than was not counted.
   *
   * @param requests all that the service has served
   */
  void attribute(Iterable<ManagedJob> jobs, double requests) {
    List<Candidate> candidates = new ArrayList<>();
    double counted = 0;
    double expected = 0;
    for (ManagedJob job : jobs) {
      counted += job.rpcs();
      Candidate candidate = candidate(job);
      if (candidate != null) {
        candidates.add(candidate);
        expected += candidate.expected();
      }
    }
    uncounted = Math.max(0, requests - counted);
    isNoted = uncounted > NOTED_PART * requests;
    double kept = expected == 0 ? 0 : Math.min(1, uncounted / expected);
    double rest = Math.max(0, uncounted - kept * expected);
    double room = 0;
    for (Candidate candidate : candidates) {
      room += candidate.weight * Math.max(0, candidate.room - kept * candidate.expected());
    }
    double filled = room <= 0 ? 0 : Math.min(1, rest / room);
    for (Candidate candidate : candidates) {
      ManagedJob job = candidate.job;
      double known = kept * candidate.expected();
      job.uncounted = known + filled * candidate.weight * (candidate.room - known);
      job.uncountedPart += GAIN * (job.uncounted / candidate.measure - job.uncountedPart);
      uncounted -= job.uncounted;
    }
  }

  private static @Nullable Candidate candidate(ManagedJob job) {
    double rpcs = (double) job.rpcs();
    if (rpcs == 0) {
      return job.ruleMatched ? new Candidate(job, job.letPass, job.letPass, UNSEEN_PART) : null;
    }
    // Without a rule of its own a job may have anything: as much again is a guess.
    double room = job.hasRule ? Math.max(0, job.letPass - rpcs) : Math.min(rpcs, job.letPass);
    return new Candidate(job, rpcs, room, 1);
  }

  /** Whether so many requests were not counted that it is worth asking whose they are. */
  boolean isNoted() {
    return isNoted;
  }

  /** How many requests are nobody's. */
  double uncounted() {
    return Math.max(0, uncounted);
  }
}
