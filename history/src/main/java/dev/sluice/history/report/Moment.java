package dev.sluice.history.report;

import dev.sluice.history.model.Sample;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Who did what in a short stretch of history, each job on each target. Not thread-safe. */
public final class Moment {
  private final Map<Place, Sum> sums = new LinkedHashMap<>();
  private long coveredMillis;

  private record Place(String target, String job) {}

  /** What is added up of one job on one target. */
  private static final class Sum {
    private Sample.OfJob last;
    private long activeMillis;
    private long operations;
    private long readBytes;
    private long writtenBytes;
    private long waitedMicros;
    private int queued;
    private int heldBackMillis;

    Sum(Sample.OfJob first) {
      this.last = first;
    }

    void add(Sample.OfJob job, int spanMillis) {
      last = job;
      activeMillis += spanMillis;
      operations += job.operations();
      readBytes += job.readBytes();
      writtenBytes += job.writtenBytes();
      waitedMicros += job.waitedMicros();
      queued = Math.max(queued, job.queued());
      heldBackMillis += job.heldBackMillis();
    }
  }

  /**
   * What a job did on a target.
   *
   * @param did amounts over the whole stretch; the most that waited, and what it was allowed last
   * @param activeMillis for how much of the stretch it did or wanted something
   */
  public record Row(String target, Sample.OfJob did, long activeMillis) {}

  /** Takes note of a sample; they come oldest first. */
  public void add(Sample sample) {
    coveredMillis += sample.spanMillis();
    for (Sample.OfTarget target : sample.targets()) {
      for (Sample.OfJob job : target.jobs()) {
        sums.computeIfAbsent(new Place(target.name(), job.id()), _ -> new Sum(job))
            .add(job, sample.spanMillis());
      }
    }
  }

  /** How much time the samples were about. */
  public long coveredMillis() {
    return coveredMillis;
  }

  /** All that did or wanted something. */
  public List<Row> rows() {
    List<Row> rows = new ArrayList<>(sums.size());
    sums.forEach((place, sum) ->
        rows.add(
            new Row(
                place.target,
                new Sample.OfJob(
                    place.job,
                    sum.last.user(),
                    sum.last.weight(),
                    sum.operations,
                    sum.readBytes,
                    sum.writtenBytes,
                    sum.waitedMicros,
                    sum.queued,
                    sum.last.allowedTokensPerSecond(),
                    sum.heldBackMillis),
                sum.activeMillis)));
    return rows;
  }
}
