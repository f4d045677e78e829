package dev.sluice.lustre.standin;

import dev.sluice.core.model.Operation;
import dev.sluice.lustre.LustreService;
import dev.sluice.lustre.LustreVersion;
import dev.sluice.sim.engine.Event;
import dev.sluice.sim.engine.EventQueue;
import dev.sluice.sim.scenario.JobSpec;
import dev.sluice.sim.scenario.ProcessGroup;
import dev.sluice.sim.scenario.Scenario;
import dev.sluice.sim.scenario.TargetSpec;
import dev.sluice.sim.scenario.Workload;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.LongToDoubleFunction;

/**
 * An object storage server in virtual time: a stand-in server's queues, threads that serve them,
 * one device, and the processes of a scenario as its clients. Each process is on a node of its own
 * and keeps as many requests outstanding as its window says.
 */
public final class VirtualOss {
  /** The width of the samples of what each job was served. */
  private static final long SAMPLE_NANOS = 100_000_000;

  private static final double NANOS_PER_SECOND = 1e9;
  private static final String TARGET = "scratch-OST0000";

  private final Scenario scenario;
  private final TargetSpec spec;
  private final StandInServer<Rpc> server;
  private final EventQueue events = new EventQueue();
  private final Map<String, JobState> jobs = new LinkedHashMap<>();
  private final int[] idleThreads;
  private final Event[] wakeUps;
  private final Map<String, Integer> uncounted = new HashMap<>();
  private LongToDoubleFunction speed = _ -> 1;
  private long deviceFreeNanos;
  private long nowNanos;

  /** What is done from time to time. */
  public interface Control {
    /** Does it; answers when it is due again, which is at once where that has passed. */
    long step(long nowNanos) throws InterruptedException;
  }

  /** A request on its way. */
  private static final class Rpc extends Event {
    final VirtualOss oss;
    final ClientProcess process;
    final long bytes;
    long takenNanos;

    Rpc(VirtualOss oss, ClientProcess process, long bytes) {
      this.oss = oss;
      this.process = process;
      this.bytes = bytes;
    }

    @Override
    protected void happen(long nowNanos) {
      oss.complete(this, nowNanos);
    }
  }

  /** What became of a job. */
  private static final class JobState {
    final String id;
    int processes;
    long requests;
    long bytes;
    long endNanos = Long.MAX_VALUE;
    final List<Long> served = new ArrayList<>();

    JobState(String id) {
      this.id = id;
    }
  }

  /** One process; as an event it begins, or begins its next burst. */
  private final class ClientProcess extends Event {
    final JobState job;
    final int window;
    final int partition;
    final boolean reads;
    final long requestBytes;
    final long burstBytes;
    final long intervalNanos;
    long leftBytes;
    long burstLeft;
    long dueNanos = -1;
    int outstanding;

    ClientProcess(JobState job, ProcessGroup group, String node) {
      this.job = job;
      this.window = group.window();
      this.partition = server.partition(node);
      switch (group.workload()) {
        case Workload.Sequential sequential -> {
          reads = sequential.operation() == Operation.READ;
          requestBytes = sequential.requestBytes();
          burstBytes = sequential.bytes();
          intervalNanos = 0;
          leftBytes = sequential.bytes();
        }
        case Workload.Bursts bursts -> {
          reads = bursts.operation() == Operation.READ;
          requestBytes = bursts.requestBytes();
          burstBytes = bursts.burstBytes();
          intervalNanos = bursts.intervalNanos();
          leftBytes = bursts.bytes();
        }
        default -> throw new IllegalArgumentException("no such process here: " + group);
      }
    }

    @Override
    protected void happen(long nowNanos) {
      dueNanos = dueNanos < 0 ? nowNanos : dueNanos;
      burstLeft = Math.min(burstBytes, leftBytes);
      leftBytes -= burstLeft;
      send(nowNanos);
    }

    void send(long nowNanos) {
      while (burstLeft > 0 && outstanding < window) {
        long bytes = Math.min(requestBytes, burstLeft);
        burstLeft -= bytes;
        outstanding++;
        server.enqueue(partition, job.id, new Rpc(VirtualOss.this, this, bytes), nowNanos);
      }
      dispatch(partition, nowNanos);
    }

    void answered(long nowNanos) {
      outstanding--;
      send(nowNanos);
      if (burstLeft > 0 || outstanding > 0) {
        return;
      }
      if (leftBytes == 0) {
        job.processes--;
        job.endNanos = job.processes == 0 ? nowNanos : Long.MAX_VALUE;
        return;
      }
      dueNanos += intervalNanos;
      events.schedule(this, Math.max(nowNanos, dueNanos));
    }
  }

  public VirtualOss(Scenario scenario, StandInServer<?> server) {
    this.scenario = scenario;
    this.spec = scenario.targets().getFirst();
    @SuppressWarnings("unchecked") // The server only hands back what it was given here.
    StandInServer<Rpc> own = (StandInServer<Rpc>) server;
    this.server = own;
    int partitions = server.partitions();
    this.idleThreads = new int[partitions];
    this.wakeUps = new Event[partitions];
    for (int i = 0; i < partitions; i++) {
      int partition = i;
      idleThreads[i] = Math.max(1, spec.threads() / partitions);
      wakeUps[i] =
          new Event() {
            @Override
            protected void happen(long nowNanos) {
              dispatch(partition, nowNanos);
            }
          };
    }
  }

  /** A server with one target, for a scenario's jobs. */
  public static StandInServer<?> server(LustreVersion version, int partitions) {
    return server(version, LustreService.OST_IO, partitions);
  }

  public static StandInServer<?> server(
      LustreVersion version, LustreService service, int partitions) {
    return new StandInServer<Rpc>(version, service, partitions, TARGET);
  }

  /** From now on, of each so many requests of a job and one more only one is counted. */
  public void uncounted(String job, int requests) {
    uncounted.put(job, requests);
  }

  /** From now on the device is so fast at an instant, as a part of what its scenario says. */
  public void speed(LongToDoubleFunction byInstant) {
    speed = byInstant;
  }

  /** It takes so long until what is being done is done; meanwhile the server goes on. */
  public void pass(long nanos) {
    nowNanos += nanos;
    while (events.step(nowNanos)) {
      // Everything until then.
    }
  }

  public long nowNanos() {
    return nowNanos;
  }

  /** Runs all jobs to their ends or to the scenario's, under control. */
  public void run(long seed, Control control) throws InterruptedException {
    for (JobSpec spec : scenario.jobs()) {
      JobState job = new JobState(spec.id().toString());
      jobs.put(job.id, job);
      int number = 0;
      for (ProcessGroup group : spec.processes()) {
        for (int i = 0; i < group.count(); i++) {
          SplittableRandom random = new SplittableRandom(seed + 31L * jobs.size() + number);
          ClientProcess process = new ClientProcess(job, group, job.id + "-node-" + number++);
          job.processes++;
          events.schedule(process, spec.submitNanos() + group.beginsAfterNanos(random));
        }
      }
    }
    long nextNanos = 0;
    while (nextNanos < scenario.endNanos()
        && jobs.values().stream().anyMatch(j -> j.processes > 0)) {
      while (events.step(nextNanos)) {
        // Everything before the next control step.
      }
      nowNanos = nextNanos;
      nextNanos = Math.max(control.step(nextNanos), nowNanos);
    }
  }

  /** Gives every idle thread of a partition a request, as far as there are some. */
  private void dispatch(int partition, long nowNanos) {
    while (idleThreads[partition] > 0) {
      Rpc rpc = server.dequeue(partition, nowNanos);
      if (rpc == null) {
        long wake = server.wakeNanos(partition);
        if (wake != Long.MAX_VALUE) {
          events.reschedule(wakeUps[partition], Math.max(nowNanos, wake));
        }
        return;
      }
      idleThreads[partition]--;
      rpc.takenNanos = nowNanos;
      deviceFreeNanos =
          Math.max(deviceFreeNanos, nowNanos)
              + spec.operationNanos()
              + Math.round(
                  rpc.bytes
                      * NANOS_PER_SECOND
                      / spec.bytesPerSecond()
                      / speed.applyAsDouble(nowNanos));
      events.schedule(rpc, deviceFreeNanos + spec.latencyNanos());
    }
  }

  private void complete(Rpc rpc, long nowNanos) {
    JobState job = rpc.process.job;
    server.done(nowNanos - rpc.takenNanos);
    int notCounted = uncounted.getOrDefault(job.id, 0);
    if (job.requests++ % (notCounted + 1) == notCounted) {
      server.served(TARGET, job.id, rpc.process.reads, rpc.bytes, nowNanos);
    }
    job.bytes += rpc.bytes;
    int sample = (int) (nowNanos / SAMPLE_NANOS);
    while (job.served.size() <= sample) {
      job.served.add(0L);
    }
    job.served.set(sample, job.served.get(sample) + rpc.bytes);
    idleThreads[rpc.process.partition]++;
    dispatch(rpc.process.partition, nowNanos);
    rpc.process.answered(nowNanos);
  }

  private JobState job(int number) {
    return List.copyOf(jobs.values()).get(number - 1);
  }

  /** When a job ended, in seconds, or the scenario; jobs count from 1. */
  public double end(int number) {
    return Math.min(job(number).endNanos, scenario.endNanos()) / NANOS_PER_SECOND;
  }

  /** Bytes a second of a job from its start to its end. */
  public double throughput(int number) {
    return job(number).bytes / end(number);
  }

  /** Bytes a second of all jobs until the last of them ended. */
  public double total() {
    double last = 0;
    double bytes = 0;
    for (int i = 1; i <= jobs.size(); i++) {
      last = Math.max(last, end(i));
      bytes += job(i).bytes;
    }
    return bytes / last;
  }

  /** Bytes a second of a job between two instants. */
  public double rate(int number, double fromSeconds, double toSeconds) {
    List<Long> served = job(number).served;
    double bytes = 0;
    int from = (int) Math.ceil(fromSeconds * NANOS_PER_SECOND / SAMPLE_NANOS);
    int to = (int) (toSeconds * NANOS_PER_SECOND / SAMPLE_NANOS);
    for (int i = from; i < Math.min(to, served.size()); i++) {
      bytes += served.get(i);
    }
    return bytes / ((to - from) * SAMPLE_NANOS / NANOS_PER_SECOND);
  }
}
