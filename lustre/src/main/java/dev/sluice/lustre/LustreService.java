package dev.sluice.lustre;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A service of a Lustre server whose requests can be limited by job.
 *
 * <p>Each has a filter and a count of requests of its own. What job_stats counts is ordered by
 * operation instead, so for each service it is said here which of those counters' requests pass it.
 * Object servers count all that passes; metadata servers do not: a lookup of a name that is not
 * there is served and counted nowhere, and where a rename passes is for its client to choose.
 */
public enum LustreService {
  /** Reads and writes of an object storage server, all its targets together. */
  OST_IO("ost_io", "ost.OSS.ost_io", "obdfilter.*.job_stats"),
  /** Metadata operations of a metadata server. */
  MDT("mdt", "mds.MDS.mdt", "mdt.*.job_stats"),
  /** Renames, which may wait long for a lock, and data that is on a metadata target. */
  MDT_IO("mdt_io", "mds.MDS.mdt_io", "mdt.*.job_stats"),
  /** Closes and the pages of directories. */
  MDT_READPAGE("mdt_readpage", "mds.MDS.mdt_readpage", "mdt.*.job_stats"),
  /** Locks that clients give up, which nobody counts by job. */
  LDLM("ldlm", "ldlm.services.ldlm_canceld", "*.*.job_stats");

  private final String text;
  private final String parameter;
  private final String jobStats;

  LustreService(String text, String parameter, String jobStats) {
    this.text = text;
    this.parameter = parameter;
    this.jobStats = jobStats;
  }

  /** How a configuration calls it. */
  public String text() {
    return text;
  }

  /** The parameter with its rules. */
  public String rulesParameter() {
    return parameter + ".nrs_tbf_rule";
  }

  /** The parameter with its policies, and how many requests wait. */
  public String policiesParameter() {
    return parameter + ".nrs_policies";
  }

  /** The parameter with its own counts of requests and of the time that they waited. */
  public String statsParameter() {
    return parameter + ".stats";
  }

  /** The parameters with what jobs did. */
  public String jobStatsParameter() {
    return jobStats;
  }

  /** The counters in job_stats whose requests all pass this service. */
  public Set<String> counted() {
    return switch (this) {
      case OST_IO -> Set.of("punch");
      case MDT ->
          Set.of(
              "open",
              "link",
              "unlink",
              "mkdir",
              "rmdir",
              "getattr",
              "setattr",
              "getxattr",
              "setxattr",
              "statfs",
              "sync");
      case MDT_IO -> Set.of("rename", "migrate", "punch", "fallocate");
      case MDT_READPAGE -> Set.of("close", "readpage");
      case LDLM -> Set.of();
    };
  }

  /** Whether reads and writes pass this service, under whichever name a version counts them. */
  public boolean countsReadsAndWrites() {
    return this == OST_IO || this == MDT_IO;
  }

  /** Whether every request that names its job is counted for it. */
  public boolean countsAll() {
    return this == OST_IO;
  }

  /** Why its requests are not to be held back; null where they may be. */
  public @Nullable String againstLimiting() {
    return this == LDLM
        ? "clients give up locks here that others wait for: who is held back holds up the others"
        : null;
  }

  /** The names that a configuration may give. */
  public static List<String> names() {
    return Arrays.stream(values()).map(LustreService::text).toList();
  }

  /** The service with this name. */
  public static LustreService named(String name) {
    return Arrays.stream(values())
        .filter(service -> service.text.equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(name));
  }
}
