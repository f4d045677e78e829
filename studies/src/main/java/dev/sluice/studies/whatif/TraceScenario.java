package dev.sluice.studies.whatif;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Operation;
import dev.sluice.core.model.Quantities;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.history.trace.Look;
import dev.sluice.history.trace.TracedJob;
import dev.sluice.history.trace.TracedTarget;
import dev.sluice.sim.scenario.FileLayout;
import dev.sluice.sim.scenario.JobSpec;
import dev.sluice.sim.scenario.ProcessGroup;
import dev.sluice.sim.scenario.Scenario;
import dev.sluice.sim.scenario.TargetSpec;
import dev.sluice.sim.scenario.Workload;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes a scenario for the simulator of a trace: each job does on each target what it was seen to
 * do, see {@link Workload.Recorded}.
 *
 * <p>It is as fine as a simulation of all policies can afford: neighbouring looks are joined where
 * there are too many, and requests stand for several operations where those are too many. Bytes,
 * operations, pauses and times are the recorded ones, whatever the grain.
 */
public final class TraceScenario {
  /** Requests of one simulation: a few seconds' work for one core. */
  static final int REQUESTS_MAX = 1_000_000;

  /** Stretches of I/O, over all jobs, of one simulation. */
  static final int BOUTS_MAX = 300_000;

  /** No request is larger, so that none holds a target for long. */
  private static final long REQUEST_BYTES_MAX = 16 << 20;

  /** Who pauses for less than this part of a look does not pause. */
  private static final double PAUSE_MIN = 0.05;

  /** Stretches with a longer pause between them are not joined: it would be lost. */
  private static final long JOINED_PAUSE_NANOS_MAX = 1_000_000_000L;

  private static final long SAMPLE_NANOS = 1_000_000_000L;

  /** A trace that is played by a policy that starves somebody must end all the same. */
  static final int TIMES_LONGER_MAX = 4;

  /** What moves bytes where only operations cost anything. */
  private static final long FREE_BYTES_PER_SECOND = 1_000_000_000_000L;

  private static final int TARGET_THREADS = 4;
  private static final double NANOS = 1e9;

  private final Map<String, TargetSeen> targets = new LinkedHashMap<>();
  private final Map<String, JobSeen> jobs = new LinkedHashMap<>();
  private final List<String> notes = new ArrayList<>();
  private long rows;
  private long operations;
  private long endNanos;

  /** A target, and the most that it did in any second. */
  private static final class TargetSeen {
    TracedTarget target;
    long second;
    long secondTokens;
    long tokensPerSecondMax;

    TargetSeen(TracedTarget target) {
      this.target = target;
    }

    void add(Look.Row row, long nanos) {
      target = row.target();
      long now = nanos / SAMPLE_NANOS;
      if (now != second) {
        second = now;
        secondTokens = 0;
      }
      secondTokens += target.price(row.operations(), row.bytes());
      tokensPerSecondMax = Math.max(tokensPerSecondMax, secondTokens);
    }
  }

  /** A job, and what it did on each target. */
  private static final class JobSeen {
    TracedJob job;
    final Map<String, Stream> streams = new LinkedHashMap<>();

    JobSeen(TracedJob job) {
      this.job = job;
    }
  }

  /** What one job did on one target. */
  private static final class Stream {
    final List<Stretch> stretches = new ArrayList<>();
    long endNanos = -1;
    int outstandingMax = 1;
    long operations;
  }

  /** What was done in one look, or in several that follow each other. */
  private record Stretch(
      long startNanos,
      long pauseNanos,
      double ownNanos,
      long reads,
      long readBytes,
      long writes,
      long writtenBytes,
      long others) {
    Stretch plus(Stretch next) {
      return new Stretch(
          startNanos,
          pauseNanos + next.pauseNanos,
          ownNanos + next.ownNanos,
          reads + next.reads,
          readBytes + next.readBytes,
          writes + next.writes,
          writtenBytes + next.writtenBytes,
          others + next.others);
    }
  }

  /** Takes note of a look; they come in order. */
  public void add(Look look) {
    endNanos = Math.max(endNanos, look.endNanos());
    for (Look.Row row : look.rows()) {
      targets
          .computeIfAbsent(row.target().name(), _ -> new TargetSeen(row.target()))
          .add(row, look.endNanos());
      JobSeen job = jobs.computeIfAbsent(row.job().id(), _ -> new JobSeen(row.job()));
      job.job = row.job();
      add(job.streams.computeIfAbsent(row.target().name(), _ -> new Stream()), look, row);
    }
  }

  private void add(Stream stream, Look look, Look.Row row) {
    stream.outstandingMax = Math.max(stream.outstandingMax, row.outstanding());
    stream.operations += row.operations();
    operations += row.operations();
    long startNanos = look.endNanos() - look.spanNanos();
    long since = stream.endNanos < 0 ? startNanos : stream.endNanos;
    long pauseNanos = Math.max(0, look.endNanos() - since - row.busyNanos());
    stream.endNanos = look.endNanos();
    double all = (double) row.servedNanos() + row.waitedNanos();
    // What it would have taken, had nothing waited for its turn.
    double ownNanos = all == 0 ? 0 : row.busyNanos() * (row.servedNanos() / all);
    stream.stretches.add(
        new Stretch(
            startNanos,
            pauseNanos < PAUSE_MIN * look.spanNanos() ? 0 : pauseNanos,
            ownNanos,
            row.reads(),
            row.readBytes(),
            row.writes(),
            row.writtenBytes(),
            row.others()));
    rows++;
  }

  public boolean isEmpty() {
    return operations == 0;
  }

  public int jobCount() {
    return jobs.size();
  }

  /** How long the trace is. */
  public long nanos() {
    return endNanos;
  }

  /** What whoever reads the figures must know, in words. */
  public List<String> notes() {
    return List.copyOf(notes);
  }

  /** The scenario. Called once, when all looks are taken. */
  public Scenario scenario(String name, List<String> policies) {
    int joined = Math.max(1, (int) Math.ceil((double) rows / BOUTS_MAX));
    long operationsPerRequest = Math.max(1, Math.ceilDiv(2 * operations, REQUESTS_MAX));
    if (joined > 1) {
      notes.add("every " + joined + " looks are joined to one");
    }
    if (operationsPerRequest > 1) {
      notes.add("a simulated request stands for up to " + operationsPerRequest + " operations");
    }
    List<TargetSpec> specs = new ArrayList<>();
    targets.forEach((target, seen) -> specs.add(spec(target, seen)));
    List<JobSpec> jobSpecs = new ArrayList<>();
    jobs.forEach((id, seen) -> {
      JobSpec spec = spec(JobId.of(id), seen, joined, operationsPerRequest);
      if (!spec.processes().isEmpty()) {
        jobSpecs.add(spec);
      }
    });
    return new Scenario(
        name,
        "What "
            + jobSpecs.size()
            + " jobs were seen to do in "
            + Quantities.formatDuration(endNanos),
        Scenario.Mode.REQUESTS,
        TIMES_LONGER_MAX * Math.max(endNanos, SAMPLE_NANOS),
        SAMPLE_NANOS,
        0,
        0,
        specs,
        jobSpecs,
        policies);
  }

  private TargetSpec spec(String name, TargetSeen seen) {
    TracedTarget target = seen.target;
    long tokens = target.tokensPerSecond();
    if (tokens == 0) {
      tokens = Math.max(1, seen.tokensPerSecondMax);
      notes.add(
          "the capacity of target "
              + name
              + " is not known: the most that it did in any second stands in for it");
    }
    TokenUnit unit = new TokenUnit(target.tokensPerOperation(), target.tokensPerByte());
    return new TargetSpec(
        new Target(name, tokens, unit),
        unit.tokensPerByte() == 0 ? FREE_BYTES_PER_SECOND : tokens,
        Math.round(unit.tokensPerOperation() * NANOS / tokens),
        0,
        TARGET_THREADS,
        null);
  }

  private static JobSpec spec(JobId id, JobSeen seen, int joined, long operationsPerRequest) {
    long submitNanos = Long.MAX_VALUE;
    for (Stream stream : seen.streams.values()) {
      submitNanos = Math.min(submitNanos, stream.stretches.getFirst().startNanos);
    }
    List<ProcessGroup> groups = new ArrayList<>();
    for (Map.Entry<String, Stream> entry : seen.streams.entrySet()) {
      Stream stream = entry.getValue();
      List<Workload.Recorded.Bout> bouts = bouts(stream, joined, operationsPerRequest);
      if (bouts.isEmpty()) {
        continue;
      }
      long requests =
          bouts.stream()
              .flatMap(bout -> bout.cells().stream())
              .mapToLong(Workload.Recorded.Cell::requests)
              .sum();
      // As many operations at once as were seen, in requests of as many as these have.
      double window = (double) stream.outstandingMax * requests / Math.max(1, stream.operations);
      groups.add(
          new ProcessGroup(
              1,
              Math.max(0, stream.stretches.getFirst().startNanos - submitNanos),
              (int) Math.clamp(Math.ceil(window), 1, 65_536),
              new Workload.Recorded(entry.getKey(), bouts),
              new FileLayout(FileLayout.Placement.GIVEN, 1, 1 << 20, List.of(entry.getKey()))));
    }
    return new JobSpec(
        id, seen.job.user(), Math.max(1, seen.job.weight()), Math.max(0, submitNanos), 0, groups);
  }

  private static List<Workload.Recorded.Bout> bouts(
      Stream stream, int joined, long operationsPerRequest) {
    List<Workload.Recorded.Bout> bouts = new ArrayList<>();
    int next = 0;
    while (next < stream.stretches.size()) {
      Stretch all = stream.stretches.get(next++);
      for (int i = 1; i < joined && next < stream.stretches.size(); i++) {
        Stretch more = stream.stretches.get(next);
        if (more.pauseNanos > JOINED_PAUSE_NANOS_MAX) {
          break;
        }
        all = all.plus(more);
        next++;
      }
      List<Workload.Recorded.Cell> cells = new ArrayList<>();
      add(cells, Operation.READ, all.reads, all.readBytes, operationsPerRequest);
      add(cells, Operation.WRITE, all.writes, all.writtenBytes, operationsPerRequest);
      add(cells, Operation.GETATTR, all.others, 0, operationsPerRequest);
      bouts.add(new Workload.Recorded.Bout(all.pauseNanos, Math.round(all.ownNanos), cells));
    }
    return bouts;
  }

  private static void add(
      List<Workload.Recorded.Cell> cells,
      Operation operation,
      long operations,
      long bytes,
      long operationsPerRequest) {
    if (operations > 0) {
      long requests =
          Math.max(
              Math.ceilDiv(operations, operationsPerRequest),
              Math.min(operations, Math.ceilDiv(bytes, REQUEST_BYTES_MAX)));
      cells.add(new Workload.Recorded.Cell(operation, (int) requests, operations, bytes));
    }
  }
}
