package dev.sluice.lustre.show;

import dev.sluice.core.capacity.CapacityBelief;
import dev.sluice.core.model.JobId;
import dev.sluice.core.policy.Explanation;
import dev.sluice.history.model.Sample;
import dev.sluice.history.sample.Sampler;
import dev.sluice.history.sample.Totals;
import dev.sluice.lustre.config.LustreConfiguration;
import dev.sluice.lustre.control.Decision;
import dev.sluice.lustre.control.JobReport;
import dev.sluice.lustre.control.LustreLoop;
import dev.sluice.lustre.control.PeriodReport;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What happened on a service: counters of each job, the last minute second by second, and the last
 * decision. One thread tells it of periods; any may look. It has no clock.
 *
 * <p>Theorem. What jobs were served adds up: over any two looks the counters grow by what the
 * periods in between reported. They begin anew for a job that was idle for long.
 */
public final class ServiceBook {
  /** How long a job that does nothing is remembered. */
  static final long FORGOTTEN_NANOS = 600_000_000_000L;

  /** A bound on what is remembered; where it is reached, whoever is idle is forgotten at once. */
  static final int JOBS_MAX = 20_000;

  private static final int SAMPLES_MAX = 60;

  /** A period may be a little shorter than it should. */
  private static final long SAMPLE_NANOS = 950_000_000L;

  private final LustreConfiguration configuration;
  private final Map<JobId, JobAccount> accounts = new TreeMap<>();
  private final Sampler sampler = new Sampler();
  private final Deque<Sample> minute = new ArrayDeque<>();
  private long sampledNanos;
  private @Nullable Decision decision;
  private long decidedNanos;
  private long decisions;
  private long commands;
  private int blindPeriods;
  private int queued;
  private long readingNanos;
  private double unknownPerSecond;
  private List<String> problems = List.of();
  private @Nullable String note;

  public ServiceBook(LustreConfiguration configuration, long nowNanos) {
    this.configuration = configuration;
    this.decidedNanos = nowNanos;
    this.sampledNanos = nowNanos;
    sampler.look(totals(0, nowNanos));
  }

  /**
   * How it is.
   *
   * @param decidedNanos when something was decided last, or this began
   * @param blind whether nothing was heard of jobs for so long that no limit holds
   * @param queued requests that wait now
   * @param unknownPerSecond requests that were served and are no job's, as far as is known
   * @param latest what jobs did in the last second; null before the first
   */
  public record State(
      @Nullable Decision decision,
      long decidedNanos,
      long decisions,
      long commands,
      boolean blind,
      int queued,
      long readingNanos,
      double unknownPerSecond,
      List<String> problems,
      @Nullable Sample latest) {}

  /** What somebody should look into besides what periods report; null where nothing. */
  public synchronized void note(@Nullable String words) {
    note = words;
  }

  /** A period is over. */
  public synchronized void look(PeriodReport report, long nowNanos) {
    problems = report.problems();
    commands += report.commands().size();
    readingNanos = report.readingNanos();
    Decision made = report.decision();
    if (made == null) {
      blindPeriods += report.problems().isEmpty() ? 0 : 1;
    } else {
      blindPeriods = 0;
      decision = made;
      decidedNanos = nowNanos;
      decisions++;
      add(made, report.periodNanos(), nowNanos);
    }
    if (nowNanos - sampledNanos >= SAMPLE_NANOS) {
      sampledNanos = nowNanos;
      Sample sample = sampler.look(totals(0, nowNanos));
      if (sample != null) {
        minute.addLast(sample);
      }
      if (minute.size() > SAMPLES_MAX) {
        minute.removeFirst();
      }
    }
  }

  private void add(Decision made, long periodNanos, long nowNanos) {
    long heldBackRpcs = 0;
    for (JobReport job : made.jobs()) {
      heldBackRpcs += job.heldBack() ? job.servedRpcs() : 0;
    }
    if (accounts.size() + made.jobs().size() > JOBS_MAX) {
      accounts.values().removeIf(account -> nowNanos - account.seenNanos > 2 * periodNanos);
    }
    for (JobReport job : made.jobs()) {
      JobAccount account = accounts.get(job.job());
      if (account == null && accounts.size() < JOBS_MAX) {
        account = new JobAccount();
        accounts.put(job.job(), account);
      }
      if (account != null) {
        account.add(job, made.queue(), heldBackRpcs, periodNanos, nowNanos);
      }
    }
    queued = (int) Math.min(Integer.MAX_VALUE, made.queue().queued());
    unknownPerSecond = made.unknownRpcs() * 1e9 / Math.max(1, periodNanos);
    accounts.values().removeIf(account -> nowNanos - account.seenNanos > FORGOTTEN_NANOS);
    accounts.values().stream()
        .filter(account -> account.seenNanos != nowNanos)
        .forEach(account -> account.queued = 0);
  }

  /** The counters now, as history takes them. */
  public synchronized Totals totals(long nowMillis, long nowNanos) {
    List<Totals.OfJob> jobs = new ArrayList<>(accounts.size());
    accounts.forEach((job, account) ->
        jobs.add(
            new Totals.OfJob(
                job.toString(),
                account.user,
                account.nodes,
                account.operations,
                account.readBytes,
                account.writtenBytes,
                account.waitedNanos,
                account.queued,
                account.allowedPerSecond)));
    CapacityBelief belief = decision == null ? null : decision.belief();
    boolean known = configuration.bounds() == null || (belief != null && belief.known());
    return new Totals(
        nowNanos,
        nowMillis,
        configuration.policy().info().name(),
        configuration.observesOnly(),
        List.of(new Totals.OfTarget(configuration.target(belief), known, queued, jobs)));
  }

  /** How it is now. */
  public synchronized State state() {
    return new State(
        decision,
        decidedNanos,
        decisions,
        commands,
        blindPeriods >= LustreLoop.BLIND_PERIODS_MAX,
        queued,
        readingNanos,
        unknownPerSecond,
        told(),
        minute.peekLast());
  }

  private List<String> told() {
    if (note == null) {
      return problems;
    }
    List<String> all = new ArrayList<>(problems);
    all.add(note);
    return all;
  }

  /** The last minute of a job, oldest first; seconds in which it did nothing are left out. */
  public synchronized List<SecondOfJob> minute(JobId job) {
    List<SecondOfJob> seconds = new ArrayList<>();
    String id = job.toString();
    for (Sample sample : minute) {
      for (Sample.OfTarget of : sample.targets()) {
        of.jobs().stream()
            .filter(one -> one.id().equals(id))
            .forEach(one -> seconds.add(new SecondOfJob(one, sample.spanMillis() / 1e3)));
      }
    }
    return seconds;
  }

  /** Why nothing is decided, and so no limit holds; null where all is well. */
  public @Nullable String trouble() {
    return LustreJson.trouble(state());
  }

  /** Why a job has what it has, in words; none where the last decision was not about it. */
  public List<String> reasons(JobId job) {
    Decision last = state().decision();
    Explanation.Reason reason = last == null ? null : LustreJson.reason(last.explanation(), job);
    return last == null || reason == null
        ? List.of()
        : List.of(
            reason.words()
                + " ("
                + LustreJson.words(configuration, LustreJson.report(last, job))
                + ")");
  }

  /** What a job did in about a second. */
  public record SecondOfJob(Sample.OfJob job, double seconds) {}

  /** Reads accounts as of an instant. */
  interface AccountReader {
    void read(long countedNanos, Map<JobId, JobAccount> accounts);
  }

  /** Shows all accounts, as they were at the last decision; nothing changes meanwhile. */
  synchronized void read(AccountReader reader) {
    reader.read(decidedNanos, accounts);
  }
}
