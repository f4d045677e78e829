package dev.sluice.core.policy.progress;

import dev.sluice.core.policy.JobDemand;

/** By what the jobs on a target share it. */
public enum ShareBasis {
  /** By the weights that jobs were given; equally where none were. */
  GIVEN,
  /** By compute nodes. */
  NODES,
  /** By processes: every process on the target counts alike. */
  PROCESSES;

  double of(JobDemand demand) {
    return switch (this) {
      case GIVEN -> (double) demand.weight();
      case NODES -> (double) demand.nodes();
      case PROCESSES -> (double) demand.processes();
    };
  }
}
