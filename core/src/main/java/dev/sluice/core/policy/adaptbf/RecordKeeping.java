package dev.sluice.core.policy.adaptbf;

import dev.sluice.core.model.JobId;
import dev.sluice.core.policy.Observation;
import dev.sluice.core.policy.adaptbf.AdapTbfState.Dormant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Which idle jobs are remembered after a decision.
 *
 * @param writtenOffTokens sum of the records that were given up: of jobs that ended, and of those
 *     idle for too long
 */
record RecordKeeping(Dormant dormant, long writtenOffTokens) {

  /** Both the columns of the state and those of the decision ascend, so one walk merges them. */
  static RecordKeeping of(
      AdapTbfState state, Observation seen, AdapTbf.Decision decision, long retentionNanos) {
    Dormant before = state.dormant;
    List<Idle> leaving = leaving(state, decision.jobs, seen.nowNanos());
    boolean expires = seen.nowNanos() - retentionNanos >= before.oldestIdleSinceNanos;
    if (leaving.isEmpty() && !decision.returned && !expires && seen.ended().isEmpty()) {
      return new RecordKeeping(before, 0);
    }

    Set<JobId> ended = new HashSet<>(seen.ended());
    List<Idle> kept = new ArrayList<>(before.jobs.length + leaving.size());
    long writtenOff = 0;
    int active = 0;
    int left = 0;
    for (int i = 0; i < before.jobs.length; i++) {
      Idle idle = new Idle(before.jobs[i], before.records[i], before.idleSinceNanos[i]);
      while (left < leaving.size() && leaving.get(left).job().compareTo(idle.job()) < 0) {
        writtenOff += keepOrWriteOff(leaving.get(left++), ended, seen, retentionNanos, kept);
      }
      while (active < decision.jobs.length && decision.jobs[active].compareTo(idle.job()) < 0) {
        active++;
      }
      boolean cameBack = active < decision.jobs.length && decision.jobs[active].equals(idle.job());
      if (!cameBack) {
        writtenOff += keepOrWriteOff(idle, ended, seen, retentionNanos, kept);
      }
    }
    while (left < leaving.size()) {
      writtenOff += keepOrWriteOff(leaving.get(left++), ended, seen, retentionNanos, kept);
    }
    return new RecordKeeping(columns(kept), writtenOff);
  }

  /** Keeps the record, or returns what is given up. */
  private static long keepOrWriteOff(
      Idle idle, Set<JobId> ended, Observation seen, long retentionNanos, List<Idle> kept) {
    if (ended.contains(idle.job()) || seen.nowNanos() - idle.sinceNanos() >= retentionNanos) {
      return idle.record();
    }
    kept.add(idle);
    return 0;
  }

  /** Jobs that were active and are no more, with something to remember. */
  private static List<Idle> leaving(AdapTbfState state, JobId[] activeNow, long nowNanos) {
    List<Idle> leaving = new ArrayList<>();
    int a = 0;
    for (int i = 0; i < state.jobs.length; i++) {
      int order = -1;
      while (a < activeNow.length && (order = activeNow[a].compareTo(state.jobs[i])) < 0) {
        a++;
      }
      boolean stays = order == 0;
      if (!stays && state.records[i] != 0) {
        leaving.add(new Idle(state.jobs[i], state.records[i], nowNanos));
      }
    }
    return leaving;
  }

  private static Dormant columns(List<Idle> idle) {
    JobId[] jobs = new JobId[idle.size()];
    long[] records = new long[idle.size()];
    long[] since = new long[idle.size()];
    for (int i = 0; i < jobs.length; i++) {
      jobs[i] = idle.get(i).job();
      records[i] = idle.get(i).record();
      since[i] = idle.get(i).sinceNanos();
    }
    return new Dormant(jobs, records, since);
  }

  private record Idle(JobId job, long record, long sinceNanos) {}
}
