package dev.sluice.lustre.show;

import dev.sluice.command.metrics.MetricsText;
import dev.sluice.command.metrics.MetricsText.MetricKind;
import dev.sluice.core.capacity.CapacityBelief;
import dev.sluice.lustre.config.LustreConfiguration;
import dev.sluice.lustre.control.Decision;
import dev.sluice.lustre.control.JobReport;

/** What is measured about a Lustre service, besides what its status says. */
final class LustreMetrics {
  private final LustreConfiguration configuration;
  private final ServiceBook book;

  LustreMetrics(LustreConfiguration configuration, ServiceBook book) {
    this.configuration = configuration;
    this.book = book;
  }

  /** Adds all of it to a page. */
  void addTo(MetricsText text) {
    ServiceBook.State state = book.state();
    String target = configuration.target().name();
    text.family("lustre_decisions_total", MetricKind.COUNTER, "Decisions that were taken.")
        .sample((double) state.decisions(), "target", target);
    text.family("lustre_commands_total", MetricKind.COUNTER, "Changes of rules that were written.")
        .sample((double) state.commands(), "target", target);
    text.family(
            "lustre_reading_seconds",
            MetricKind.GAUGE,
            "How long the server took to tell what jobs did.")
        .sample(state.readingNanos() / 1e9, "target", target);
    text.family(
            "lustre_uncounted_per_second",
            MetricKind.GAUGE,
            "Requests that were served and are no job's, as far as is known.")
        .sample(state.unknownPerSecond(), "target", target);
    Decision decision = state.decision();
    if (decision != null && decision.belief() != null) {
      add(decision.belief(), target, text);
    }
    if (decision != null) {
      text.family("lustre_rules", MetricKind.GAUGE, "Rules of ours that should be there.")
          .sample(decision.wanted().size(), "target", target);
      text.family("lustre_jobs_held_back", MetricKind.GAUGE, "Jobs that their rules hold back.")
          .sample(
              (double) decision.jobs().stream().filter(JobReport::heldBack).count(),
              "target",
              target);
    }
  }

  private static void add(CapacityBelief belief, String target, MetricsText text) {
    text.family(
        "target_capacity_found_operations_per_second",
        MetricKind.GAUGE,
        "What the service is believed to do with the requests of late; absent until it was in"
            + " full use.");
    if (belief.known()) {
      text.sample(belief.tokensPerSecond(), "target", target);
    }
    text.family("target_depth", MetricKind.GAUGE, "How many requests the storage is given at once.")
        .sample(belief.depth(), "target", target);
    text.family(
            "target_latency_stretch",
            MetricKind.GAUGE,
            "By what requests took longer of late than while the storage has little to do.")
        .sample(belief.stretch(), "target", target);
  }
}
