package dev.sluice.core.policy.padll;

import java.util.List;
import java.util.Map;

/** How a resource is divided among the jobs that are there. */
public sealed interface PadllAlgorithm
    permits UniformLimits, PriorityLimits, ProportionalSharing, UsageSharing {

  /** The algorithm with this name, as it is unless told otherwise: {@code psfa}. */
  static PadllAlgorithm named(String name) {
    return named(name, Map.of());
  }

  /**
   * The algorithm with this name and these settings.
   *
   * @throws IllegalArgumentException if there is none, or a setting is bad
   */
  static PadllAlgorithm named(String name, Map<String, String> settings) {
    return PadllFactory.algorithm(name, settings);
  }

  /** As written on the command line. */
  String name();

  /**
   * What each job may have a second, in the order of the jobs.
   *
   * <p>Theorem. No rate is negative. With any job there, the rates add up to the resource's maximum
   * but for the rounding of doubles; only a static algorithm that was told to divide for more jobs
   * than are there leaves the part of the others unused. A job's rate does not depend on the order
   * in which the jobs are given.
   *
   * @param jobs those that are there, idle ones too, each once
   */
  double[] rates(Resource resource, List<JobUse> jobs);
}
