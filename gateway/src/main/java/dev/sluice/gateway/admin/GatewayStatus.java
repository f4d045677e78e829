package dev.sluice.gateway.admin;

import dev.sluice.gateway.config.ExportConfiguration;
import dev.sluice.gateway.config.TargetConfiguration;
import dev.sluice.gateway.control.ControlStatus;
import java.util.List;

/**
 * How a gateway is.
 *
 * @param problems what somebody should look into, in words
 * @param jobs where the jobs come from, how many they are and how old this is; empty when nowhere
 */
public record GatewayStatus(
    String listen,
    int nfsPort,
    int mountPort,
    long upNanos,
    int connections,
    List<String> problems,
    String jobs,
    List<ExportConfiguration> exports,
    List<TargetConfiguration> targets,
    ControlStatus control) {
  public GatewayStatus {
    problems = List.copyOf(problems);
    exports = List.copyOf(exports);
    targets = List.copyOf(targets);
  }
}
