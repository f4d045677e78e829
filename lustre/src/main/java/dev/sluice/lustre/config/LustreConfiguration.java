package dev.sluice.lustre.config;

import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.policy.guarantee.Guarantees;
import dev.sluice.jobs.source.JobSource;
import dev.sluice.lustre.LustreService;
import dev.sluice.lustre.tbf.NrsPolicies;
import dev.sluice.lustre.tbf.RequestMatch;
import dev.sluice.web.WebSettings;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a Lustre server is looked after.
 *
 * @param capacityPerSecond how many requests a second the service can serve, all targets together
 * @param periodNanos how often is decided, at most
 * @param jobs who tells which jobs run; null where nobody does and all count alike
 * @param state the directory of the journal
 * @param lctl the program
 * @param patienceNanos how long it may take
 * @param rulePrefix what our rules' names begin with
 * @param floorPerSecond the smallest rate that is written
 * @param deadBand by which part a rule's rate may be off before it is changed
 * @param rulesMax how many rules there may be at once
 * @param policy who decides
 * @param limits what single jobs may have at most, first match first
 * @param guarantees minimums that were promised, for policies that reserve
 * @param switchPolicy whether the filter may be turned on where it is off
 * @param realtime whether rules with {@code realtime} are asked for
 * @param observesOnly whether everything is decided and nothing done
 * @param dashboard where the service is shown; null for nowhere
 */
public record LustreConfiguration(
    LustreService service,
    long capacityPerSecond,
    long periodNanos,
    @Nullable JobSource jobs,
    Path state,
    String lctl,
    long patienceNanos,
    String rulePrefix,
    long floorPerSecond,
    double deadBand,
    int rulesMax,
    ChosenPolicy policy,
    List<JobLimit> limits,
    Guarantees guarantees,
    boolean switchPolicy,
    boolean realtime,
    boolean observesOnly,
    @Nullable WebSettings dashboard) {
  private static final String CONTROL_SOCKET = "control.sock";

  public LustreConfiguration {
    limits = List.copyOf(limits);
  }

  /** What the service's filter must go by: jobs, unless limits are about something else. */
  public String filter() {
    RequestMatch requests = limits.isEmpty() ? null : limits.getFirst().requests();
    return requests == null ? NrsPolicies.TBF_BY_JOB : requests.filter();
  }

  /** Where commands are taken. */
  public Path controlSocket() {
    return state.resolve(CONTROL_SOCKET);
  }

  /** What is decided about: the service, with what it can do. */
  public Target target() {
    return new Target(service.text(), capacityPerSecond, TokenUnit.OPERATIONS);
  }
}
