package dev.sluice.core.policy.progress;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Target;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.policy.Observation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which jobs do I/O on which targets, with how many processes: what a decision about all targets is
 * about. A job is on the targets of which it wanted something.
 *
 * <p>Rates here are those of one process, as parts of the largest target's capacity. A job's
 * processes wait for each other, so they all have the same rate on all targets; {@code k} processes
 * on a target take {@code k} times that rate of it.
 *
 * <p>Kept twice, by job and by target, in columns. Immutable.
 */
public final class JobsOnTargets {
  private final Target[] targets;
  private final double[] capacities;
  private final double largestTokensPerSecond;
  private final long periodNanos;

  private final JobDemand[] jobs;
  private final long[] processesSum;
  private final int[] jobBegins;
  private final int[] entryTarget;
  private final double[] entryProcesses;
  private final double[] entryClaim;

  private final int[] targetBegins;
  private final int[] placeJob;
  private final int[] placeEntry;

  /** What was seen, with jobs in ascending order of id; throws where reports contradict. */
  public JobsOnTargets(Observation seen, ShareBasis claim) {
    targets = seen.cluster().targets().toArray(Target[]::new);
    periodNanos = seen.periodNanos();
    long largest = 0;
    for (Target target : targets) {
      largest = Math.max(largest, target.tokensPerSecond());
    }
    largestTokensPerSecond = (double) largest;
    capacities = new double[targets.length];
    for (int j = 0; j < targets.length; j++) {
      capacities[j] = targets[j].tokensPerSecond() / largestTokensPerSecond;
    }

    List<List<JobDemand>> reports = new ArrayList<>(targets.length);
    for (Target target : targets) {
      reports.add(seen.on(target.name()));
    }
    jobs = active(reports);
    Map<JobId, Integer> index = HashMap.newHashMap(jobs.length);
    for (int i = 0; i < jobs.length; i++) {
      index.put(jobs[i].job(), i);
    }

    targetBegins = new int[targets.length + 1];
    jobBegins = new int[jobs.length + 1];
    for (int j = 0; j < targets.length; j++) {
      int count = 0;
      for (JobDemand demand : reports.get(j)) {
        if (demand.wantedTokens() > 0) {
          int job = index.getOrDefault(demand.job(), -1);
          requireSame(jobs[job], demand, targets[j]);
          jobBegins[job + 1]++;
          count++;
        }
      }
      targetBegins[j + 1] = targetBegins[j] + count;
    }
    for (int i = 0; i < jobs.length; i++) {
      jobBegins[i + 1] += jobBegins[i];
    }

    int entries = targetBegins[targets.length];
    entryTarget = new int[entries];
    entryProcesses = new double[entries];
    entryClaim = new double[entries];
    placeJob = new int[entries];
    placeEntry = new int[entries];
    processesSum = new long[jobs.length];
    int[] next = Arrays.copyOf(jobBegins, jobs.length);
    int place = 0;
    for (int j = 0; j < targets.length; j++) {
      for (JobDemand demand : reports.get(j)) {
        if (demand.wantedTokens() > 0) {
          int job = index.getOrDefault(demand.job(), -1);
          int entry = next[job]++;
          entryTarget[entry] = j;
          entryProcesses[entry] = (double) demand.processes();
          entryClaim[entry] = claim.of(demand);
          processesSum[job] += demand.processes();
          placeJob[place] = job;
          placeEntry[place++] = entry;
        }
      }
    }
  }

  private static JobDemand[] active(List<List<JobDemand>> reports) {
    Map<JobId, JobDemand> first = new HashMap<>();
    for (List<JobDemand> report : reports) {
      for (JobDemand demand : report) {
        if (demand.wantedTokens() > 0) {
          first.putIfAbsent(demand.job(), demand);
        }
      }
    }
    JobDemand[] active = first.values().toArray(JobDemand[]::new);
    Arrays.sort(active, (a, b) -> a.job().compareTo(b.job()));
    return active;
  }

  private static void requireSame(JobDemand first, JobDemand report, Target target) {
    if (first.nodes() != report.nodes()
        || first.weight() != report.weight()
        || !first.application().equals(report.application())) {
      throw new IllegalArgumentException(
          "job "
              + report.job()
              + " is reported by "
              + target.name()
              + " with other nodes, weight or application than elsewhere");
    }
  }

  public int jobs() {
    return jobs.length;
  }

  public JobId job(int job) {
    return jobs[job].job();
  }

  /** What the job runs, under which it is remembered. */
  public JobId application(int job) {
    return jobs[job].application();
  }

  public long nodes(int job) {
    return jobs[job].nodes();
  }

  /** All processes of the job on all targets. */
  public long processes(int job) {
    return processesSum[job];
  }

  public int targets() {
    return targets.length;
  }

  public Target target(int target) {
    return targets[target];
  }

  /** As a part of the largest target's. */
  public double capacity(int target) {
    return capacities[target];
  }

  /** Whether anybody does I/O there. */
  public boolean isUsed(int target) {
    return targetBegins[target + 1] > targetBegins[target];
  }

  /** Jobs times their targets. */
  public int entries() {
    return entryTarget.length;
  }

  /** Where the entries of a job begin; they end where those of the next one do. */
  public int begin(int job) {
    return jobBegins[job];
  }

  public int entryTarget(int entry) {
    return entryTarget[entry];
  }

  /** How many processes of the job are on the entry's target. */
  public double entryProcesses(int entry) {
    return entryProcesses[entry];
  }

  double entryClaim(int entry) {
    return entryClaim[entry];
  }

  /** Where the places on a target begin; they are in ascending order of job. */
  int targetBegin(int target) {
    return targetBegins[target];
  }

  int placeJob(int place) {
    return placeJob[place];
  }

  int placeEntry(int place) {
    return placeEntry[place];
  }

  public long periodNanos() {
    return periodNanos;
  }

  /** Tokens a second that a rate of 1 stands for. */
  public double tokensPerSecond() {
    return largestTokensPerSecond;
  }

  /** Tokens that a rate of 1 stands for over one period. */
  public double tokensPerPeriod() {
    return largestTokensPerSecond * periodNanos / 1e9;
  }

  /** What is left of each target when the jobs have these rates. */
  public double[] gaps(double[] rates) {
    double[] gaps = capacities.clone();
    for (int i = 0; i < jobs.length; i++) {
      for (int e = jobBegins[i]; e < jobBegins[i + 1]; e++) {
        gaps[entryTarget[e]] -= entryProcesses[e] * rates[i];
      }
    }
    return gaps;
  }

  /** The bandwidth that contributes to progress when the jobs have these rates. */
  public double effective(double[] rates) {
    double sum = 0;
    for (int i = 0; i < jobs.length; i++) {
      sum += processesSum[i] * rates[i];
    }
    return sum;
  }

  /** Capacity of all targets on which somebody does I/O: no rates can be worth more. */
  public double usable() {
    double sum = 0;
    for (int j = 0; j < targets.length; j++) {
      sum += isUsed(j) ? capacities[j] : 0;
    }
    return sum;
  }
}
