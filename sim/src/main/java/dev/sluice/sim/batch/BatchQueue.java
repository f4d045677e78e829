package dev.sluice.sim.batch;

import dev.sluice.core.model.JobId;
import dev.sluice.sim.scenario.JobSpec;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeSet;

/**
 * Jobs that queue for the nodes of a cluster: first come first served, with EASY backfilling.
 *
 * <p>The job at the head of the queue has a reservation: the earliest time at which enough nodes
 * will be free if every running job takes as long as its estimate says. A later job may go first if
 * it fits in the free nodes now and either ends by then, or takes only nodes that the head does not
 * need then.
 *
 * <p>Theorem:
 *
 * <ul>
 *   <li>never are more nodes in use than there are;
 *   <li>jobs start in the order of their submission but for those that are backfilled;
 *   <li>no backfilled job makes the head's reservation later; so if no job runs longer than its
 *       estimate, a job never starts after the reservation it got when it came to the head.
 * </ul>
 *
 * <p>Nodes are all alike, and a job's nodes are its own. A job that runs longer than its estimate
 * is taken to end any moment; it is not stopped.
 */
public final class BatchQueue implements StartOrder {
  private static final Comparator<Running> BY_EXPECTED_END =
      Comparator.comparingLong(Running::expectedEndNanos).thenComparing(Running::id);

  private final long nodes;
  private long freeNodes;
  private long latestNanos;
  private final Map<JobId, JobSpec> waiting = new LinkedHashMap<>();
  private final Map<JobId, Running> running = new HashMap<>();
  private final TreeSet<Running> byExpectedEnd = new TreeSet<>(BY_EXPECTED_END);

  private record Running(JobId id, long nodes, long expectedEndNanos) {}

  /** What the head of the queue is promised: when it can start, and the nodes left over then. */
  private record Reservation(long atNanos, long spareNodes) {}

  public BatchQueue(long nodes) {
    if (nodes < 1) {
      throw new IllegalArgumentException("a cluster has at least 1 node, not " + nodes);
    }
    this.nodes = nodes;
    this.freeNodes = nodes;
  }

  /** A job was submitted: it goes to the end of the queue. */
  @Override
  public void submitted(JobSpec job, long nowNanos) {
    goOnTo(nowNanos);
    JobId id = job.id();
    if (job.nodes() < 1 || job.nodes() > nodes) {
      throw new IllegalArgumentException(
          "job " + id + ": expected 1 to " + nodes + " nodes, not " + job.nodes());
    }
    if (job.estimateNanos() < 1) {
      throw new IllegalArgumentException(
          "job " + id + ": a job that queues needs an estimate of at least 1 ns");
    }
    if (waiting.containsKey(id) || running.containsKey(id)) {
      throw new IllegalArgumentException("job " + id + " is in the queue already");
    }
    waiting.put(id, job);
  }

  /** A job that was started is over: its nodes are free. */
  @Override
  public void ended(JobId id, long nowNanos) {
    goOnTo(nowNanos);
    Running ended = running.remove(id);
    if (ended == null) {
      throw new IllegalArgumentException("job " + id + " is not running");
    }
    byExpectedEnd.remove(ended);
    freeNodes += ended.nodes();
  }

  /** The jobs that start now, in order. They hold their nodes from now on; each is named once. */
  @Override
  public List<JobId> startable(long nowNanos) {
    goOnTo(nowNanos);
    List<JobId> started = new ArrayList<>();
    Iterator<JobSpec> queue = waiting.values().iterator();
    while (queue.hasNext()) {
      JobSpec job = queue.next();
      if (job.nodes() > freeNodes) {
        backfill(queue, reservationFor(job), started);
        break;
      }
      run(job, queue, started);
    }
    return started;
  }

  private void goOnTo(long nowNanos) {
    if (nowNanos < latestNanos) {
      throw new IllegalArgumentException(
          "time does not go back: it was " + latestNanos + " ns, not " + nowNanos + " ns");
    }
    latestNanos = nowNanos;
  }

  /** Looks at those behind the head. What is started leaves the reservation as it is. */
  private void backfill(Iterator<JobSpec> behindHead, Reservation head, List<JobId> started) {
    long spareNodes = head.spareNodes();
    while (freeNodes > 0 && behindHead.hasNext()) {
      JobSpec job = behindHead.next();
      if (job.nodes() > freeNodes) {
        continue;
      }
      if (expectedEndNanos(job) <= head.atNanos()) {
        run(job, behindHead, started);
      } else if (job.nodes() <= spareNodes) {
        spareNodes -= job.nodes();
        run(job, behindHead, started);
      }
    }
  }

  private void run(JobSpec job, Iterator<JobSpec> queue, List<JobId> started) {
    Running now = new Running(job.id(), job.nodes(), expectedEndNanos(job));
    queue.remove();
    running.put(job.id(), now);
    byExpectedEnd.add(now);
    freeNodes -= job.nodes();
    started.add(job.id());
  }

  private Reservation reservationFor(JobSpec head) {
    long free = freeNodes;
    long atNanos = latestNanos;
    for (Running job : byExpectedEnd) {
      // Those that are expected at the same instant free their nodes together.
      if (free >= head.nodes() && job.expectedEndNanos() > atNanos) {
        break;
      }
      free += job.nodes();
      atNanos = Math.max(atNanos, job.expectedEndNanos());
    }
    return new Reservation(atNanos, free - head.nodes());
  }

  private long expectedEndNanos(JobSpec job) {
    long end = latestNanos + job.estimateNanos();
    return end < latestNanos ? Long.MAX_VALUE : end;
  }

  /**
   * When the head of the queue will start at the latest, by the estimates; none if nobody waits.
   */
  public OptionalLong headReservationNanos(long nowNanos) {
    goOnTo(nowNanos);
    return waiting.isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(reservationFor(waiting.values().iterator().next()).atNanos());
  }

  public int waitingJobs() {
    return waiting.size();
  }

  public int runningJobs() {
    return running.size();
  }

  public long freeNodes() {
    return freeNodes;
  }

  /** Throws if the books do not add up. */
  public void checkInvariants() {
    long used = running.values().stream().mapToLong(Running::nodes).sum();
    if (used + freeNodes != nodes || freeNodes < 0) {
      throw new IllegalStateException(
          used + " nodes in use and " + freeNodes + " free do not make " + nodes);
    }
    if (byExpectedEnd.size() != running.size() || !byExpectedEnd.containsAll(running.values())) {
      throw new IllegalStateException("the running jobs and their order differ");
    }
    for (JobId id : waiting.keySet()) {
      if (running.containsKey(id)) {
        throw new IllegalStateException("job " + id + " both waits and runs");
      }
    }
  }
}
