package dev.sluice.lustre.config;

import dev.sluice.core.capacity.CapacityBelief;
import dev.sluice.core.capacity.CapacityBounds;
import dev.sluice.core.model.Quantities;
import dev.sluice.core.model.Quantities.Counted;
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
 * @param capacityPerSecond how many requests a second the service can serve, all targets together;
 *     where that is found out, the most that it is given
 * @param bounds within which it is found out; null where it was told
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
    @Nullable CapacityBounds bounds,
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

  /** What Lustre's filter counts. */
  public static final Counted COUNTED = Counted.OPERATIONS;

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

  /** What the service can do, in words. */
  public String capacityWords(@Nullable CapacityBelief belief) {
    if (bounds != null && (belief == null || !belief.known())) {
      return "not known yet (auto)";
    }
    String rate = Quantities.formatRate((double) target(belief).tokensPerSecond(), COUNTED);
    return bounds == null ? rate : rate + " (auto)";
  }

  /** The service with what it is believed to be able to do, or what it was told. */
  public Target target(@Nullable CapacityBelief belief) {
    return belief == null || !belief.known()
        ? target()
        : new Target(
            service.text(),
            Math.max(1, Math.round(belief.tokensPerSecond())),
            TokenUnit.OPERATIONS);
  }

  /** What is decided about: the service, with what it can do, or is given at most. */
  public Target target() {
    return new Target(service.text(), capacityPerSecond, TokenUnit.OPERATIONS);
  }
}
