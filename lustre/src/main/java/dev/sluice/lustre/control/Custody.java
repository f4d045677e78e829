package dev.sluice.lustre.control;

import dev.sluice.lustre.LustreService;
import dev.sluice.lustre.LustreVersion;
import dev.sluice.lustre.config.JobLimit;
import dev.sluice.lustre.config.LustreConfiguration;
import dev.sluice.lustre.lctl.LctlException;
import dev.sluice.lustre.lctl.LustreServer;
import dev.sluice.lustre.tbf.NrsPolicies;
import dev.sluice.lustre.tbf.OthersRules;
import dev.sluice.lustre.tbf.RequestMatch;
import dev.sluice.lustre.tbf.RuleCommand;
import dev.sluice.lustre.tbf.RuleTable;
import dev.sluice.lustre.tbf.VersionHazards;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Takes a service into care and gives it back as it was. Everything that is done to it goes through
 * the journal first. Not thread-safe.
 */
public final class Custody {
  /** How often something that has to come to rest is looked at. */
  private static final int ATTEMPTS = 10;

  private static final long PAUSE_NANOS = 500_000_000;

  private final LustreServer server;
  private final LustreConfiguration configuration;
  private final Journal journal;
  private final Pause pause;

  /** Waits; tests have a time of their own. */
  public interface Pause {
    void pause(long nanos) throws InterruptedException;
  }

  public Custody(
      LustreServer server, LustreConfiguration configuration, Journal journal, Pause pause) {
    this.server = server;
    this.configuration = configuration;
    this.journal = journal;
    this.pause = pause;
  }

  /** Whether this version may be looked after at all. */
  static LustreVersion requireSupported(LustreServer server, LustreConfiguration configuration)
      throws IOException, InterruptedException, RefusedException {
    LustreVersion version = server.version();
    String unsupported = VersionHazards.unsupported(version);
    if (unsupported != null) {
      throw new RefusedException(unsupported);
    }
    for (JobLimit limit : configuration.limits()) {
      RequestMatch requests = limit.requests();
      String refused =
          requests == null
              ? null
              : requests.refused(version, configuration.service() != LustreService.OST_IO);
      if (refused != null) {
        throw new RefusedException("limit " + limit.name() + ": " + refused);
      }
    }
    if (configuration.realtime()) {
      throw new RefusedException("realtime: true: " + VersionHazards.againstRealtime(version));
    }
    return version;
  }

  /**
   * Undoes what an earlier run left, and makes sure that the filter goes by what it should and that
   * nobody else's rules look like ours.
   */
  public LustreVersion takeOver() throws IOException, InterruptedException, RefusedException {
    LustreVersion version = requireSupported(server, configuration);
    String against = configuration.service().againstLimiting();
    if (against != null) {
      throw new RefusedException(
          "service "
              + configuration.service().text()
              + " is for looking on: "
              + against
              + "; ./sluice lustre observe and top show it");
    }
    if (!journal.isEmpty()) {
      String problem = giveBack();
      if (problem != null) {
        throw new RefusedException("what an earlier run left cannot be taken back: " + problem);
      }
    }
    requireFilter(version);
    Collection<String> alike = server.rules().namesWith(configuration.rulePrefix());
    if (!alike.isEmpty()) {
      throw new RefusedException(
          "rule "
              + alike.iterator().next()
              + " is there and begins like ours, and no journal in "
              + configuration.state()
              + " says that it is: stop it, or choose another rule-prefix");
    }
    return version;
  }

  /** Sees to it that requests are filtered by what rules go by, as far as that may be done. */
  void requireFilter(LustreVersion version)
      throws IOException, InterruptedException, RefusedException {
    String filter = configuration.filter();
    NrsPolicies policies = server.policies();
    if (policies.are(filter)) {
      return;
    }
    String parameter = server.service().policiesParameter();
    String now = parameter + " is \"" + policies.regular() + "\"";
    if (policies.isFiltering()) {
      throw new RefusedException(
          now
              + (policies.regular().equals(policies.highPriority())
                  ? ""
                  : " and \"" + policies.highPriority() + "\" for high-priority requests")
              + ": expected \""
              + filter
              + "\" for both; changing it would lose all rules, so do that yourself");
    }
    String toDo = "lctl set_param " + parameter + "=\"" + filter + "\"";
    if (!configuration.switchPolicy()) {
      throw new RefusedException(
          now
              + ": expected "
              + byWhat(filter)
              + "; turn it on ("
              + toDo
              + ") or set switch-policy: true");
    }
    String hazard = VersionHazards.againstSwitching(version);
    if (hazard != null) {
      throw new RefusedException(
          now + ": " + hazard + "; turn the filter on (" + toDo + ") before clients are at work");
    }
    if (!policies.regular().equals(policies.highPriority())) {
      throw new RefusedException(
          now
              + " and \""
              + policies.highPriority()
              + "\" for high-priority requests, which could not be put back: turn the filter on"
              + " yourself ("
              + toDo
              + ")");
    }
    if (journal.formerPolicy() == null) {
      journal.willSwitch(policies.regular());
    }
    switchTo(filter);
  }

  private static String byWhat(String filter) {
    return filter.equals(NrsPolicies.TBF_BY_JOB)
        ? "the filter by job"
        : "the filter \"" + filter + "\"";
  }

  /** A policy that still drains its requests cannot be changed yet. */
  private void switchTo(String policy) throws IOException, InterruptedException {
    IOException problem = null;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      try {
        server.switchPolicy(policy);
        NrsPolicies now = server.policies();
        if (now.settled() && now.regular().equals(policy) && now.highPriority().equals(policy)) {
          return;
        }
        problem = new IOException("the policy does not come to rest: " + now.regular());
      } catch (IOException e) {
        problem = e;
      }
      pause.pause(PAUSE_NANOS);
    }
    throw new IOException(
        "the policy could not be changed to \""
            + policy
            + "\": "
            + (problem == null ? "no attempt" : problem.getMessage()),
        problem);
  }

  /** Notes down which rules will be made, and then has all commands carried out. */
  @Nullable String carryOut(List<RuleCommand> commands, Collection<String> ownNames)
      throws IOException, InterruptedException {
    List<String> starting = new ArrayList<>();
    for (RuleCommand command : commands) {
      if (command instanceof RuleCommand.Start start) {
        starting.add(start.name());
      }
    }
    journal.willStart(starting);
    journal.compact(ownNames);
    return server.write(commands);
  }

  /**
   * Takes all our rules away and puts the former policy back, and checks that it is so.
   *
   * @return what could not be undone; null where all is as it was
   */
  public @Nullable String giveBack() throws InterruptedException {
    String problem = "nothing was tried";
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      try {
        problem = tryGivingBack();
        if (problem == null) {
          journal.clear();
          return null;
        }
      } catch (IOException e) {
        problem = String.valueOf(e.getMessage());
      }
      pause.pause(PAUSE_NANOS);
    }
    return problem;
  }

  private @Nullable String tryGivingBack() throws IOException, InterruptedException {
    RuleTable table;
    try {
      table = server.rules();
    } catch (LctlException e) {
      if (e.exitCode() != LctlException.ENODEV) {
        throw e;
      }
      // The filter is off, and its rules went with it.
      return null;
    }
    Set<String> names = journal.names();
    List<RuleCommand> stops = new ArrayList<>();
    for (String name : names) {
      if (table.rule(name) != null) {
        stops.add(new RuleCommand.Stop(name));
      }
    }
    if (!stops.isEmpty()) {
      String problem = server.write(stops);
      table = server.rules();
      for (RuleCommand stop : stops) {
        if (table.rule(stop.name()) != null) {
          return problem == null ? "rule " + stop.name() + " is still there" : problem;
        }
      }
    }
    String former = journal.formerPolicy();
    // With rules of others there, turning the filter off would lose them.
    if (former != null && new OthersRules(table, names::contains).count() == 0) {
      switchTo(former);
    }
    return null;
  }
}
