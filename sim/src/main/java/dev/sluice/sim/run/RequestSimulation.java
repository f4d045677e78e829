package dev.sluice.sim.run;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Target;
import dev.sluice.core.policy.Cluster;
import dev.sluice.core.policy.Explanation;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.policy.LocalRule;
import dev.sluice.core.policy.Policy;
import dev.sluice.core.policy.PolicyControl;
import dev.sluice.core.policy.PolicyInfo;
import dev.sluice.core.policy.cycle.ControlCycle;
import dev.sluice.core.policy.cycle.CycleSetting;
import dev.sluice.core.policy.guarantee.GoalKeeping;
import dev.sluice.core.policy.guarantee.Goals;
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
import dev.sluice.sim.scenario.JobSpec;
import dev.sluice.sim.scenario.ProcessGroup;
import dev.sluice.sim.scenario.Scenario;
import dev.sluice.sim.scenario.Workload;
import dev.sluice.sim.storage.SimRequest;
import dev.sluice.sim.storage.SimStorage;
import dev.sluice.sim.storage.SimTarget;
import dev.sluice.sim.workload.Barrier;
import dev.sluice.sim.workload.JobRun;
import dev.sluice.sim.workload.SimProcess;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** One run of a scenario in which every request passes a scheduler. */
final class RequestSimulation {
  /** How many events pass between two looks at the books; a power of two. */
  private static final long AUDIT_EVENTS = 1 << 16;

  private final Scenario scenario;
  private final PolicyInfo policy;
  private final long seed;
  private final Simulator.Progress progress;
  private final StartOrder startOrder;
  private final long periodNanos;
  private final boolean decidesWithoutDemand;

  /** How often the policy looks at each target between two decisions; 0 where it does not. */
  private final long lookNanos;

  private final EventQueue events = new EventQueue();
  private final SimStorage storage;
  private final List<Control> controls = new ArrayList<>();
  private final Figures figures;
  private final Totals totals;

  /** All jobs, in the scenario's order. */
  private final Map<JobId, JobRun> jobs = new LinkedHashMap<>();

  /** Jobs that policies are told of, in ascending order. */
  private final Map<JobId, JobRun> listed = new TreeMap<>();

  private final List<JobId> endedSinceDecision = new ArrayList<>();
  private int jobsLeft;

  private final Event periodEnd =
      new Event() {
        @Override
        protected void happen(long nowNanos) {
          decide(nowNanos);
          storage.targets().forEach(SimTarget::beginPeriod);
          events.schedule(this, nowNanos + periodNanos);
        }
      };

  private final Event lookBetweenDecisions =
      new Event() {
        @Override
        protected void happen(long nowNanos) {
          look(nowNanos);
          events.schedule(this, nowNanos + lookNanos);
        }
      };

  private final Event lookAtGoals =
      new Event() {
        @Override
        protected void happen(long nowNanos) {
          storage.targets().forEach(target -> target.lookAtGoals(nowNanos));
          events.schedule(this, nowNanos + GoalKeeping.LOOK_NANOS);
        }
      };

  private final Event jobsChanged =
      new Event() {
        @Override
        protected void happen(long nowNanos) {
          decide(nowNanos);
        }
      };

  private final Event sample =
      new Event() {
        @Override
        protected void happen(long nowNanos) {
          long width = scenario.sampleNanos();
          for (SimTarget target : storage.targets()) {
            width = target.sample(nowNanos);
          }
          events.schedule(this, nowNanos + width);
        }
      };

  RequestSimulation(
      Scenario scenario,
      PolicyInfo info,
      Policy<?> policy,
      StartOrder startOrder,
      long seed,
      Simulator.Progress progress) {
    this.scenario = scenario;
    this.policy = info;
    this.seed = seed;
    this.progress = progress;
    this.startOrder = startOrder;
    this.periodNanos = scenario.periodNanos() > 0 ? scenario.periodNanos() : info.periodNanos();
    this.decidesWithoutDemand = !info.needs().contains(PolicyInfo.Need.DEMAND);
    LocalRule local = policy.local();
    this.lookNanos = local == null || local.periodNanos() >= periodNanos ? 0 : local.periodNanos();
    this.storage =
        new SimStorage(
            scenario.targets(),
            info.scheduler(),
            scenario.shareTree(),
            info.needs().contains(PolicyInfo.Need.CADENCE),
            seed,
            scenario.sampleNanos(),
            events);
    CycleSetting setting = CycleSetting.of(info, periodNanos);
    switch (info.scope()) {
      case EACH_TARGET_ALONE -> {
        for (SimTarget target : storage.targets()) {
          controls.add(Control.of(policy, setting, List.of(target)));
        }
      }
      case ALL_TARGETS -> controls.add(Control.of(policy, setting, storage.targets()));
    }
    this.figures = new Figures(scenario.jobs().size(), controls.size(), scenario.sampleNanos());
    this.totals = new Totals(controls.size(), scenario.sampleNanos());
    for (JobSpec job : scenario.jobs()) {
      if (jobs.put(job.id(), new JobRun(job, scenario.sampleNanos(), this::ended)) != null) {
        throw new IllegalArgumentException("two jobs are called " + job.id());
      }
      events.schedule(new Submission(job), job.submitNanos());
    }
    jobsLeft = jobs.size();
    events.schedule(sample, 0);
    events.schedule(periodEnd, periodNanos);
    if (lookNanos > 0) {
      events.schedule(lookBetweenDecisions, lookNanos);
    }
    if (!scenario.limits().isEmpty()) {
      storage.targets().forEach(target -> target.limit(scenario.limits(), scenario.owners(), 0));
    }
    Goals goals = scenario.promises().goals();
    if (!goals.isEmpty() && keepsReserves()) {
      storage.targets().forEach(target -> target.keep(goals, scenario.owners(), 0));
      events.schedule(lookAtGoals, GoalKeeping.LOOK_NANOS);
    }
  }

  /** A policy and the targets that it decides about together. */
  private record Control(ControlCycle<?> cycle, List<SimTarget> targets) {
    static Control of(Policy<?> policy, CycleSetting setting, List<SimTarget> targets) {
      Cluster told = new Cluster(targets.stream().map(target -> target.spec().told()).toList());
      return new Control(
          new ControlCycle<>(PolicyControl.of(policy, told), told, setting, 0), targets);
    }
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
      startJobs(nowNanos);
    }
  }

  RunResult run() {
    while (jobsLeft > 0 && events.step(scenario.endNanos())) {
      if ((events.happened() & (AUDIT_EVENTS - 1)) == 0) {
        audit(events.nowNanos());
        progress.at(events.nowNanos(), partDone(events.nowNanos()));
      }
    }
    long endNanos = jobsLeft == 0 ? events.nowNanos() : scenario.endNanos();
    audit(endNanos);
    progress.at(endNanos, 1);
    return result(endNanos);
  }

  private void startJobs(long nowNanos) {
    for (JobId id : startOrder.startable(nowNanos)) {
      JobRun job = jobs.get(id);
      if (job == null) {
        throw new IllegalStateException("there is no job " + id + " to start");
      }
      listed.put(id, job);
      // Whoever decides without having seen demand has decided before the first request comes.
      if (decidesWithoutDemand) {
        events.reschedule(jobsChanged, nowNanos);
      }
      start(job, nowNanos);
    }
  }

  private void start(JobRun job, long nowNanos) {
    int inPhases = 0;
    for (ProcessGroup group : job.spec().processes()) {
      inPhases += group.workload() instanceof Workload.Phases ? group.count() : 0;
    }
    Barrier barrier = new Barrier(inPhases, Seeds.random(seed, "phases of job " + job.id()));
    List<SimProcess> processes = new ArrayList<>();
    for (ProcessGroup group : job.spec().processes()) {
      for (int i = 0; i < group.count(); i++) {
        String name = "process " + processes.size() + " of job " + job.id();
        processes.add(
            new SimProcess(job, group, barrier, events, storage, Seeds.random(seed, name)));
      }
    }
    job.start(processes, nowNanos);
  }

  /** With a queue, who is done leaves; without one, jobs keep their claim until the end. */
  private void ended(JobRun job, long nowNanos) {
    jobsLeft--;
    if (scenario.clusterNodes() > 0) {
      listed.remove(job.id());
      endedSinceDecision.add(job.id());
      storage.targets().forEach(target -> target.forget(job.id()));
    }
    startOrder.ended(job.id(), nowNanos);
    startJobs(nowNanos);
  }

  private void decide(long nowNanos) {
    boolean explained = figures.begin(nowNanos);
    for (int i = 0; i < controls.size(); i++) {
      Control control = controls.get(i);
      Map<Target, List<JobDemand>> seen = new LinkedHashMap<>();
      for (SimTarget target : control.targets) {
        Target now = target.target();
        seen.put(
            now, scenario.reserved(now, demands(target, nowNanos), periodNanos, keepsReserves()));
      }
      Explanation explanation =
          control.cycle.decide(seen, endedSinceDecision, periodNanos, nowNanos);
      totals.add(i, explanation, nowNanos);
      if (explained) {
        figures.add(i, explanation);
      }
      for (SimTarget target : control.targets) {
        target.reconfigure(control.cycle.inForce(target.spec().name()), nowNanos);
      }
    }
    endedSinceDecision.clear();
    if (explained) {
      figures.finish(nowNanos);
    }
  }

  /** Whether what is reserved is served first. */
  private boolean keepsReserves() {
    return policy.scheduler().keepsReserves();
  }

  private void look(long nowNanos) {
    for (Control control : controls) {
      Map<Target, List<JobDemand>> seen = new LinkedHashMap<>();
      for (SimTarget target : control.targets) {
        List<JobDemand> demands = new ArrayList<>(listed.size());
        for (JobRun job : listed.values()) {
          demands.add(
              target.look(job.id(), job.spec().nodes()).withApplication(job.spec().application()));
        }
        seen.put(target.target(), demands);
      }
      Set<String> changed = control.cycle.look(seen, nowNanos);
      for (SimTarget target : control.targets) {
        if (changed.contains(target.spec().name())) {
          target.reconfigure(control.cycle.inForce(target.spec().name()), nowNanos);
        }
      }
    }
  }

  private List<JobDemand> demands(SimTarget target, long nowNanos) {
    List<JobDemand> demands = new ArrayList<>(listed.size());
    for (JobRun job : listed.values()) {
      demands.add(
          target
              .demand(job.id(), job.spec().nodes(), nowNanos)
              .withApplication(job.spec().application()));
    }
    return demands;
  }

  private void audit(long nowNanos) {
    events.checkInvariants();
    storage.targets().forEach(target -> target.checkInvariants(nowNanos));
    jobs.values().forEach(JobRun::checkInvariants);
  }

  private double partDone(long nowNanos) {
    double ofTime = (double) nowNanos / scenario.endNanos();
    double ofJobs = 1 - (double) jobsLeft / jobs.size();
    return Math.max(ofTime, ofJobs);
  }

  private RunResult result(long endNanos) {
    Map<JobId, List<SimRequest>> notComplete = new HashMap<>();
    for (SimTarget target : storage.targets()) {
      for (SimRequest request : target.abandonAll(endNanos)) {
        notComplete.computeIfAbsent(request.job(), _ -> new ArrayList<>()).add(request);
      }
    }
    List<JobResult> jobResults = new ArrayList<>();
    for (JobRun job : jobs.values()) {
      List<SimRequest> itsOwn = notComplete.getOrDefault(job.id(), List.of());
      jobResults.add(job.result(figures.of(job.id()), itsOwn, endNanos));
    }
    List<TargetResult> targetResults = new ArrayList<>();
    for (SimTarget target : storage.targets()) {
      targetResults.add(target.result(endNanos));
    }
    return new RunResult(
        scenario.name(),
        policy.name(),
        seed,
        endNanos,
        events.happened(),
        controls.stream().mapToLong(control -> control.cycle.decisions()).sum(),
        controls.stream().mapToLong(control -> control.cycle.changes()).sum(),
        jobResults,
        targetResults,
        totals.timelines());
  }
}
