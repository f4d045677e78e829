package dev.sluice.lustre.tbf;

import dev.sluice.lustre.LustreVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a version of Lustre must not be asked to do, and why. Each reason names the ticket under
 * which Lustre's developers keep it, where there is one.
 */
public final class VersionHazards {
  private static final long RATE_MAX = 999_999;
  private static final long RATE_MAX_BEFORE_2_15 = 65_534;

  private VersionHazards() {}

  /** Why this version cannot be looked after at all; null where it can. */
  public static @Nullable String unsupported(LustreVersion version) {
    return version.isAtLeast(2, 12, 0)
        ? null
        : "Lustre " + version + " is too old: expected 2.12 or newer";
  }

  /** Why the policy of a service must not be changed while clients are at work; null if it may. */
  public static @Nullable String againstSwitching(LustreVersion version) {
    return version.isAtLeast(2, 15, 56)
        ? null
        : "changing the policy while requests come in is not safe before Lustre 2.15.56 (LU-14976),"
            + " and this is "
            + version;
  }

  /** Why rules with {@code realtime} must not be used. Rates change all the time here. */
  public static String againstRealtime(LustreVersion version) {
    return version.isAtLeast(2, 15, 51)
        ? "a rule with realtime can stop the server in this version too, when what it carries over"
            + " is exactly one token"
        : "a rule with realtime stops the server when its rate changes, in Lustre "
            + version
            + " (LU-15926, repaired in 2.15.51)";
  }

  /** The largest rate of a rule. */
  public static long rateMax(LustreVersion version) {
    return version.isAtLeast(2, 15, 0) ? RATE_MAX : RATE_MAX_BEFORE_2_15;
  }

  /** Whether commas and ampersands within the braces of a rule end an expression. */
  static boolean splitsWithinBraces(LustreVersion version) {
    return version.isAtLeast(2, 17, 51);
  }

  /** Whether requests wait while somebody reads what jobs did. */
  public static boolean readingHoldsUp(LustreVersion version) {
    return !version.isAtLeast(2, 15, 56);
  }

  /**
   * Why rules by these fields must not be used; null where they may.
   *
   * @param metadata whether the service is one of a metadata server
   */
  static @Nullable String againstFields(
      LustreVersion version, Set<String> fields, boolean metadata) {
    boolean jobOnly = fields.equals(Set.of("jobid"));
    if (!jobOnly && version.isAtLeast(2, 17, 52) && !version.isAtLeast(2, 17, 55)) {
      return "Lustre "
          + version
          + " applies rules by anything but the job id to the wrong requests (LU-20423, repaired in"
          + " 2.17.55)";
    }
    boolean byOwner = fields.contains("uid") || fields.contains("gid");
    if (byOwner && metadata && !version.isAtLeast(2, 15, 59)) {
      return "rules by uid or gid on a metadata service stop Lustre "
          + version
          + " (LU-17149, repaired in 2.15.59)";
    }
    return null;
  }

  /** What whoever limits by these fields should know; null where nothing. */
  public static @Nullable String noteOn(LustreVersion version, Set<String> fields) {
    boolean byOwner = fields.contains("uid") || fields.contains("gid");
    return byOwner && !version.isAtLeast(2, 15, 56)
        ? "uid and gid are those of a file's owner in this version, not of who reads and writes it"
            + " (LU-16077)"
        : null;
  }

  /** What whoever runs this version should know. */
  public static List<String> notes(LustreVersion version) {
    List<String> notes = new ArrayList<>();
    if (!version.isAtLeast(2, 14, 57)) {
      notes.add(
          "this version does not check the length of rule names and overruns a buffer with longer"
              + " ones (LU-15056); Sluice's have at most "
              + RuleName.LENGTH_MAX
              + " characters, mind those that you write yourself");
    }
    if (!version.isAtLeast(2, 14, 56)) {
      notes.add(
          "two programs that write rules at once can stop this version (LU-15059): let nobody else"
              + " write them while Sluice runs");
    }
    if (!version.isAtLeast(2, 15, 53)) {
      notes.add(
          "unmounting a target while its requests are held back can stop this version (LU-16144):"
              + " stop Sluice first");
    }
    if (readingHoldsUp(version)) {
      notes.add(
          "reading job_stats of many jobs holds up requests in this version (LU-16674): Sluice"
              + " decides less often where reading takes long");
    }
    if (version.isAtLeast(2, 17, 52) && !version.isAtLeast(2, 17, 55)) {
      notes.add(
          "rules by anything but the job id may be applied to the wrong requests in this version"
              + " (LU-20423)");
    }
    return notes;
  }
}
