package dev.sluice.sim.fluid;

import dev.sluice.core.model.JobId;
import dev.sluice.core.policy.Explanation;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.policy.LocalRule;
import dev.sluice.core.policy.Policy;
import dev.sluice.core.policy.PolicyInfo;
import dev.sluice.core.policy.cycle.CycleSetting;
import dev.sluice.core.schedule.SchedulerKind;
import dev.sluice.sim.Simulator;
import dev.sluice.sim.batch.StartOrder;
import dev.sluice.sim.control.Figures;
import dev.sluice.sim.control.Totals;
import dev.sluice.sim.engine.Event;
import dev.sluice.sim.engine.EventQueue;
import dev.sluice.sim.engine.Seeds;
import dev.sluice.sim.result.JobResult;
import dev.sluice.sim.result.RunResult;
import dev.sluice.sim.result.TargetResult;
import dev.sluice.sim.scenario.FileLayout;
import dev.sluice.sim.scenario.JobSpec;
import dev.sluice.sim.scenario.ProcessGroup;
import dev.sluice.sim.scenario.Scenario;
import dev.sluice.sim.scenario.TargetSpec;
import dev.sluice.sim.scenario.Workload;
import dev.sluice.sim.storage.Placement;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One run of a scenario in which jobs are streams: once a period every target on which somebody
 * sends divides its device's time as its scheduler would, and the policy decides about the next
 * period, for each target alone or for all together. A policy that looks at targets between two
 * decisions has their time divided as often as it looks. Where nobody sends, nothing happens.
 *
 * <p>Besides what is sent in a period, policies that look at demand are told of no idle jobs; those
 * that do not look at it are told of all jobs, but only when that changes something. Where jobs are
 * only weighed, that is all jobs that ever sent anything to a target: who never did takes nothing
 * from anybody, and a thousand targets need not each be told of all jobs of a site.
 */
public final class FluidSimulation {
  /** Schedulers whose order cannot be told as rates. */
  private static final Set<SchedulerKind> ORDERED_BY_REQUEST =
      Set.of(
          SchedulerKind.IOSETS, SchedulerKind.MLWDF, SchedulerKind.SOJOURN, SchedulerKind.THEMIS);

  private static final long PROGRESS_STEPS = 1 << 8;

  /** Bound on what one file counts for in placement, so that sums over all files stay exact. */
  private static final long FILE_BYTES_MAX = 1L << 45;

  private final Scenario scenario;
  private final PolicyInfo policy;
  private final long seed;
  private final Simulator.Progress progress;
  private final StartOrder startOrder;
  private final long periodNanos;

  /** Targets are served in steps: periods, or what is between two looks at them in a period. */
  private final long stepNanos;

  private final boolean decidesByDemand;
  private final boolean together;

  /** Whether what a job may have on a target depends on jobs that send nothing there. */
  private final boolean setsRates;

  private final EventQueue events = new EventQueue();
  private final Placement placement;
  private final List<FluidTarget> targets = new ArrayList<>();

  /** One over all targets, or one for each of them. */
  private final List<FluidControl> controls = new ArrayList<>();

  /** Targets on which somebody sends, or did when they decided last. */
  private final BitSet active = new BitSet();

  /** Targets that have decided since a job came or went. */
  private final BitSet upToDate = new BitSet();

  /** All jobs, in the scenario's order. */
  private final Map<JobId, FluidJob> jobs = new LinkedHashMap<>();

  /** Jobs that have started and keep their claim, in ascending order. */
  private final List<FluidJob> listed = new ArrayList<>();

  private List<FluidProcess> sending = new ArrayList<>();
  private List<FluidProcess> stillSending = new ArrayList<>();
  private final Figures figures;
  private final Totals totals;
  private int jobsLeft;
  private long lastEndNanos;
  private long steps;

  private final Event periodEnd =
      new Event() {
        @Override
        protected void happen(long nowNanos) {
          step(Math.max(lastEnd(nowNanos, stepNanos), lastEnd(nowNanos, periodNanos)), nowNanos);
        }
      };

  public FluidSimulation(
      Scenario scenario,
      PolicyInfo info,
      Policy<?> policy,
      StartOrder startOrder,
      long seed,
      Simulator.Progress progress) {
    if (ORDERED_BY_REQUEST.contains(info.scheduler())) {
      throw new IllegalArgumentException(
          info.name()
              + " orders single requests, which flows do not have: simulate it with mode:"
              + " requests");
    }
    this.scenario = scenario;
    this.policy = info;
    this.seed = seed;
    this.progress = progress;
    this.startOrder = startOrder;
    this.periodNanos = scenario.periodNanos() > 0 ? scenario.periodNanos() : info.periodNanos();
    LocalRule local = policy.local();
    this.stepNanos = local == null ? periodNanos : Math.min(periodNanos, local.periodNanos());
    this.decidesByDemand = info.needs().contains(PolicyInfo.Need.DEMAND);
    this.setsRates = info.scheduler() == SchedulerKind.TBF;
    this.placement = new Placement(scenario.targets());
    this.together = info.scope() == PolicyInfo.Scope.ALL_TARGETS;
    for (TargetSpec spec : scenario.targets()) {
      if (!together || controls.isEmpty()) {
        List<TargetSpec> decidedAbout = together ? scenario.targets() : List.of(spec);
        controls.add(
            new FluidControl(
                controls.size(), policy, CycleSetting.of(info, periodNanos), decidedAbout));
      }
      targets.add(
          new FluidTarget(
              spec,
              targets.size(),
              info.scheduler(),
              scenario.shares(),
              controls.getLast(),
              seed,
              scenario.sampleNanos()));
    }
    this.figures = new Figures(scenario.jobs().size(), controls.size(), scenario.sampleNanos());
    this.totals = new Totals(controls.size(), scenario.sampleNanos());
    List<JobId> ascending = scenario.jobs().stream().map(JobSpec::id).sorted().toList();
    for (JobSpec spec : scenario.jobs()) {
      FluidJob job =
          new FluidJob(
              this,
              spec,
              Collections.binarySearch(ascending, spec.id()),
              Seeds.random(seed, "phases of job " + spec.id()),
              scenario.sampleNanos());
      if (jobs.put(spec.id(), job) != null) {
        throw new IllegalArgumentException("two jobs are called " + spec.id());
      }
      events.schedule(new Submission(spec), spec.submitNanos());
    }
    jobsLeft = jobs.size();
  }

  /** A job comes. */
  private final class Submission extends Event {
    private final JobSpec job;

    Submission(JobSpec job) {
      this.job = job;
    }

    @Override
    protected void happen(long nowNanos) {
      startOrder.submitted(job, nowNanos);
      startJobs();
    }
  }

  /** Runs to its end; the period that ends there is part of it. */
  public RunResult run() {
    while (jobsLeft > 0 && events.step(scenario.endNanos() + 1)) {
      // All happens in the events.
    }
    long endNanos = jobsLeft == 0 ? lastEndNanos : scenario.endNanos();
    progress.at(endNanos, 1);
    return result(endNanos);
  }

  private void startJobs() {
    long nowNanos = events.nowNanos();
    for (JobId id : startOrder.startable(nowNanos)) {
      FluidJob job = jobs.get(id);
      if (job == null) {
        throw new IllegalStateException("there is no job " + id + " to start");
      }
      listed.add(-1 - Collections.binarySearch(listed, job, FluidJob.BY_RANK), job);
      if (setsRates) {
        upToDate.clear();
      }
      start(job, nowNanos);
    }
  }

  private void start(FluidJob job, long nowNanos) {
    int inPhases = 0;
    for (ProcessGroup group : job.spec().processes()) {
      inPhases += group.workload() instanceof Workload.Phases ? group.count() : 0;
    }
    List<FluidProcess> processes = new ArrayList<>();
    for (ProcessGroup group : job.spec().processes()) {
      for (int i = 0; i < group.count(); i++) {
        String name = "process " + processes.size() + " of job " + job.id();
        processes.add(new FluidProcess(this, job, group, Seeds.random(seed, name)));
      }
    }
    job.start(processes, inPhases, nowNanos);
  }

  /** With a queue, who is done leaves; without one, jobs keep their claim until the end. */
  void ended(FluidJob job, long atNanos) {
    jobsLeft--;
    lastEndNanos = Math.max(lastEndNanos, atNanos);
    if (scenario.clusterNodes() > 0) {
      listed.remove(Collections.binarySearch(listed, job, FluidJob.BY_RANK));
      if (setsRates) {
        upToDate.clear();
      }
      for (FluidTarget target : job.targets()) {
        target.forget(job);
        upToDate.clear(target.index);
        target.control.jobEnded(job.id());
      }
    }
    startOrder.ended(job.id(), events.nowNanos());
    startJobs();
  }

  /** Makes a file; answers the targets it lies on. */
  List<FluidTarget> createFile(FileLayout layout, long bytes) {
    List<FluidTarget> stripes = new ArrayList<>();
    for (int target : placement.place(layout, Math.min(bytes, FILE_BYTES_MAX))) {
      stripes.add(targets.get(target));
    }
    return stripes;
  }

  /** Wakes a process at an instant, or now if that is past. */
  void wakeAt(FluidProcess process, long atNanos) {
    events.schedule(process, Math.max(atNanos, events.nowNanos()));
  }

  /** A process begins to send. */
  void activate(FluidProcess process) {
    sending.add(process);
    process.activate(account -> {
      // Who sets rates was told of the job when it came.
      if (account.target.activate(account, process.job()) && !setsRates) {
        upToDate.clear(account.target.index);
      }
      active.set(account.target.index);
    });
    scheduleStep();
  }

  /** When the sample of an instant ends. */
  long sampleEndNanos(long atNanos) {
    return (atNanos / scenario.sampleNanos() + 1) * scenario.sampleNanos();
  }

  private void scheduleStep() {
    long nowNanos = events.nowNanos();
    if (!periodEnd.isQueued() && nowNanos < scenario.endNanos()) {
      long next = Math.min(nextEnd(nowNanos, stepNanos), nextEnd(nowNanos, periodNanos));
      events.schedule(periodEnd, Math.min(next, scenario.endNanos()));
    }
  }

  /** The last end of a period before then. */
  private static long lastEnd(long nowNanos, long everyNanos) {
    return (nowNanos - 1) / everyNanos * everyNanos;
  }

  private static long nextEnd(long nowNanos, long everyNanos) {
    return (nowNanos / everyNanos + 1) * everyNanos;
  }

  /** The jobs that a target's decision is about, with something to send or not. */
  private List<FluidJob> there(FluidTarget target) {
    return setsRates ? listed : target.known();
  }

  private List<JobDemand> reserved(FluidTarget target, List<JobDemand> seen) {
    return scenario.reserved(target.spec.told(), seen, periodNanos, false);
  }

  private void step(long beginNanos, long endNanos) {
    for (FluidProcess process : sending) {
      process.arrive(beginNanos, endNanos);
    }
    for (int t = active.nextSetBit(0); t >= 0; t = active.nextSetBit(t + 1)) {
      FluidTarget target = targets.get(t);
      if (!decidesByDemand && (together || !upToDate.get(t))) {
        target.control.see(target, reserved(target, target.takeDemands(there(target), beginNanos)));
        upToDate.set(t);
      }
    }
    decideWhatWasSeen(false, beginNanos);
    for (int t = active.nextSetBit(0); t >= 0; t = active.nextSetBit(t + 1)) {
      targets.get(t).serve(beginNanos, endNanos);
    }
    for (FluidProcess process : sending) {
      if (process.advance(beginNanos, endNanos)) {
        stillSending.add(process);
      }
    }
    List<FluidProcess> empty = sending;
    sending = stillSending;
    stillSending = empty;
    empty.clear();
    for (int t = active.nextSetBit(0); t >= 0; t = active.nextSetBit(t + 1)) {
      targets.get(t).endStep(beginNanos, endNanos);
    }
    if (stepNanos < periodNanos) {
      look(endNanos);
    }
    if (endNanos % periodNanos == 0 || endNanos == scenario.endNanos()) {
      decide(endNanos);
    }
    if (!active.isEmpty()) {
      scheduleStep();
    }
    if (++steps % PROGRESS_STEPS == 0) {
      double ofTime = (double) endNanos / scenario.endNanos();
      progress.at(endNanos, Math.max(ofTime, 1 - (double) jobsLeft / jobs.size()));
    }
  }

  private void look(long nowNanos) {
    for (int t = active.nextSetBit(0); t >= 0; t = active.nextSetBit(t + 1)) {
      targets.get(t).control.lookAt(targets.get(t));
    }
    controls.forEach(control -> control.look(nowNanos));
  }

  private void decide(long nowNanos) {
    boolean explained = figures.begin(nowNanos);
    for (int t = active.nextSetBit(0); t >= 0; t = active.nextSetBit(t + 1)) {
      FluidTarget target = targets.get(t);
      boolean sends = target.isActive();
      if (decidesByDemand || explained) {
        List<FluidJob> idle = decidesByDemand ? List.of() : there(target);
        target.control.see(target, reserved(target, target.takeDemands(idle, nowNanos)));
      }
      boolean stays = target.stays();
      // One that looks at demand decides once more when nobody sends: then nobody is listed.
      if (!stays && !(decidesByDemand && sends)) {
        active.clear(t);
      }
    }
    decideWhatWasSeen(explained, nowNanos);
    if (explained) {
      figures.finish(nowNanos);
    }
  }

  private void decideWhatWasSeen(boolean explained, long nowNanos) {
    for (FluidControl control : controls) {
      if (control.hasSeen()) {
        Explanation explanation = control.decide(periodNanos, nowNanos);
        totals.add(control.index, explanation, nowNanos);
        if (explained) {
          figures.add(control.index, explanation);
        }
      }
    }
  }

  private RunResult result(long endNanos) {
    List<JobResult> jobResults = new ArrayList<>();
    for (FluidJob job : jobs.values()) {
      jobResults.add(job.result(figures.of(job.id()), endNanos));
    }
    List<TargetResult> targetResults = new ArrayList<>();
    long decisions = 0;
    long changes = 0;
    for (FluidTarget target : targets) {
      targetResults.add(target.result());
    }
    for (FluidControl control : controls) {
      decisions += control.cycle.decisions();
      changes += control.cycle.changes();
    }
    return new RunResult(
        scenario.name(),
        policy.name(),
        seed,
        endNanos,
        events.happened(),
        decisions,
        changes,
        jobResults,
        targetResults,
        totals.timelines());
  }
}
