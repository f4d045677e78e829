package dev.sluice.stage.agent;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.LimitKey;
import dev.sluice.core.model.Operation;
import dev.sluice.core.model.Quantities.Counted;
import dev.sluice.stage.files.ControlFile;
import dev.sluice.stage.files.JobFiles;
import dev.sluice.stage.files.OperationUsage;
import dev.sluice.stage.files.StageClock;
import dev.sluice.stage.files.StageDirectory;
import dev.sluice.stage.layout.StageLayout;
import dev.sluice.stage.limit.LimitChange;
import dev.sluice.stage.limit.TokenLine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One job on this node, as its agent sees it. Safe to use from several threads. */
public final class StagedJob implements AutoCloseable {
  /** Lines and tickets that are further apart would soon be too far to be compared. */
  private static final long IDLE_UNITS_MAX = 1L << 60;

  /** Where nobody waited, nobody has died waiting: such jobs are looked at less often. */
  private static final long IDLE_LOOK_NANOS = 500_000_000;

  private final JobId id;
  private final JobFiles files;
  private final GhostTickets ghosts = new GhostTickets();

  /** What is limited; null when nobody knows any more. */
  private @Nullable List<LimitKey> limited;

  private long lookAgainNanos;
  private boolean looked;
  private boolean closed;
  private volatile Processes processes = new Processes(0, 0, List.of());

  StagedJob(JobId id, JobFiles files) {
    this.id = id;
    this.files = files;
  }

  /**
   * Changes the limits of a run, which nobody looks after.
   *
   * @return false when there is no such run here
   */
  public static boolean changeRun(StageDirectory directory, JobId job, List<LimitChange> changes)
      throws IOException {
    JobFiles files = directory.openRun(job);
    if (files == null) {
      return false;
    }
    try (StagedJob run = new StagedJob(job, files)) {
      run.change(changes, StageClock.nowNanos());
    }
    return true;
  }

  public JobId id() {
    return id;
  }

  /** What the job's processes have in their environment. */
  public Path directory() {
    return files.directory();
  }

  /** Who runs it. */
  public int user() {
    return files.user();
  }

  /**
   * The processes that a job had when somebody looked last.
   *
   * @param held those that its limits hold
   * @param notHeld those that are the job's and have not loaded the library, as static programs
   * @param names what some of those that are not held are called
   */
  public record Processes(int held, int notHeld, List<String> names) {}

  /** How many processes had its files when somebody looked last. */
  public int processes() {
    return processes.held();
  }

  /** The processes that it had when somebody looked last. */
  public Processes seenProcesses() {
    return processes;
  }

  void processes(Processes seen) {
    processes = seen;
  }

  JobFiles files() {
    return files;
  }

  public synchronized List<Path> mounts() {
    return closed ? List.of() : files.control().mounts();
  }

  /** What is limited, to how many a second. */
  public synchronized Map<LimitKey, Double> limits() {
    Map<LimitKey, Double> limits = new LinkedHashMap<>();
    if (!closed) {
      for (LimitKey key : LimitKey.ALL) {
        TokenLine line = files.control().line(key.number());
        if (!line.unlimited()) {
          limits.put(key, (double) line.millionths() / LimitChange.MILLIONTHS);
        }
      }
    }
    return limits;
  }

  /** The same without the rates, which is asked for at every tick. */
  private List<LimitKey> limited() {
    if (limited == null) {
      limited = List.copyOf(limits().keySet());
    }
    return limited;
  }

  /** Sets and removes limits. They hold at once, for calls that wait already too. */
  public synchronized void change(List<LimitChange> changes, long nowNanos) {
    if (closed) {
      return;
    }
    limited = null;
    looked = false;
    ControlFile control = files.control();
    for (LimitChange change : changes) {
      int bucket = change.key().number();
      TokenLine line = control.line(bucket);
      control.publish(
          bucket,
          change.millionths().isPresent()
              ? line.withRate(change.millionths().getAsLong(), nowNanos)
              : line.withoutRate(nowNanos));
    }
    tellChannels();
    control.wake();
  }

  /** An operation without limits draws from no bucket, so that it costs next to nothing. */
  private void tellChannels() {
    ControlFile control = files.control();
    long[] channels = new long[StageLayout.OPERATIONS.size()];
    for (LimitKey key : limits().keySet()) {
      for (Operation operation : key.operations()) {
        int index = StageLayout.OPERATIONS.indexOf(operation);
        channels[index] = withBucket(channels[index], key);
      }
    }
    for (int index = 0; index < channels.length; index++) {
      control.channels(index, channels[index]);
    }
  }

  private static long withBucket(long channels, LimitKey key) {
    int first = key.counted() == Counted.BYTES ? 3 : 0;
    for (int place = first; place < first + 3; place++) {
      if ((channels >>> (8 * place) & 0xff) == 0) {
        return channels | (long) key.number() << (8 * place);
      }
    }
    throw new IllegalStateException("an operation with more limits than have room: " + key);
  }

  /** What has been done so far. */
  public synchronized Map<Operation, OperationUsage> usage() throws IOException {
    return closed ? Map.of() : files.state().usage();
  }

  /** How many programs have ever loaded the library for this job. */
  public synchronized long attached() throws IOException {
    return closed ? 0 : files.state().attached();
  }

  /** How many times a program could not come under all limits that it was told of. */
  public synchronized long attachFailures() throws IOException {
    return closed ? 0 : files.state().attachFailures();
  }

  /**
   * Goes on with what an agent before us has left. Its lines may come from another start of this
   * machine, with another clock, so they begin anew where they are.
   */
  synchronized void takeOver(long nowNanos) throws IOException {
    for (LimitKey key : limits().keySet()) {
      TokenLine line = files.control().line(key.number());
      files.control().publish(key.number(), line.movedBy(0, nowNanos));
    }
    tick(nowNanos);
  }

  /** What has to be done several times a second: to live, and to bury the dead. */
  synchronized void tick(long nowNanos) throws IOException {
    if (closed) {
      return;
    }
    files.control().beat(nowNanos);
    if (!limited().isEmpty() && (!looked || nowNanos - lookAgainNanos >= 0)) {
      tend();
    }
  }

  /**
   * Reads the clock before the files, to tell who has been silent for too long, and again for where
   * the lines are, after: on a busy machine much may happen between a look at the clock and one at
   * the files, and tickets that have come due meanwhile must not look like those of the dead. What
   * is given away by mistake exceeds the limits.
   */
  private void tend() throws IOException {
    ControlFile control = files.control();
    long beforeNanos = StageClock.nowNanos();
    long[] tickets = files.state().tickets();
    long ticketsReadNanos = StageClock.nowNanos();
    boolean someWait = false;
    for (LimitKey key : limited()) {
      int bucket = key.number();
      TokenLine line = control.line(bucket);
      long backlog = tickets[bucket] - line.unitsAt(ticketsReadNanos);
      if (backlog < -IDLE_UNITS_MAX) {
        control.publish(bucket, line.movedBy(backlog + line.burstUnits(), ticketsReadNanos));
      }
      someWait |= backlog > 0;
    }
    looked = !someWait;
    if (!someWait) {
      lookAgainNanos = beforeNanos + IDLE_LOOK_NANOS;
      ghosts.forget();
      return;
    }
    long linesReadNanos = StageClock.nowNanos();
    long[] lines = lines(linesReadNanos);
    long[] firstClaims = files.state().firstClaims(lines, beforeNanos);
    if (firstClaims == null) {
      ghosts.look(tickets, beforeNanos);
      return;
    }
    move(ghosts.found(tickets, lines, firstClaims, beforeNanos), linesReadNanos);
  }

  private void move(long[] units, long nowNanos) {
    ControlFile control = files.control();
    boolean someMoved = false;
    for (LimitKey key : limited()) {
      int bucket = key.number();
      if (units[bucket] > 0) {
        control.publish(bucket, control.line(bucket).movedBy(units[bucket], nowNanos));
        someMoved = true;
      }
    }
    if (someMoved) {
      control.wake();
    }
  }

  private long[] lines(long nowNanos) {
    long[] lines = new long[StageLayout.BUCKETS];
    for (LimitKey key : limited()) {
      lines[key.number()] = files.control().line(key.number()).unitsAt(nowNanos);
    }
    return lines;
  }

  /** Takes the job's files away; what still runs of it runs without limits. */
  synchronized void end(long nowNanos) throws IOException {
    if (!closed) {
      change(limits().keySet().stream().map(LimitChange::none).toList(), nowNanos);
      files.delete();
      close();
    }
  }

  /** Leaves the job to the next agent. */
  @Override
  public synchronized void close() throws IOException {
    if (!closed) {
      closed = true;
      files.close();
    }
  }
}
