package dev.sluice.core.schedule.mlwdf;

import dev.sluice.core.model.JobId;
import dev.sluice.core.schedule.JobQueue;
import org.jspecify.annotations.Nullable;

/** One job's requests on a server, with its tokens and what makes it urgent. */
final class MlwdfQueue extends JobQueue {
  /** Null while it has no limit. */
  @Nullable SlotBucket bucket;

  /** Whether it was here before, with a limit or without. */
  boolean known;

  /** Whether it is among those that have tokens, while it has something queued. */
  boolean isReady;

  /** γ, in parts of 2^40. */
  long weight = 1;

  /** C: what the server has for it in a slot. */
  double capacityTokens;

  /** T: how much of that it has borrowed. */
  double borrowedTokens;

  MlwdfQueue(JobId job) {
    super(job);
  }

  /** γ·L·C + T: the larger, the sooner it is served. */
  double urgency() {
    return weight / MlwdfScheduler.GAMMA_ONE * size() * capacityTokens + borrowedTokens;
  }
}
