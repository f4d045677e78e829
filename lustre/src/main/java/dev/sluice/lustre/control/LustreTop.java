package dev.sluice.lustre.control;

import dev.sluice.lustre.lctl.LctlException;
import dev.sluice.lustre.lctl.LustreServer;
import dev.sluice.lustre.stats.JobActivity;
import dev.sluice.lustre.stats.JobIdForm;
import dev.sluice.lustre.stats.JobStatsDeltas;
import dev.sluice.lustre.stats.ServiceStats;
import dev.sluice.lustre.tbf.RuleMatcher;
import dev.sluice.lustre.tbf.RuleTable;
import dev.sluice.lustre.tbf.SeenRule;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Watches who does what on a server, and whom a rule holds back, whether Sluice or somebody else
 * wrote it. Changes nothing. Not thread-safe.
 */
public final class LustreTop {
  private static final double NANOS_PER_SECOND = 1e9;

  private final LustreServer server;
  private final JobIdForm form;
  private final JobStatsDeltas deltas = new JobStatsDeltas();
  private final Throttling throttling = new Throttling();
  private boolean hasLooked;
  private long lookedNanos;
  private ServiceStats counted = ServiceStats.NONE;

  /**
   * What went on between two looks.
   *
   * @param seconds how long that was
   * @param filtered whether requests are filtered by job at all
   * @param rpcsPerSecond all requests, of whatever job
   * @param uncountedPerSecond those among them that were counted for no job
   * @param waiting how many requests waited on average
   * @param jobs the busiest first
   */
  public record Look(
      double seconds,
      boolean filtered,
      double rpcsPerSecond,
      double uncountedPerSecond,
      double waiting,
      List<TopJob> jobs,
      @Nullable String problem) {}

  public LustreTop(LustreServer server) throws IOException, InterruptedException {
    this.server = server;
    this.form = JobIdForm.of(server.version());
  }

  /** Looks; the first look only tells where counting begins, and answers null. */
  public @Nullable Look look(long nowNanos) throws IOException, InterruptedException {
    String problem = server.readJobStats(form, deltas);
    LustreServer.Queue queue = server.queue();
    RuleTable table = queue.policies().isByJob() ? rules() : null;
    ServiceStats since = queue.stats().since(counted);
    counted = queue.stats();
    List<JobActivity> active = deltas.take();
    long periodNanos = nowNanos - lookedNanos;
    boolean first = !hasLooked;
    hasLooked = true;
    lookedNanos = nowNanos;
    if (first || periodNanos <= 0) {
      return null;
    }
    RuleMatcher matcher = new RuleMatcher(table == null ? List.of() : table.rules());
    List<TopJob> jobs = new ArrayList<>(active.size());
    double seconds = periodNanos / NANOS_PER_SECOND;
    QueueFacts facts = QueueFacts.of(since, queue.policies().queued(), 1, periodNanos);
    long rpcs = 0;
    for (JobActivity activity : active) {
      rpcs += activity.rpcs();
      jobs.add(job(activity, table, matcher, facts, periodNanos));
    }
    double all = Math.max(rpcs, since.requests()) / seconds;
    jobs.sort(
        Comparator.comparingDouble(TopJob::rpcsPerSecond).reversed().thenComparing(TopJob::job));
    return new Look(
        seconds, table != null, all, all - rpcs / seconds, facts.waiting(), jobs, problem);
  }

  /** The rules; null where requests are no longer filtered. */
  private @Nullable RuleTable rules() throws IOException, InterruptedException {
    try {
      return server.rules();
    } catch (LctlException e) {
      if (e.exitCode() == LctlException.ENODEV) {
        return null;
      }
      throw e;
    }
  }

  private TopJob job(
      JobActivity activity,
      @Nullable RuleTable table,
      RuleMatcher matcher,
      QueueFacts facts,
      long periodNanos) {
    double seconds = periodNanos / NANOS_PER_SECOND;
    String name = "";
    double allowed = Double.POSITIVE_INFINITY;
    boolean heldBack = false;
    if (table != null) {
      SeenRule rule = matcher.match(activity.job());
      long rate = rule == null ? table.defaultRate() : rule.rate();
      // A rule for several jobs does not show on which partitions each of them is served.
      int partitions =
          rule == null || rule.servingPartitions() == 0
              ? table.partitions()
              : rule.servingPartitions();
      name = rule == null ? RuleTable.DEFAULT : rule.name();
      allowed = (double) rate * partitions;
      heldBack =
          facts.somebodyWaits()
              && throttling.isHeldBack((double) activity.rpcs(), rate, false, periodNanos);
    }
    return new TopJob(
        activity.job().shown(),
        activity.rpcs() / seconds,
        activity.readBytes() / seconds,
        activity.writtenBytes() / seconds,
        name,
        allowed,
        heldBack);
  }
}
