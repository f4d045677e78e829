package dev.sluice.lustre.control;

import dev.sluice.core.policy.Observation;
import dev.sluice.jobs.JobDirectory;
import dev.sluice.lustre.LustreVersion;
import dev.sluice.lustre.config.LustreConfiguration;
import dev.sluice.lustre.lctl.LctlException;
import dev.sluice.lustre.lctl.LustreServer;
import dev.sluice.lustre.stats.JobIdForm;
import dev.sluice.lustre.stats.JobStatsDeltas;
import dev.sluice.lustre.stats.ServiceStats;
import dev.sluice.lustre.tbf.RuleCommand;
import dev.sluice.lustre.tbf.RulePlan;
import dev.sluice.lustre.tbf.RuleTable;
import dev.sluice.lustre.tbf.VersionHazards;
import dev.sluice.lustre.tbf.WantedRule;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The control loop of one service: each step reads what jobs did and which rules there are,
 * decides, and writes what differs. The caller says when. Not thread-safe.
 *
 * <p>Whatever fails is told of and tried again with the next step, from what the server shows then.
 * When the server has not told for long what jobs do, the rules are taken away: limits that nobody
 * adapts are worse than none.
 */
public final class LustreLoop {
  /** After so many periods without a look at the jobs no limit holds any more. */
  public static final int BLIND_PERIODS_MAX = 10;

  /** Where reading holds up the server's own work it may take a tenth of the time. */
  private static final long READING_PART = 10;

  private static final RulePlan EXACTLY = new RulePlan(0);

  private final LustreServer server;
  private final LustreVersion version;
  private final LustreConfiguration configuration;
  private final LongSupplier clockNanos;

  /** Null where everything is decided and nothing done. */
  private final @Nullable Custody custody;

  private final OrderedLimits ordered = new OrderedLimits();
  private final LustreControl control;
  private final JobIdForm form;
  private final RulePlan plan;
  private final JobStatsDeltas deltas = new JobStatsDeltas();

  /** The rules that would be there if all had been carried out, where nothing is. */
  private final Map<String, RuleCommand.Start> pretended = new LinkedHashMap<>();

  private boolean hasLooked;

  /** When what jobs did was last taken account of. */
  private long accountedNanos;

  /** What the service had counted then; null where it did not say. */
  private @Nullable ServiceStats accountedStats;

  /** The rules that there were then; null before the first decision. */
  private @Nullable RuleTable rulesBefore;

  /** When the last commands were carried out. */
  private long carriedOutNanos;

  private int blindPeriods;

  private LustreLoop(
      LustreServer server,
      LustreVersion version,
      LustreConfiguration configuration,
      JobDirectory directory,
      @Nullable Custody custody,
      LongSupplier clockNanos) {
    this.server = server;
    this.version = version;
    this.configuration = configuration;
    this.custody = custody;
    this.clockNanos = clockNanos;
    this.control = new LustreControl(configuration, version, directory, ordered, custody == null);
    this.form = JobIdForm.of(version);
    this.plan = new RulePlan(configuration.deadBand());
  }

  /** A loop over a service that was taken over. */
  public static LustreLoop enforcing(
      LustreServer server,
      LustreVersion version,
      LustreConfiguration configuration,
      JobDirectory directory,
      Custody custody,
      LongSupplier clockNanos) {
    return new LustreLoop(server, version, configuration, directory, custody, clockNanos);
  }

  /** A loop that decides everything and does nothing. */
  public static LustreLoop looking(
      LustreServer server,
      LustreConfiguration configuration,
      JobDirectory directory,
      LongSupplier clockNanos)
      throws IOException, InterruptedException, RefusedException {
    LustreVersion version = Custody.requireSupported(server, configuration);
    return new LustreLoop(server, version, configuration, directory, null, clockNanos);
  }

  public LustreVersion version() {
    return version;
  }

  /** What jobs may have here at most by somebody else's order; it holds from the next step on. */
  public OrderedLimits ordered() {
    return ordered;
  }

  /** Goes on from what was known of the service before a restart. */
  void remember(CapacityMemory.Known known) {
    control.remember(known);
  }

  /** One period ends and the next begins. */
  public PeriodReport step(long nowNanos) throws InterruptedException {
    Step step = new Step(nowNanos);
    try {
      step.run();
    } catch (IOException e) {
      step.problems.add(String.valueOf(e.getMessage()));
    }
    return step.report();
  }

  private final class Step {
    private final long nowNanos;
    private final List<String> problems = new ArrayList<>();
    private List<RuleCommand> commands = List.of();

    /** What one call told; null where it failed, and each thing is asked for alone. */
    private LustreServer.@Nullable Look seen;

    private @Nullable Decision decision;
    private long periodNanos;
    private long readingNanos;

    /** When the server had told what jobs did: it may take its time. */
    private long toldNanos;

    Step(long nowNanos) {
      this.nowNanos = nowNanos;
    }

    void run() throws IOException, InterruptedException {
      boolean looked = look();
      LustreServer.Queue queue = seen == null ? queue() : seen.queue();
      RuleTable inForce = seen == null ? inForce() : seen.rules();
      if (inForce == null) {
        return;
      }
      RuleTable table =
          custody == null ? inForce.after(new ArrayList<>(pretended.values())) : inForce;
      if (looked && periodNanos > 0) {
        QueueFacts facts = facts(queue, inForce.partitions());
        if (configuration.bounds() != null && facts.isKnown() && !facts.saysInService()) {
          problems.add(
              "the service does not say how many requests it serves at once, and what it can do"
                  + " cannot be found out: write a capacity such as 4 kops/s");
        }
        Decision made =
            control.decide(deltas.take(), facts, held(inForce), table, periodNanos, nowNanos);
        rulesBefore = inForce;
        accountedNanos = toldNanos;
        accountedStats = queue == null ? null : queue.stats();
        decision = made;
        RulePlan next = made.exactly() ? EXACTLY : plan;
        commands = next.commands(made.wanted(), table, control.ownNames(), made.before());
      } else if (looked) {
        accountedStats = queue == null ? null : queue.stats();
      } else if (blindPeriods >= BLIND_PERIODS_MAX) {
        problems.add(
            "nothing was heard of the jobs for "
                + blindPeriods
                + " periods: no limit holds until that changes");
        commands = plan.commands(List.of(), table, control.ownNames(), RuleTable.DEFAULT);
      }
      if (commands.isEmpty()) {
        return;
      }
      if (custody == null) {
        pretend(decision == null ? List.of() : decision.wanted());
      } else {
        String problem = custody.carryOut(commands, control.ownNames());
        carriedOutNanos = clockNanos.getAsLong();
        if (problem != null) {
          problems.add(problem);
        }
      }
    }

    /** Reads what jobs did; false where that failed, and what they did is told by the next look. */
    private boolean look() throws InterruptedException {
      long begunNanos = clockNanos.getAsLong();
      try {
        LustreServer.Look all = server.look(form, deltas);
        seen = all;
        String problem = all == null ? server.readJobStats(form, deltas) : all.problem();
        if (problem != null) {
          problems.add(problem);
        }
      } catch (IOException e) {
        problems.add(String.valueOf(e.getMessage()));
        blindPeriods++;
        return false;
      } finally {
        toldNanos = clockNanos.getAsLong();
        readingNanos = toldNanos - begunNanos;
      }
      blindPeriods = 0;
      if (hasLooked) {
        periodNanos = Math.clamp(toldNanos - accountedNanos, 1, Observation.PERIOD_NANOS_MAX);
      } else {
        hasLooked = true;
        accountedNanos = toldNanos;
      }
      return true;
    }

    /** How the service's queue is; null where it does not say. */
    private LustreServer.@Nullable Queue queue() throws InterruptedException {
      try {
        return server.queue();
      } catch (IOException e) {
        problems.add(String.valueOf(e.getMessage()));
        return null;
      }
    }

    /** Which rules held since what jobs did was last taken account of. */
    private RatesHeld held(RuleTable inForce) {
      RuleTable before = rulesBefore;
      return before == null
          ? RatesHeld.always(inForce)
          : new RatesHeld(
              inForce,
              before,
              Math.clamp((double) (carriedOutNanos - accountedNanos) / periodNanos, 0, 1));
    }

    private QueueFacts facts(LustreServer.@Nullable Queue queue, int partitions) {
      return queue == null || accountedStats == null
          ? QueueFacts.UNKNOWN
          : QueueFacts.of(
              queue.stats().since(accountedStats),
              queue.policies().queued(),
              partitions,
              periodNanos);
    }

    /** The rules that there are; null where there cannot be any just now. */
    private @Nullable RuleTable inForce() throws IOException, InterruptedException {
      try {
        return server.rules();
      } catch (LctlException e) {
        if (e.exitCode() != LctlException.ENODEV) {
          throw e;
        }
      }
      if (custody == null) {
        return RuleTable.none(server.partitions());
      }
      // As after a reboot: whoever was allowed to turn the filter on may do so again.
      try {
        custody.requireFilter(version);
      } catch (RefusedException e) {
        problems.add("nobody is limited: " + e.getMessage());
        return null;
      }
      return server.rules();
    }

    /** What would be there: rules that we would have changed were made by another of us. */
    private void pretend(List<WantedRule> wanted) {
      Map<String, WantedRule> byName = new HashMap<>();
      wanted.forEach(rule -> byName.put(rule.name(), rule));
      for (RuleCommand command : commands) {
        WantedRule rule = byName.get(command.name());
        if (rule == null) {
          pretended.remove(command.name());
        } else {
          pretended.put(
              rule.name(),
              new RuleCommand.Start(rule.name(), rule.pattern(), rule.rate(), RuleTable.DEFAULT));
        }
      }
    }

    PeriodReport report() {
      return new PeriodReport(periodNanos, decision, commands, readingNanos, problems);
    }
  }

  /**
   * When the next step is due: a period after this one was, so that decisions do not drift. Where
   * that has passed, because commands took long, it is due at once, but not before what jobs do was
   * seen for a period. Before 2.15.56, reading what jobs did holds up requests, and has at most a
   * tenth of the time.
   *
   * @param dueNanos when this step was due
   * @param readingNanos how long the server took to tell what jobs did
   */
  public long nextNanos(long dueNanos, long readingNanos, long nowNanos) {
    long earliest =
        VersionHazards.readingHoldsUp(version)
            ? Math.max(nowNanos, dueNanos + READING_PART * readingNanos)
            : nowNanos;
    long nextNanos = dueNanos + configuration.periodNanos();
    return earliest <= nextNanos ? nextNanos : Math.max(earliest, nextNanos + readingNanos);
  }
}
