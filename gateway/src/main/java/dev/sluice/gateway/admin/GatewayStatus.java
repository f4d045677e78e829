package dev.sluice.gateway.admin;

import dev.sluice.command.LinkStatus;
import dev.sluice.core.model.JobId;
import dev.sluice.core.schedule.ShareGrouping;
import dev.sluice.gateway.config.ExportConfiguration;
import dev.sluice.gateway.config.TargetConfiguration;
import dev.sluice.gateway.control.ControlStatus;
import dev.sluice.gateway.nfs4.Nfs4Figures;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a gateway is.
 *
 * @param nfs4 what clients of version 4 have; null where that is not served
 * @param problems what somebody should look into, in words
 * @param jobs where the jobs come from, how many they are and how old this is; empty when nowhere
 * @param controller how the link to it is; null where there is none
 * @param failover whose turn it is; null where no other gateway serves the same
 * @param dashboard its address; null when there is none
 * @param shares by what jobs are grouped where they share by weight
 * @param shareWeights whose books say what accounts and users weigh, and how old this is; empty
 *     where only the configuration does
 * @param priorities among sets of jobs, as somebody gave them by command
 */
public record GatewayStatus(
    String listen,
    int nfsPort,
    int mountPort,
    long upNanos,
    int connections,
    @Nullable Nfs4Figures nfs4,
    List<String> problems,
    String jobs,
    @Nullable LinkStatus controller,
    FailoverControl.@Nullable Turn failover,
    @Nullable String dashboard,
    ShareGrouping shares,
    String shareWeights,
    Map<JobId, Double> priorities,
    List<ExportConfiguration> exports,
    List<TargetConfiguration> targets,
    ControlStatus control) {
  public GatewayStatus {
    problems = List.copyOf(problems);
    priorities = Map.copyOf(priorities);
    exports = List.copyOf(exports);
    targets = List.copyOf(targets);
  }
}
