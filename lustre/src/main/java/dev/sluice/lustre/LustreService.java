package dev.sluice.lustre;

import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * A service of a Lustre server whose requests can be limited by job.
 *
 * <p>What is counted is what this service's own queue handles. Object servers answer statfs,
 * getattr and the like in another service. On a metadata server, closes and directory pages have a
 * service of their own, the parts of a rename are counted twice, and so is a file that an open
 * creates.
 */
public enum LustreService {
  /** Reads and writes of an object storage server, all its targets together. */
  OST_IO("ost_io", "ost.OSS.ost_io", "obdfilter.*.job_stats"),
  /** Metadata operations of a metadata server. */
  MDT("mdt", "mds.MDS.mdt", "mdt.*.job_stats");

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

  /** The parameter with its policies. */
  public String policiesParameter() {
    return parameter + ".nrs_policies";
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
              "rename",
              "getattr",
              "setattr",
              "getxattr",
              "setxattr",
              "statfs",
              "sync");
    };
  }

  /** Whether reads and writes pass this service, under whichever name a version counts them. */
  public boolean countsReadsAndWrites() {
    return this == OST_IO;
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
