package dev.sluice.control.gateways;

import dev.sluice.control.v1.JobActivity;
import dev.sluice.control.v1.TargetActivity;
import dev.sluice.control.wire.RefusedException;
import dev.sluice.history.sample.Sampler;
import java.util.ArrayList;
import java.util.List;

/**
 * What a gateway last said of one of its targets.
 *
 * @param jobs the busiest; one without a name is all others together
 */
public record TargetSeen(int queued, int inService, List<JobSeen> jobs) {
  /** A target of which nothing was said yet. */
  public static final TargetSeen NOTHING = new TargetSeen(0, 0, List.of());

  /** More than any job does in any time; what is beyond it is no measurement. */
  private static final long AMOUNT_MAX = 1L << 60;

  private static final int NAME_LENGTH_MAX = 1_000;

  public TargetSeen {
    jobs = List.copyOf(jobs);
  }

  /** What a job did, on average over the time since the report before. */
  public record JobSeen(
      String job,
      String user,
      double readBytesPerSecond,
      double writtenBytesPerSecond,
      double operationsPerSecond,
      double waitedMillis,
      int queued) {}

  /** Reads what came over the wire, which may be anything. */
  static TargetSeen of(TargetActivity said) throws RefusedException {
    double seconds = (double) amount(said.getSpanMicros()) / 1e6;
    if (seconds <= 0) {
      throw RefusedException.badMessage("a target's activity without a time");
    }
    if (said.getJobsCount() > Sampler.JOBS_MAX) {
      throw new RefusedException(
          RefusedException.Kind.TOO_MANY,
          "the activity of more than " + Sampler.JOBS_MAX + " jobs on one target");
    }
    List<JobSeen> jobs = new ArrayList<>(said.getJobsCount());
    for (JobActivity job : said.getJobsList()) {
      if (job.getJob().length() > NAME_LENGTH_MAX || job.getUser().length() > NAME_LENGTH_MAX) {
        throw RefusedException.badMessage("a name of more than " + NAME_LENGTH_MAX + " letters");
      }
      long operations = amount(job.getOperations());
      double waitedMicros = (double) amount(job.getWaitedMicros());
      jobs.add(
          new JobSeen(
              job.getJob(),
              job.getUser(),
              amount(job.getReadBytes()) / seconds,
              amount(job.getWrittenBytes()) / seconds,
              operations / seconds,
              operations == 0 ? 0 : waitedMicros / operations / 1e3,
              count(job.getQueued())));
    }
    return new TargetSeen(count(said.getQueued()), count(said.getInService()), jobs);
  }

  private static long amount(long said) throws RefusedException {
    if (said < 0 || said > AMOUNT_MAX) {
      throw RefusedException.badMessage("an amount of " + Long.toUnsignedString(said));
    }
    return said;
  }

  private static int count(int said) throws RefusedException {
    if (said < 0) {
      throw RefusedException.badMessage("a count of " + Integer.toUnsignedString(said));
    }
    return said;
  }
}
