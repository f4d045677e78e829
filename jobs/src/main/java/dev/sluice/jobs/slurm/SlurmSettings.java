package dev.sluice.jobs.slurm;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How to learn of Slurm's jobs; docs/slurm.md describes it.
 *
 * @param source whom to ask
 * @param periodNanos how often to ask
 * @param spool where Slurm's hooks keep a file for every job that runs; null when they do not
 * @param configuration Slurm's configuration; null for Slurm's own choice
 * @param commands the directory of squeue and scontrol; null for wherever the path leads
 * @param restSocket where slurmrestd listens; null when it does not
 * @param nodeNames further names that every node has, with {@code {node}} for its own
 * @param weights what jobs weigh; the first that holds counts, and without one it is their nodes
 */
public record SlurmSettings(
    Source source,
    long periodNanos,
    @Nullable Path spool,
    @Nullable Path configuration,
    @Nullable Path commands,
    @Nullable Path restSocket,
    List<String> nodeNames,
    List<WeightRule> weights) {
  public SlurmSettings {
    nodeNames = List.copyOf(nodeNames);
    weights = List.copyOf(weights);
  }

  /** Whom to ask. */
  public enum Source {
    /** Whoever is there: slurmrestd, else squeue. */
    AUTO,
    SQUEUE,
    SQUEUE_JSON,
    SLURMRESTD,
    /** Nobody: hooks alone tell. */
    NONE
  }
}
