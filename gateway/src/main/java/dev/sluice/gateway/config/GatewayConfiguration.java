package dev.sluice.gateway.config;

import dev.sluice.core.classify.RuleSet;
import dev.sluice.core.policy.guarantee.Promises;
import dev.sluice.core.schedule.tbf.TbfRule;
import dev.sluice.gateway.files.TransferSize;
import dev.sluice.jobs.source.JobSource;
import dev.sluice.ledger.LedgerLocation;
import dev.sluice.web.WebSettings;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All that an administrator says about a gateway, complete and checked; docs/gateway.md describes
 * it.
 *
 * @param listen where connections are accepted
 * @param nfs4 whether and how NFS version 4.1 and 4.2 are served beside version 3
 * @param portmapper how clients that ask a portmapper find the ports
 * @param state where the key of the file handles and the handle map are kept
 * @param controlSocket where the command line finds the gateway
 * @param ledger where the books about coupons are, for a policy that has some
 * @param observesOnly whether everything is decided and nothing enforced
 * @param jobs where the jobs that run are learned from; null when nowhere
 * @param trustsClaimedJobs whether a client is the job that its mount path says, whoever it is
 * @param rulesFile where the rules stand; null when there are none
 * @param shares how jobs share where they share by weight
 * @param limits hold whatever the policy decides, first match first
 * @param promises minimums and latencies that were promised
 * @param dashboard where the dashboard is; null when there is none
 * @param memoryBytes a bound on what requests and replies in flight may hold together
 * @param transfers how much one READ or WRITE moves
 * @param connections how many there may be
 * @param controller who decides for many gateways together; null where nobody does
 * @param failover that others serve the same exports when this one does not; null where none do
 */
public record GatewayConfiguration(
    InetAddress listen,
    int nfsPort,
    int mountPort,
    Nfs4Choice nfs4,
    PortmapperChoice portmapper,
    Path state,
    Path controlSocket,
    LedgerLocation ledger,
    PolicyChoice policy,
    boolean observesOnly,
    @Nullable JobSource jobs,
    boolean trustsClaimedJobs,
    @Nullable Path rulesFile,
    RuleSet rules,
    List<TargetConfiguration> targets,
    List<ExportConfiguration> exports,
    ShareChoice shares,
    List<TbfRule> limits,
    Promises promises,
    @Nullable WebSettings dashboard,
    long memoryBytes,
    TransferSize transfers,
    ConnectionBounds connections,
    @Nullable ControllerChoice controller,
    @Nullable FailoverChoice failover) {
  public GatewayConfiguration {
    targets = List.copyOf(targets);
    exports = List.copyOf(exports);
    limits = List.copyOf(limits);
  }

  /** The target with this name; it must be there. */
  public TargetConfiguration target(String name) {
    return targets.stream()
        .filter(target -> target.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("there is no target \"" + name + "\""));
  }
}
