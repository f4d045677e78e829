package dev.sluice.gateway;

import dev.sluice.command.metrics.MetricsText;
import dev.sluice.command.metrics.MetricsText.MetricKind;
import dev.sluice.gateway.admin.CounterMetrics;
import dev.sluice.gateway.admin.HealthFinding;
import dev.sluice.gateway.admin.HealthWatch;
import dev.sluice.gateway.rpc.RpcServer;
import dev.sluice.gateway.rpc.RpcStatistics;
import dev.sluice.gateway.target.TargetService;
import dev.sluice.gateway.target.TargetVitals;
import java.util.List;

/** What a gateway tells whoever collects metrics, besides what its status says. */
final class GatewayMetrics {
  private static final double NANOS_PER_SECOND = 1e9;

  private final Targets targets;
  private final RpcServer server;
  private final HealthWatch health;
  private final CounterMetrics counters;

  GatewayMetrics(Targets targets, RpcServer server, HealthWatch health) {
    this.targets = targets;
    this.server = server;
    this.health = health;
    counters =
        new CounterMetrics(() -> targets.shown().stream().map(TargetService::tally).toList());
  }

  /** Adds all of it to a page. */
  void addTo(MetricsText text) {
    long nowNanos = System.nanoTime();
    addHealth(text);
    addTargets(text, nowNanos);
    addConnections(text);
    counters.addTo(text, nowNanos);
  }

  private void addHealth(MetricsText text) {
    List<HealthFinding> findings = health.findings(HealthWatch.PATIENCE);
    text.family("healthy", MetricKind.GAUGE, "1 where nothing makes the gateway sick.")
        .sample(findings.isEmpty() ? 1 : 0);
    text.family("health_findings", MetricKind.GAUGE, "What makes it sick, by kind.");
    for (HealthFinding.Kind kind : HealthFinding.Kind.values()) {
      text.sample(
          (double) findings.stream().filter(found -> found.kind() == kind).count(),
          "kind",
          kind.text());
    }
  }

  private void addTargets(MetricsText text, long nowNanos) {
    text.family(
        "target_oldest_in_service_seconds",
        MetricKind.GAUGE,
        "How long the oldest request has been with the storage.");
    for (TargetService target : targets.shown()) {
      TargetVitals vitals = target.vitals(nowNanos);
      text.sample(vitals.oldestInServiceNanos() / NANOS_PER_SECOND, "target", vitals.target());
    }
  }

  private void addConnections(MetricsText text) {
    RpcStatistics seen = server.statistics();
    text.family(
            "calls_postponed_total",
            MetricKind.COUNTER,
            "Calls that were told to come later, because their job had too much under way.")
        .sample((double) seen.postponed());
    text.family(
            "connections_turned_away_total",
            MetricKind.COUNTER,
            "Connections of strangers, and those that were too many.")
        .sample((double) seen.strangers(), "why", "stranger")
        .sample((double) seen.refused(), "why", "too-many");
    text.family("memory_held_bytes", MetricKind.GAUGE, "What requests on their way hold.")
        .sample((double) seen.heldBytes());
  }
}
