package dev.sluice.web.live;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A program's status, as far as it is shown.
 *
 * @param turn which of several programs that take turns serves, and since when; empty where there
 *     is but one
 * @param problems what somebody should look into, in words
 */
public record LiveStatus(
    String policy,
    double periodMillis,
    Map<String, String> settings,
    boolean observesOnly,
    double upSeconds,
    long connections,
    String turn,
    List<String> problems,
    List<LiveTarget> targets) {

  /** The same with other targets. */
  LiveStatus withTargets(List<LiveTarget> others) {
    return new LiveStatus(
        policy,
        periodMillis,
        settings,
        observesOnly,
        upSeconds,
        connections,
        turn,
        problems,
        others);
  }

  /**
   * How a target is.
   *
   * @param capacity in words
   * @param capacityTokensPerSecond infinite where nobody said
   * @param tokensPerOperation what an operation costs, besides its bytes
   * @param summary the last decision in words; null where there is none
   * @param trouble why the policy does not decide as it should; null where it does
   */
  public record LiveTarget(
      String name,
      String capacity,
      double capacityTokensPerSecond,
      double tokensPerOperation,
      double tokensPerByte,
      long queued,
      long inService,
      double bytesPerSecond,
      double operationsPerSecond,
      long busyJobs,
      @Nullable String summary,
      @Nullable String trouble,
      List<LiveJob> jobs) {
    /** The same with other jobs. */
    LiveTarget withJobs(List<LiveJob> others) {
      return new LiveTarget(
          name,
          capacity,
          capacityTokensPerSecond,
          tokensPerOperation,
          tokensPerByte,
          queued,
          inService,
          bytesPerSecond,
          operationsPerSecond,
          busyJobs,
          summary,
          trouble,
          others);
    }
  }

  /**
   * How a job is on a target.
   *
   * @param description what does not change from second to second
   * @param allowedTokensPerSecond infinite where nothing limits it
   * @param figures the numbers behind the policy's last decision, by name
   */
  public record LiveJob(
      JobDescription description,
      double allowedTokensPerSecond,
      double readBytesPerSecond,
      double writtenBytesPerSecond,
      double operationsPerSecond,
      double waitedMillis,
      long queued,
      Map<String, Double> figures) {}

  /**
   * Who a job is.
   *
   * @param user empty where it is not known
   * @param name what it runs; empty where it is not known
   * @param nodes 0 where it is not known
   * @param branch its group in the tree of shares, as {@code physics / alice}; empty where there is
   *     none
   * @param branchShares how many shares each group of the branch has, as {@code 3 / 1}
   */
  public record JobDescription(
      String id,
      String user,
      String name,
      long nodes,
      long weight,
      String branch,
      String branchShares) {
    /** Of a job that is in no group. */
    public JobDescription(String id, String user, String name, long nodes, long weight) {
      this(id, user, name, nodes, weight, "", "");
    }
  }
}
