package dev.sluice.lustre.tbf;

import java.util.ArrayList;
import java.util.List;

/**
 * The policies of a service, as {@code nrs_policies} shows them. Each of its two queues has one
 * that takes what it can, and a fallback for the rest.
 *
 * @param regular the policy of regular requests with its argument, such as {@code tbf jobid}
 * @param highPriority that of high-priority requests; the same where the service has no such queue
 * @param settled whether no policy is starting or stopping just now
 * @param queued how many regular requests wait just now, whichever policy has them
 */
public record NrsPolicies(String regular, String highPriority, boolean settled, long queued) {
  /** What Sluice needs. */
  public static final String TBF_BY_JOB = "tbf jobid";

  private static final String QUEUED = "queued:";

  /** A policy as it is listed. */
  private record Listed(String name, String state, boolean fallback) {}

  /** Reads the text; throws {@link IllegalArgumentException} for what is not understood. */
  public static NrsPolicies parse(String text) {
    List<Listed> regular = new ArrayList<>();
    List<Listed> highPriority = new ArrayList<>();
    List<Listed> section = null;
    String name = null;
    String state = "";
    long queued = 0;
    for (String line : text.lines().map(String::strip).toList()) {
      if (line.endsWith("regular_requests:")) {
        section = regular;
      } else if (line.equals("high_priority_requests:")) {
        section = highPriority;
      } else if (line.startsWith("- name:")) {
        name = line.substring("- name:".length()).strip();
      } else if (line.startsWith("state:")) {
        state = line.substring("state:".length()).strip();
      } else if (line.startsWith("fallback:") && section != null && name != null) {
        section.add(new Listed(name, state, line.endsWith("yes")));
        name = null;
      } else if (line.startsWith(QUEUED) && highPriority.isEmpty()) {
        queued += queued(line);
      }
    }
    if (regular.isEmpty()) {
      throw new IllegalArgumentException(
          "nrs_policies: expected the policies of regular requests in \"" + shown(text) + "\"");
    }
    String first = active(regular);
    boolean settled =
        regular.stream().allMatch(NrsPolicies::isSettled)
            && highPriority.stream().allMatch(NrsPolicies::isSettled);
    return new NrsPolicies(
        first, highPriority.isEmpty() ? first : active(highPriority), settled, queued);
  }

  private static long queued(String line) {
    try {
      return Long.parseLong(line.substring(QUEUED.length()).strip());
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "nrs_policies: \"" + shown(line) + "\": expected a number of requests", e);
    }
  }

  private static String shown(String text) {
    String oneLine = text.strip().replaceAll("\\s+", " ");
    return oneLine.length() > 80 ? oneLine.substring(0, 80) + "…" : oneLine;
  }

  private static boolean isSettled(Listed policy) {
    return policy.state.equals("started") || policy.state.equals("stopped");
  }

  /** The one that is started and no fallback, else the fallback. */
  private static String active(List<Listed> policies) {
    String fallback = "";
    for (Listed policy : policies) {
      if (policy.fallback) {
        fallback = policy.name;
      } else if (policy.state.equals("started")) {
        return policy.name;
      }
    }
    return fallback;
  }

  /** Whether both queues have this policy. */
  public boolean are(String policy) {
    return regular.equals(policy) && highPriority.equals(policy);
  }

  /** Whether requests of both queues are filtered by job. */
  public boolean isByJob() {
    return regular.equals(TBF_BY_JOB) && highPriority.equals(TBF_BY_JOB);
  }

  /** Whether the filter is on, whatever it goes by. */
  public boolean isFiltering() {
    return regular.startsWith("tbf") || highPriority.startsWith("tbf");
  }
}
