package dev.sluice.web.live;

import dev.sluice.core.capacity.CapacityBelief;
import dev.sluice.core.model.Quantities.Counted;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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
  private static final double NANOS_PER_MILLI = 1e6;

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
   * @param found what was found out of its capacity; null where that was told
   * @param summary the last decision in words; null where there is none
   * @param trouble why the policy does not decide as it should; null where it does
   */
  public record LiveTarget(
      String name,
      String capacity,
      double capacityTokensPerSecond,
      double tokensPerOperation,
      double tokensPerByte,
      @Nullable FoundCapacity found,
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
          found,
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
   * What was found out of what a target can do.
   *
   * @param known whether anything was
   * @param tokensPerSecond what it is believed to do; infinite while nothing is known
   * @param deliveredPerSecond what it delivered of late
   * @param depth how many requests it has at once
   * @param stretch by what requests take longer than in calm
   * @param calmMillis how long they take then
   * @param prices by part of requests, what it costs as a multiple of what was assumed
   */
  public record FoundCapacity(
      boolean known,
      double tokensPerSecond,
      double deliveredPerSecond,
      double depth,
      double stretch,
      double calmMillis,
      String words,
      Map<String, Double> prices) {
    /** What is believed, for people who count tokens like this. */
    public static FoundCapacity of(CapacityBelief belief, Counted counted, long nowNanos) {
      return new FoundCapacity(
          belief.known(),
          belief.known() ? belief.tokensPerSecond() : Double.POSITIVE_INFINITY,
          belief.deliveredPerSecond(),
          belief.depth(),
          belief.stretch(),
          belief.calmNanos() / NANOS_PER_MILLI,
          belief.words(counted, nowNanos),
          new TreeMap<>(belief.prices()));
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
