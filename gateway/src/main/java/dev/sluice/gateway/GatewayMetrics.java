package dev.sluice.gateway;

import dev.sluice.command.metrics.MetricsText;
import dev.sluice.command.metrics.MetricsText.MetricKind;
import dev.sluice.core.capacity.CapacityBelief;
import dev.sluice.gateway.admin.CounterMetrics;
import dev.sluice.gateway.admin.FailoverControl;
import dev.sluice.gateway.admin.HealthFinding;
import dev.sluice.gateway.admin.HealthWatch;
import dev.sluice.gateway.control.ControlStatus;
import dev.sluice.gateway.nfs4.Nfs4Figures;
import dev.sluice.gateway.nfs4.state.Figures;
import dev.sluice.gateway.rpc.RpcStatistics;
import dev.sluice.gateway.target.TargetService;
import dev.sluice.gateway.target.TargetVitals;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** What a gateway tells whoever collects metrics, besides what its status says. */
final class GatewayMetrics {
  private static final double NANOS_PER_SECOND = 1e9;

  private final Targets targets;
  private final NetworkFront front;
  private final HealthWatch health;
  private final CounterMetrics counters;
  private final Supplier<Map<String, List<ControlStatus.GoalStatus>>> goals;
  private final @Nullable FailoverControl failover;

  GatewayMetrics(
      Targets targets,
      NetworkFront front,
      HealthWatch health,
      Supplier<Map<String, List<ControlStatus.GoalStatus>>> goals,
      @Nullable FailoverControl failover) {
    this.goals = goals;
    this.failover = failover;
    this.targets = targets;
    this.front = front;
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
    Nfs4Figures figures = front.version4();
    if (figures != null) {
      addVersion4(text, figures);
    }
    if (failover != null) {
      addTurn(text, failover.turn());
    }
    counters.addTo(text, nowNanos);
  }

  /** Only who serves is asked: one that stands by has no page. */
  private static void addTurn(MetricsText text, FailoverControl.Turn turn) {
    text.family("failover_serving", MetricKind.GAUGE, "1 for the gateway that serves, by name.")
        .sample(turn.serves() ? 1 : 0, "name", turn.name());
    text.family("failover_turn", MetricKind.COUNTER, "The number of this turn: each move is one.")
        .sample((double) turn.epoch());
    text.family("failover_serving_seconds", MetricKind.GAUGE, "For how long it has served.")
        .sample(turn.servingNanos() / NANOS_PER_SECOND);
    Long moveNanos = turn.moveNanos();
    if (moveNanos != null) {
      text.family(
              "failover_move_seconds",
              MetricKind.GAUGE,
              "How long nobody served before it did, from the last sign of life.")
          .sample(moveNanos / NANOS_PER_SECOND);
    }
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
    addGoals(text);
    Map<String, CapacityBelief> beliefs = new LinkedHashMap<>();
    for (TargetService target : targets.shown()) {
      CapacityBelief belief = target.belief(nowNanos);
      if (belief != null) {
        beliefs.put(target.target().name(), belief);
      }
    }
    if (beliefs.isEmpty()) {
      return;
    }
    text.family(
        "target_capacity_found_bytes_per_second",
        MetricKind.GAUGE,
        "What the storage is believed to do with the mix of late; absent until it was in full"
            + " use.");
    beliefs.forEach((name, belief) -> {
      if (belief.known()) {
        text.sample(belief.tokensPerSecond(), "target", name);
      }
    });
    text.family(
        "target_depth", MetricKind.GAUGE, "How many requests the storage is given at once.");
    beliefs.forEach((name, belief) -> text.sample(belief.depth(), "target", name));
    text.family(
        "target_latency_stretch",
        MetricKind.GAUGE,
        "By what requests took longer of late than while the storage has little to do.");
    beliefs.forEach((name, belief) -> text.sample(belief.stretch(), "target", name));
  }

  private void addGoals(MetricsText text) {
    Map<String, List<ControlStatus.GoalStatus>> kept = goals.get();
    if (kept.isEmpty()) {
      return;
    }
    text.family(
        "goal_seconds_total",
        MetricKind.COUNTER,
        "Seconds in which requests with a goal were served.");
    addGoals(text, kept, goal -> (double) goal.secondsSeen());
    text.family(
        "goal_met_seconds_total",
        MetricKind.COUNTER,
        "Those of them in which no more than one request in a hundred was late.");
    addGoals(text, kept, goal -> (double) goal.secondsMet());
    text.family(
        "goal_others_ratio",
        MetricKind.GAUGE,
        "What others may have of what is left for them; 1 where nobody is held back.");
    addGoals(text, kept, ControlStatus.GoalStatus::othersPart);
  }

  private static void addGoals(
      MetricsText text,
      Map<String, List<ControlStatus.GoalStatus>> kept,
      ToDoubleFunction<ControlStatus.GoalStatus> figure) {
    kept.forEach((target, goals) ->
        goals.forEach(goal ->
            text.sample(
                figure.applyAsDouble(goal),
                "target",
                target,
                "by",
                goal.goal().who().text(),
                "name",
                goal.goal().name())));
  }

  private void addConnections(MetricsText text) {
    RpcStatistics seen = front.statistics();
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

  private static void addVersion4(MetricsText text, Nfs4Figures seen) {
    Figures state = seen.state();
    text.family(
            "nfs4_clients",
            MetricKind.GAUGE,
            "Clients of NFS version 4: those that are there, those that are silent for longer than"
                + " their lease, and those that only introduced themselves.")
        .sample((double) state.clients() - state.courtesy(), "state", "there")
        .sample((double) state.courtesy(), "state", "late")
        .sample((double) state.unconfirmed(), "state", "introduced");
    text.family("nfs4_sessions", MetricKind.GAUGE, "Their sessions.")
        .sample((double) state.sessions());
    text.family(
            "nfs4_slots",
            MetricKind.GAUGE,
            "Calls that they can have under way together, and those that wait for their turn.")
        .sample((double) seen.slots(), "state", "given")
        .sample((double) seen.slotsKept(), "state", "waiting");
    text.family("nfs4_open_files", MetricKind.GAUGE, "Files that are open, once for each owner.")
        .sample((double) state.opens());
    text.family("nfs4_locks", MetricKind.GAUGE, "Ranges of files that are locked.")
        .sample((double) state.lockRanges());
    text.family(
            "nfs4_grace",
            MetricKind.GAUGE,
            "1 while clients take again what they had before a restart.")
        .sample(seen.isInGrace() ? 1 : 0);
    text.family(
            "nfs4_delays_total",
            MetricKind.COUNTER,
            "Calls that were told to come later, because their job had too much under way.")
        .sample((double) seen.delays());
  }
}
