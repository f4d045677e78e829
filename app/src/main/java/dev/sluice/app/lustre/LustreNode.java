package dev.sluice.app.lustre;

import dev.sluice.control.agent.NodeJob;
import dev.sluice.control.agent.NodeJobs;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.LimitKey;
import dev.sluice.core.model.Operation;
import dev.sluice.core.model.Quantities.Counted;
import dev.sluice.core.policy.PolicyInfo;
import dev.sluice.core.policy.guarantee.Guarantees;
import dev.sluice.lustre.LustreService;
import dev.sluice.lustre.control.Decision;
import dev.sluice.lustre.control.JobReport;
import dev.sluice.lustre.control.OrderedLimits;
import dev.sluice.lustre.control.PeriodReport;
import dev.sluice.stage.files.OperationUsage;
import dev.sluice.stage.limit.LimitChange;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A Lustre service as a controller sees it: a node on which jobs do their I/O. What the controller
 * allows a job on all servers together it divides among them by what the job does on each. Safe for
 * use by many threads.
 *
 * <p>What a job did is told evenly over the period after the one in which it was done, because the
 * controller asks by its own clock: it would now and then hear of none or of two at once.
 */
final class LustreNode implements NodeJobs {
  /** A job that does nothing for so long is gone, as far as the controller has to do with it. */
  private static final long GONE_NANOS = 60_000_000_000L;

  /** A bound on the jobs that a controller is told of. */
  private static final int JOBS_MAX = 20_000;

  private final LustreService service;
  private final PolicyInfo policy;
  private final OrderedLimits ordered;
  private final LongSupplier clockNanos;
  private final Map<JobId, Known> jobs = new TreeMap<>();
  private @Nullable String limitProblem;
  private @Nullable String guaranteeProblem;

  /**
   * A service on which no job was seen yet.
   *
   * @param policy of this service
   */
  LustreNode(
      LustreService service, PolicyInfo policy, OrderedLimits ordered, LongSupplier clockNanos) {
    this.service = service;
    this.policy = policy;
    this.ordered = ordered;
    this.clockNanos = clockNanos;
  }

  /** A period is over. */
  synchronized void look(PeriodReport report, long nowNanos) {
    Decision decision = report.decision();
    if (decision == null) {
      return;
    }
    for (JobReport job : decision.jobs()) {
      Known known = jobs.get(job.job());
      if (known == null && jobs.size() < JOBS_MAX) {
        known = new Known(job.job());
        jobs.put(job.job(), known);
      }
      if (known != null) {
        known.add(done(job, report.periodNanos()), job.user(), report.periodNanos(), nowNanos);
      }
    }
    jobs.values()
        .removeIf(known -> {
          boolean gone = nowNanos - known.seenNanos > GONE_NANOS;
          if (gone) {
            ordered.free(known.id);
          }
          return gone;
        });
  }

  /** What a job did in a period, by operation; those of metadata are not told apart. */
  private Map<Operation, OperationUsage> done(JobReport job, long periodNanos) {
    long waitedNanos = job.heldBack() ? periodNanos : 0;
    Map<Operation, OperationUsage> done = new EnumMap<>(Operation.class);
    long reads = job.activity().reads();
    long writes = job.activity().writes();
    put(done, Operation.READ, reads, job.activity().readBytes(), waitedNanos);
    put(done, Operation.WRITE, writes, job.activity().writtenBytes(), waitedNanos);
    put(done, others(service), Math.max(0, job.servedRpcs() - reads - writes), 0, waitedNanos);
    return done;
  }

  private static void put(
      Map<Operation, OperationUsage> done,
      Operation operation,
      long calls,
      long bytes,
      long waitedNanos) {
    if (calls > 0) {
      done.put(operation, new OperationUsage(calls, bytes, waitedNanos > 0 ? 1 : 0, waitedNanos));
    }
  }

  /** What the controller orders that cannot be done here, in words; null where all can. */
  synchronized @Nullable String problem() {
    if (limitProblem == null || guaranteeProblem == null) {
      return limitProblem == null ? guaranteeProblem : limitProblem;
    }
    return limitProblem + "; " + guaranteeProblem;
  }

  @Override
  public synchronized List<NodeJob> all() {
    return new ArrayList<>(jobs.values());
  }

  /**
   * A new job has what this server's own policy gives it until orders come about it, a cycle later.
   */
  @Override
  public void limitNewcomers(Supplier<List<LimitChange>> limits) {}

  /** Also where the policy keeps none: then it is told that it does not. */
  @Override
  public boolean keepsGuarantees() {
    return true;
  }

  @Override
  public synchronized void guarantee(Guarantees guarantees) {
    ordered.guarantee(guarantees);
    guaranteeProblem = notKept(guarantees);
  }

  /** What of these cannot be kept here, in words; null where all can. */
  private @Nullable String notKept(Guarantees guarantees) {
    if (guarantees.isEmpty()) {
      return null;
    }
    if (!policy.scheduler().keepsReserves()) {
      return "the controller guarantees rates, which policy "
          + policy.name()
          + " does not keep; fair does";
    }
    return guarantees.all().stream()
        .filter(guarantee -> guarantee.counted() == Counted.BYTES)
        .findFirst()
        .map(guarantee ->
            "the controller guarantees "
                + guarantee.words()
                + ", and rules count requests: bytes are not kept here")
        .orElse(null);
  }

  /** Operations that pass a service, enough of them to tell which limits are about all of it. */
  private static Set<Operation> served(LustreService service) {
    return switch (service) {
      case OST_IO -> EnumSet.of(Operation.READ, Operation.WRITE);
      case MDT -> EnumSet.of(Operation.OPEN, Operation.UNLINK, Operation.GETATTR);
      case MDT_IO -> EnumSet.of(Operation.RENAME, Operation.READ, Operation.WRITE);
      case MDT_READPAGE -> EnumSet.of(Operation.CLOSE, Operation.READDIR);
      case LDLM -> EnumSet.noneOf(Operation.class);
    };
  }

  /** What requests count as that are neither reads nor writes. */
  private static Operation others(LustreService service) {
    return switch (service) {
      case OST_IO -> Operation.TRUNCATE;
      case MDT, LDLM -> Operation.GETATTR;
      case MDT_IO -> Operation.RENAME;
      case MDT_READPAGE -> Operation.READDIR;
    };
  }

  /** Whether a limit can be held here: rules by job count all that passes, and no bytes. */
  private boolean canHold(LimitKey key) {
    return key.counted() == Counted.OPERATIONS && key.operations().containsAll(served(service));
  }

  /** A job at work here. */
  private final class Known implements NodeJob {
    private final JobId id;
    private final Map<LimitKey, Double> limits = new HashMap<>();
    private Map<Operation, OperationUsage> before = Map.of();
    private Map<Operation, OperationUsage> last = Map.of();
    private String user = "";
    private long periodNanos = 1;
    private long seenNanos;

    Known(JobId id) {
      this.id = id;
    }

    void add(Map<Operation, OperationUsage> done, String whose, long spanNanos, long nowNanos) {
      before = last;
      last = plus(last, done, 1);
      user = whose;
      periodNanos = Math.max(1, spanNanos);
      seenNanos = nowNanos;
    }

    @Override
    public JobId id() {
      return id;
    }

    @Override
    public String user() {
      synchronized (LustreNode.this) {
        return user;
      }
    }

    @Override
    public int processes() {
      return 1;
    }

    @Override
    public Map<Operation, OperationUsage> usage() {
      synchronized (LustreNode.this) {
        double part = Math.clamp((clockNanos.getAsLong() - seenNanos) / (double) periodNanos, 0, 1);
        Map<Operation, OperationUsage> more = new EnumMap<>(Operation.class);
        last.forEach((operation, counted) ->
            more.put(
                operation, counted.minus(before.getOrDefault(operation, OperationUsage.NOTHING))));
        return plus(before, more, part);
      }
    }

    @Override
    public Set<LimitKey> limited() {
      synchronized (LustreNode.this) {
        return Set.copyOf(limits.keySet());
      }
    }

    @Override
    public void change(List<LimitChange> changes, long nowNanos) {
      synchronized (LustreNode.this) {
        for (LimitChange change : changes) {
          OptionalLong rate = change.millionths();
          if (rate.isEmpty()) {
            limits.remove(change.key());
          } else if (canHold(change.key())) {
            limits.put(change.key(), rate.getAsLong() / (double) LimitChange.MILLIONTHS);
          } else if (!Collections.disjoint(change.key().operations(), served(service))) {
            limitProblem =
                "the controller limits "
                    + change.key()
                    + ", and rules by job count all requests of "
                    + service.text()
                    + " alike: not held here";
          }
        }
        if (limits.isEmpty()) {
          ordered.free(id);
        } else {
          ordered.limit(id, Collections.min(limits.values()));
        }
      }
    }
  }

  private static Map<Operation, OperationUsage> plus(
      Map<Operation, OperationUsage> counted, Map<Operation, OperationUsage> more, double part) {
    Map<Operation, OperationUsage> sum = new EnumMap<>(Operation.class);
    sum.putAll(counted);
    more.forEach((operation, added) ->
        sum.merge(
            operation,
            new OperationUsage(
                (long) (part * added.calls()),
                (long) (part * added.bytes()),
                (long) (part * added.waits()),
                (long) (part * added.waitedNanos())),
            (one, other) ->
                new OperationUsage(
                    one.calls() + other.calls(),
                    one.bytes() + other.bytes(),
                    one.waits() + other.waits(),
                    one.waitedNanos() + other.waitedNanos())));
    return sum;
  }
}
