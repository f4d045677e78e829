package dev.sluice.control.controller;

import dev.sluice.control.gateways.TargetPlane;
import dev.sluice.control.gateways.TargetSeen.JobSeen;
import dev.sluice.control.leader.Standing;
import dev.sluice.control.settings.SharedResource;
import dev.sluice.control.stage.RateKey;
import dev.sluice.control.stage.StageGroup;
import dev.sluice.control.stage.StageJob;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.LimitKey;
import dev.sluice.core.model.Target;
import dev.sluice.core.policy.Explanation;
import dev.sluice.core.schedule.Shares;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a controller is at one instant.
 *
 * @param problem what is wrong, in words; null where nothing is
 * @param gateways null where none are let in
 */
public record ControllerStatus(
    Standing standing,
    long cycles,
    @Nullable String problem,
    List<Member> members,
    List<ResourceState> resources,
    List<JobState> jobs,
    @Nullable Gateways gateways) {
  public ControllerStatus {
    members = List.copyOf(members);
    resources = List.copyOf(resources);
    jobs = List.copyOf(jobs);
  }

  /** What a member is. */
  public enum MemberKind {
    AGENT("agent"),
    AGGREGATOR("aggregator"),
    GATEWAY("gateway");

    private final String text;

    MemberKind(String text) {
      this.text = text;
    }

    /** For people and programs. */
    public String text() {
      return text;
    }
  }

  /**
   * Somebody who is connected.
   *
   * @param agents for how many nodes it stands; none for a gateway
   * @param keepsGuarantees whether it is told what is guaranteed
   */
  public record Member(
      String name,
      String host,
      MemberKind kind,
      int agents,
      int jobs,
      boolean keepsGuarantees,
      long silentNanos) {}

  /**
   * The targets of all gateways, and what decides about them together.
   *
   * @param explanation of the last decision; null before the first
   */
  public record Gateways(
      TargetPlane.State plane, @Nullable Explanation explanation, List<TargetState> targets) {
    public Gateways {
      targets = List.copyOf(targets);
    }

    public String policy() {
      return plane.policy();
    }

    public long decisions() {
      return plane.decisions();
    }

    /** Why it does not decide as it should; null where it does. */
    public @Nullable String trouble() {
      return plane.trouble().isEmpty() ? null : plane.trouble();
    }
  }

  /** A target of a gateway, under a name that no other gateway's targets have. */
  public record TargetState(Target target, int queued, int inService, List<TargetJob> jobs) {
    public TargetState {
      jobs = List.copyOf(jobs);
    }

    /** What all jobs together use of it. */
    public double usedTokensPerSecond() {
      double operations = 0;
      double bytes = 0;
      for (TargetJob job : jobs) {
        operations += job.seen().operationsPerSecond();
        bytes += job.seen().readBytesPerSecond() + job.seen().writtenBytesPerSecond();
      }
      return operations * target.unit().tokensPerOperation()
          + bytes * target.unit().tokensPerByte();
    }
  }

  /**
   * What a job does on a gateway's target.
   *
   * @param allowedTokensPerSecond infinite where it is not limited
   */
  public record TargetJob(JobSeen seen, long weight, double allowedTokensPerSecond) {}

  /**
   * A resource and what is used of it.
   *
   * @param explanation of the last decision; null where demands say it all
   */
  public record ResourceState(
      LimitKey key,
      String algorithm,
      long maximumPerSecond,
      long usedPerSecond,
      @Nullable Explanation explanation) {
    /** Of which no more is said. */
    public ResourceState(
        LimitKey key, String algorithm, long maximumPerSecond, long usedPerSecond) {
      this(key, algorithm, maximumPerSecond, usedPerSecond, null);
    }
  }

  /** A job on all its nodes. */
  public record JobState(String job, String user, long nodes, long processes, List<JobRate> rates) {
    public JobState {
      rates = List.copyOf(rates);
    }
  }

  /**
   * What a job does, and may do, of one thing.
   *
   * @param allowedPerSecond negative where it is not limited
   * @param demandPerSecond what it may count on; negative where that is not divided
   */
  public record JobRate(
      LimitKey key, long usedPerSecond, long allowedPerSecond, long demandPerSecond) {}

  static ControllerStatus of(
      Standing standing,
      long cycles,
      @Nullable String problem,
      StageDecisions decisions,
      StageGroup stage,
      @Nullable TargetPlane plane,
      long nowNanos) {
    List<Member> members = new ArrayList<>();
    for (StageGroup.MemberState state : stage.states()) {
      members.add(
          new Member(
              state.name(),
              state.host(),
              state.aggregates() ? MemberKind.AGGREGATOR : MemberKind.AGENT,
              state.agents(),
              state.jobs(),
              state.keepsGuarantees(),
              Math.max(0, nowNanos - state.heardNanos())));
    }
    Gateways gateways = null;
    if (plane != null) {
      List<TargetPlane.Gateway> connected = plane.gateways();
      connected.forEach(gateway -> members.add(member(gateway, nowNanos)));
      gateways = gateways(plane, connected);
    }
    List<ResourceState> resources = new ArrayList<>();
    for (SharedResource resource : decisions.settings().resources()) {
      long used = 0;
      for (StageJob job : stage.jobs()) {
        used += job.usagePerSecond(RateKey.of(resource.key()));
      }
      resources.add(
          new ResourceState(
              resource.key(),
              resource.algorithm(),
              resource.maximumPerSecond(),
              used,
              decisions.explanation(RateKey.of(resource.key()))));
    }
    List<JobState> jobs = new ArrayList<>();
    Map<RateKey, Map<JobId, Long>> demands = demands(decisions);
    for (StageJob job : stage.jobs()) {
      jobs.add(jobState(job, decisions, demands));
    }
    return new ControllerStatus(standing, cycles, problem, members, resources, jobs, gateways);
  }

  private static Member member(TargetPlane.Gateway gateway, long nowNanos) {
    long jobs =
        gateway.targets().stream()
            .flatMap(target -> target.seen().jobs().stream())
            .map(JobSeen::job)
            .distinct()
            .count();
    return new Member(
        gateway.name(),
        gateway.host(),
        MemberKind.GATEWAY,
        0,
        (int) jobs,
        true,
        Math.max(0, nowNanos - gateway.heardNanos()));
  }

  private static Gateways gateways(TargetPlane plane, List<TargetPlane.Gateway> connected) {
    List<TargetState> targets = new ArrayList<>();
    for (TargetPlane.Gateway gateway : connected) {
      for (TargetPlane.GatewayTarget target : gateway.targets()) {
        targets.add(
            new TargetState(
                target.target(),
                target.seen().queued(),
                target.seen().inService(),
                target.seen().jobs().stream()
                    .map(job -> targetJob(job, target.shares()))
                    .toList()));
      }
    }
    return new Gateways(plane.state(), plane.explanation(), targets);
  }

  private static TargetJob targetJob(JobSeen seen, Shares shares) {
    // Those that were added up have no name, and no share of their own.
    int index = seen.job().isEmpty() ? -1 : shares.indexOf(JobId.of(seen.job()));
    return new TargetJob(
        seen,
        index < 0 ? 1 : shares.weight(index),
        index < 0 ? Double.POSITIVE_INFINITY : shares.tokensPerSecond(index));
  }

  /** What each job may count on of each resource. */
  private static Map<RateKey, Map<JobId, Long>> demands(StageDecisions decisions) {
    Map<RateKey, Map<JobId, Long>> demands = new HashMap<>();
    decisions
        .divisions()
        .forEach((key, division) -> {
          Map<JobId, Long> byJob = new HashMap<>();
          for (int i = 0; i < division.size(); i++) {
            byJob.put(division.job(i), Math.round(division.use(i).demandPerSecond()));
          }
          demands.put(key, byJob);
        });
    return demands;
  }

  private static JobState jobState(
      StageJob job, StageDecisions decisions, Map<RateKey, Map<JobId, Long>> demands) {
    List<JobRate> rates = new ArrayList<>();
    for (RateKey key : decisions.keys()) {
      long demand = demands.getOrDefault(key, Map.of()).getOrDefault(job.id(), -1L);
      rates.add(new JobRate(key.key(), job.usagePerSecond(key), job.allowedPerSecond(key), demand));
    }
    return new JobState(job.id().toString(), job.user(), job.nodes(), job.processes(), rates);
  }
}
