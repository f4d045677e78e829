package dev.sluice.control.controller;

import dev.sluice.control.gateways.TargetPlane;
import dev.sluice.control.leader.Standing;
import dev.sluice.control.settings.SharedResource;
import dev.sluice.control.stage.RateKey;
import dev.sluice.control.stage.StageGroup;
import dev.sluice.control.stage.StageJob;
import dev.sluice.core.model.JobId;
import dev.sluice.stage.limit.LimitKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a controller is at one instant.
 *
 * @param problem what is wrong, in words; null where nothing is
 * @param targets how the targets of all gateways are; null where none are let in
 */
public record ControllerStatus(
    Standing standing,
    long cycles,
    @Nullable String problem,
    List<Member> members,
    List<ResourceState> resources,
    List<JobState> jobs,
    TargetPlane.@Nullable State targets) {
  public ControllerStatus {
    members = List.copyOf(members);
    resources = List.copyOf(resources);
    jobs = List.copyOf(jobs);
  }

  /** An agent or an aggregator that is connected. */
  public record Member(
      String name, String host, boolean aggregates, int agents, int jobs, long silentNanos) {}

  /** A resource and what is used of it. */
  public record ResourceState(
      LimitKey key, String algorithm, long maximumPerSecond, long usedPerSecond) {}

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
      TargetPlane.@Nullable State targets,
      long nowNanos) {
    List<Member> members = new ArrayList<>();
    for (StageGroup.MemberState state : stage.states()) {
      members.add(
          new Member(
              state.name(),
              state.host(),
              state.aggregates(),
              state.agents(),
              state.jobs(),
              Math.max(0, nowNanos - state.heardNanos())));
    }
    List<ResourceState> resources = new ArrayList<>();
    for (SharedResource resource : decisions.settings().resources()) {
      long used = 0;
      for (StageJob job : stage.jobs()) {
        used += job.usagePerSecond(RateKey.of(resource.key()));
      }
      resources.add(
          new ResourceState(
              resource.key(), resource.algorithm(), resource.maximumPerSecond(), used));
    }
    List<JobState> jobs = new ArrayList<>();
    Map<RateKey, Map<JobId, Long>> demands = demands(decisions);
    for (StageJob job : stage.jobs()) {
      jobs.add(jobState(job, decisions, demands));
    }
    return new ControllerStatus(standing, cycles, problem, members, resources, jobs, targets);
  }

  /** What each job may count on of each resource. */
  private static Map<RateKey, Map<JobId, Long>> demands(StageDecisions decisions) {
    Map<RateKey, Map<JobId, Long>> demands = new HashMap<>();
    decisions
        .divisions()
        .forEach((key, division) -> {
          Map<JobId, Long> byJob = new HashMap<>();
          for (int i = 0; i < division.size(); i++) {
            byJob.put(division.job(i), division.use(i).demandPerSecond());
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
