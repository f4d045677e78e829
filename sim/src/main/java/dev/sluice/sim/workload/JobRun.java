package dev.sluice.sim.workload;

import dev.sluice.core.model.JobId;
import dev.sluice.sim.result.JobResult;
import dev.sluice.sim.result.Latencies;
import dev.sluice.sim.result.LatencySummary;
import dev.sluice.sim.result.Timeline;
import dev.sluice.sim.scenario.JobSpec;
import dev.sluice.sim.storage.JobOnTarget;
import dev.sluice.sim.storage.SimRequest;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A job in virtual time, and the books over all that its processes ask for and get. */
public final class JobRun {
  private static final long NOT_YET = -1;

  private final JobSpec spec;
  private final End end;
  private final Set<JobOnTarget> accounts = new LinkedHashSet<>();
  private final Timeline served;

  private List<SimProcess> processes = List.of();
  private int processesLeft;
  private long startNanos = NOT_YET;
  private long endNanos = NOT_YET;

  private long outstanding;
  private long outstandingBytes;
  private long askedBytes;
  private long bytes;
  private long operations;

  private long ioNanos;
  private long ioSinceNanos;
  private long computeNanos;
  private long computesUntilNanos;

  /** Made by the first request: of many jobs that wait in a queue few may ever start. */
  private @Nullable Latencies latencies;

  /** Made by the first burst. */
  private @Nullable Latencies bursts;

  /** Told when a job's last process is done. */
  public interface End {
    void ended(JobRun job, long nowNanos);
  }

  public JobRun(JobSpec spec, long sampleNanos, End end) {
    this.spec = spec;
    this.end = end;
    this.served = new Timeline(sampleNanos, Timeline.Merge.SUM);
  }

  public JobSpec spec() {
    return spec;
  }

  public JobId id() {
    return spec.id();
  }

  public long bytes() {
    return bytes;
  }

  /** It starts with these processes. */
  public void start(List<SimProcess> itsProcesses, long nowNanos) {
    startNanos = nowNanos;
    processes = List.copyOf(itsProcesses);
    processesLeft = processes.size();
    processes.forEach(process -> process.start(nowNanos));
    if (processesLeft == 0) {
      finish(nowNanos);
    }
  }

  void uses(JobOnTarget account) {
    accounts.add(account);
  }

  /** It has sent a request. */
  void asked(SimRequest request, long nowNanos) {
    if (outstanding++ == 0) {
      ioSinceNanos = nowNanos;
    }
    askedBytes += request.bytes();
    outstandingBytes += request.bytes();
  }

  /** One of its requests is complete. */
  void completed(SimRequest request, long nowNanos) {
    if (--outstanding == 0) {
      ioNanos += nowNanos - ioSinceNanos;
    }
    outstandingBytes -= request.bytes();
    bytes += request.bytes();
    operations += request.operations();
    served.add(nowNanos, (double) request.bytes());
    latencies().completed(nowNanos - request.arrivalNanos(), request.operations());
  }

  private Latencies latencies() {
    Latencies measured = latencies;
    if (measured == null) {
      measured = new Latencies();
      latencies = measured;
    }
    return measured;
  }

  /** A burst of one of its processes is over that was due then. */
  void burstDone(long dueNanos, long nowNanos) {
    bursts().completed(nowNanos - dueNanos, 1);
  }

  private Latencies bursts() {
    Latencies measured = bursts;
    if (measured == null) {
      measured = new Latencies();
      bursts = measured;
    }
    return measured;
  }

  /** One of its processes computes from now for a while; what several do at once counts once. */
  void computes(long nanos, long nowNanos) {
    long until = nowNanos + nanos;
    computeNanos += Math.max(0, until - Math.max(nowNanos, computesUntilNanos));
    computesUntilNanos = Math.max(computesUntilNanos, until);
  }

  /** One of its processes is done. */
  void processDone(long nowNanos) {
    if (--processesLeft == 0) {
      finish(nowNanos);
    }
  }

  private void finish(long nowNanos) {
    endNanos = nowNanos;
    end.ended(this, nowNanos);
  }

  /** Throws where bytes got lost or came from nowhere. */
  public void checkInvariants() {
    if (askedBytes != bytes + outstandingBytes || outstanding < 0 || outstandingBytes < 0) {
      throw new IllegalStateException(
          "job "
              + id()
              + " asked for "
              + askedBytes
              + " bytes, was served "
              + bytes
              + " and waits"
              + " for "
              + outstandingBytes
              + " in "
              + outstanding
              + " requests");
    }
    if (endNanos >= 0 && outstanding > 0) {
      throw new IllegalStateException(
          "job " + id() + " is done and waits for " + outstanding + " requests");
    }
  }

  /**
   * What became of it by now, the end of the run. To be asked once.
   *
   * @param notComplete its requests that still wait, or are being served
   */
  public JobResult result(
      Map<String, Timeline> figures, List<SimRequest> notComplete, long nowNanos) {
    return new JobResult(
        id(),
        spec.user(),
        spec.nodes(),
        spec.submitNanos(),
        startNanos,
        endNanos,
        bytes,
        operations,
        ioNanos + (outstanding > 0 ? nowNanos - ioSinceNanos : 0),
        computeNanos - Math.max(0, computesUntilNanos - nowNanos),
        isolatedIoNanos(),
        latencySummary(notComplete, nowNanos),
        burstSummary(nowNanos),
        served,
        figures);
  }

  /** Bursts that are not over count with their age, as requests do. */
  private LatencySummary burstSummary(long nowNanos) {
    for (SimProcess process : processes) {
      long sinceNanos = process.burstSinceNanos();
      if (sinceNanos >= 0) {
        bursts().waiting(Math.max(0, nowNanos - sinceNanos), 1);
      }
    }
    Latencies measured = bursts;
    bursts = null;
    return measured == null ? LatencySummary.NONE : measured.summary();
  }

  /** Lets go of the books, which are large where requests took long. */
  private LatencySummary latencySummary(List<SimRequest> notComplete, long nowNanos) {
    for (SimRequest request : notComplete) {
      latencies().waiting(nowNanos - request.arrivalNanos(), request.operations());
    }
    Latencies measured = latencies;
    latencies = null;
    return measured == null ? LatencySummary.NONE : measured.summary();
  }

  /**
   * The least that its targets, working in parallel, and its processes, waiting for their windows,
   * would have needed for what it was served.
   */
  private long isolatedIoNanos() {
    long slowest = 0;
    for (SimProcess process : processes) {
      slowest = Math.max(slowest, process.aloneNanos());
    }
    for (JobOnTarget account : accounts) {
      slowest = Math.max(slowest, account.isolatedNanos());
    }
    return slowest;
  }
}
