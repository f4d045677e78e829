package dev.sluice.jobs.slurm;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The jobs of one answer of Slurm's.
 *
 * @param jobs those that have nodes
 * @param problem what was wrong with the first job that was left out; null when none was
 */
record JobList(List<SlurmJob> jobs, @Nullable String problem) {
  JobList {
    jobs = List.copyOf(jobs);
  }
}
