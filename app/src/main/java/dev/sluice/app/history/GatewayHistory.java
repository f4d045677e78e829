package dev.sluice.app.history;

import dev.sluice.command.metrics.MetricsText;
import dev.sluice.command.metrics.MetricsText.MetricKind;
import dev.sluice.control.gateways.GatewayTotals;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Quantities;
import dev.sluice.document.DocumentException;
import dev.sluice.document.FileWatch;
import dev.sluice.gateway.Gateway;
import dev.sluice.gateway.admin.HealthFinding;
import dev.sluice.gateway.config.ControllerChoice;
import dev.sluice.gateway.control.JobExplanation;
import dev.sluice.gateway.control.ServiceTotals;
import dev.sluice.history.alert.AlertDesk;
import dev.sluice.history.alert.AlertKey;
import dev.sluice.history.alert.AlertKind;
import dev.sluice.history.model.Event;
import dev.sluice.history.model.Sample;
import dev.sluice.history.sample.EverySecond;
import dev.sluice.history.sample.HeldBackJobs;
import dev.sluice.history.sample.Sampler;
import dev.sluice.history.sample.Troubles;
import dev.sluice.history.store.HistoryStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the history of a gateway that runs, and its alerts: looks once a second, on a thread of its
 * own, and never holds the gateway up.
 */
public final class GatewayHistory implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(GatewayHistory.class.getName());

  /** How many looks pass between two at what is seldom news. */
  private static final int SELDOM = 10;

  /** Looks come every second; a disk that is stuck keeps the next from coming. */
  private static final long SILENT_NANOS = 30_000_000_000L;

  private final Gateway gateway;
  private final Path file;
  private final Path directory;
  private final FileWatch watch;
  private final HistoryStore store;
  private final AlertDesk alerts;
  private final Sampler sampler = new Sampler();
  private final HeldBackJobs heldBack = new HeldBackJobs();
  private final Troubles troubles = new Troubles();
  private final Troubles problems = new Troubles();
  private final EverySecond looking;
  private long looks;

  /** When the last look was over. */
  private volatile long lookedNanos = System.nanoTime();

  /** Why what the configuration says about alerts now does not hold; null where it does. */
  private volatile @Nullable String alertsProblem;

  private GatewayHistory(Gateway gateway, Path file, Path directory, HistorySettings settings)
      throws IOException {
    this.gateway = gateway;
    this.file = file;
    this.directory = directory;
    this.watch = new FileWatch(file);
    this.store =
        HistoryStore.open(directory, settings.place().bytesMax(), System.currentTimeMillis());
    this.alerts = new AlertDesk(settings.alerts(), store, source(gateway));
    record(Event.Kind.STARTED, "", "", "the gateway has started");
    gateway.journal(change -> record(Event.Kind.CHANGE, change.who(), "", change.what()));
    gateway.alsoTell(this::problems);
    gateway.alsoFind(this::findings);
    this.looking = new EverySecond(this::look);
  }

  /**
   * Begins to keep history.
   *
   * @param file the gateway's configuration, followed for what it says about alerts
   * @return null where none is to be kept, and where it cannot be, which is no reason not to serve
   */
  public static @Nullable GatewayHistory begin(
      Gateway gateway, Path file, HistorySettings settings) {
    if (!settings.place().kept()) {
      return null;
    }
    Path directory = settings.place().directoryIn(gateway.configuration().state());
    try {
      return new GatewayHistory(gateway, file, directory, settings);
    } catch (IOException e) {
      String why = "no history is kept: " + e.getMessage();
      LOG.log(System.Logger.Level.WARNING, why);
      gateway.alsoFind(() -> List.of(notWritten(why)));
      return null;
    }
  }

  private static String source(Gateway gateway) {
    return gateway.nfsAddress().getHostString() + ":" + gateway.nfsAddress().getPort();
  }

  /** Where it is kept. */
  public Path directory() {
    return directory;
  }

  /** Adds what there is to measure about history and alerts to a page of metrics. */
  public void addTo(MetricsText text) {
    AlertDesk.Counts counts = alerts.counts();
    text.family("alerts_firing", MetricKind.GAUGE, "Alerts that fire now.");
    for (AlertKind kind : AlertKind.values()) {
      text.sample(counts.firing().getOrDefault(kind, 0), "kind", kind.text());
    }
    text.family("alerts_fired_total", MetricKind.COUNTER, "Alerts that have fired.");
    for (AlertKind kind : AlertKind.values()) {
      text.sample((double) counts.fired().getOrDefault(kind, 0L), "kind", kind.text());
    }
    text.family("alert_webhook_sent_total", MetricKind.COUNTER, "Alerts that a webhook took.")
        .sample((double) counts.webhookSent());
    text.family("alert_webhook_failures_total", MetricKind.COUNTER, "Alerts that no webhook took.")
        .sample((double) counts.webhookFailed());
    text.family("history_bytes", MetricKind.GAUGE, "What history takes on disk.")
        .sample((double) store.bytes());
    text.family("history_lost_total", MetricKind.COUNTER, "Records that could not be written.")
        .sample((double) store.lost());
  }

  private void record(Event.Kind kind, String who, String subject, String words) {
    store.record(new Event(System.currentTimeMillis(), kind, who, subject, words));
  }

  private List<String> problems() {
    String problem = alertsProblem;
    return problem == null ? List.of() : List.of(problem);
  }

  /** What makes the gateway sick, as far as history goes. */
  private List<HealthFinding> findings() {
    long silentNanos = System.nanoTime() - lookedNanos;
    if (silentNanos > SILENT_NANOS) {
      // The store may be what is stuck: it is not asked.
      return List.of(
          notWritten("history has not been written for " + Quantities.formatDuration(silentNanos)));
    }
    String problem = store.problem();
    return problem == null
        ? List.of()
        : List.of(notWritten("history cannot be written: " + problem));
  }

  private static HealthFinding notWritten(String why) {
    return new HealthFinding(HealthFinding.Kind.HISTORY_NOT_WRITTEN, "", why);
  }

  private void look() {
    lookOnce();
    lookedNanos = System.nanoTime();
  }

  private void lookOnce() {
    ServiceTotals seen = gateway.totals();
    long nowMillis = System.currentTimeMillis();
    Sample sample = sampler.look(GatewayTotals.of(seen, nowMillis));
    if (sample != null) {
      store.record(sample);
      alerts.look(sample, besides(seen), seen.nowNanos());
      heldBack.look(sample).forEach(this::recordReason);
    }
    troubles.look(troubles(seen), nowMillis).forEach(store::record);
    if (looks++ % SELDOM == 0) {
      Map<String, String> now = new HashMap<>();
      gateway.status().problems().forEach(problem -> now.put(problem, problem));
      problems.look(now, nowMillis).forEach(store::record);
    }
    if (watch.changed()) {
      followFile();
    }
  }

  /** What alerts may be about that no sample tells. */
  private Map<AlertKey, String> besides(ServiceTotals seen) {
    Map<AlertKey, String> besides = new HashMap<>();
    for (ServiceTotals.TargetTotals target : seen.targets()) {
      if (target.limitsLapsed()) {
        besides.put(
            new AlertKey(AlertKind.LIMITS_LAPSED, target.target().name()),
            String.valueOf(target.trouble()));
      }
    }
    ControllerChoice controller = gateway.configuration().controller();
    if (controller != null && controller.decides() && !gateway.control().obeys()) {
      besides.put(
          new AlertKey(AlertKind.CONTROLLER_LOST, ""),
          "no controller decides; the gateway's own policy does");
    }
    return besides;
  }

  private static Map<String, String> troubles(ServiceTotals seen) {
    Map<String, String> now = new HashMap<>();
    for (ServiceTotals.TargetTotals target : seen.targets()) {
      if (target.trouble() != null) {
        now.put(target.target().name(), target.trouble());
      }
    }
    return now;
  }

  private void recordReason(String job) {
    List<JobExplanation> explanations = gateway.explain(JobId.of(job));
    for (JobExplanation explanation : explanations) {
      if (explanation.reason() != null) {
        record(
            Event.Kind.HELD_BACK,
            "",
            job,
            explanation.reason().words() + " (" + explanation.state() + ")");
      }
    }
  }

  private void followFile() {
    try {
      alerts.follow(HistorySettings.read(file).alerts());
      alertsProblem = null;
    } catch (DocumentException e) {
      alertsProblem = "alerts stay as they are: " + e.getMessage();
      LOG.log(System.Logger.Level.WARNING, alertsProblem);
    }
  }

  @Override
  public void close() {
    gateway.journal(_ -> {});
    gateway.alsoTell(List::of);
    gateway.alsoFind(List::of);
    looking.close();
    alerts.close();
    try {
      store.close();
    } catch (IOException e) {
      LOG.log(System.Logger.Level.WARNING, "history was not closed cleanly", e);
    }
  }
}
