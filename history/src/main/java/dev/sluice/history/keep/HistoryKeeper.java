package dev.sluice.history.keep;

import dev.sluice.command.metrics.MetricsText;
import dev.sluice.command.metrics.MetricsText.MetricKind;
import dev.sluice.core.model.Quantities;
import dev.sluice.document.DocumentException;
import dev.sluice.document.FileWatch;
import dev.sluice.history.alert.AlertDesk;
import dev.sluice.history.alert.AlertKind;
import dev.sluice.history.alert.AlertRules;
import dev.sluice.history.model.Event;
import dev.sluice.history.model.Sample;
import dev.sluice.history.sample.EverySecond;
import dev.sluice.history.sample.HeldBackJobs;
import dev.sluice.history.sample.Sampler;
import dev.sluice.history.sample.Totals;
import dev.sluice.history.sample.Troubles;
import dev.sluice.history.store.HistoryFiles;
import dev.sluice.history.store.HistoryStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the history of a program that runs, and its alerts: looks once a second, on a thread of its
 * own, and never holds the program up.
 */
public final class HistoryKeeper implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(HistoryKeeper.class.getName());

  /** How many looks pass between two at what is seldom news. */
  private static final int SELDOM = 10;

  /** Looks come every second; a disk that is stuck keeps the next from coming. */
  private static final long SILENT_NANOS = 30_000_000_000L;

  private final Watched watched;
  private final Path directory;
  private final FileWatch watch;
  private final Supplier<AlertRules> rules;
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

  /**
   * Begins to keep history.
   *
   * @param alerts what to tell of
   * @param file the program's configuration, followed for what it says about alerts
   * @param rules reads that
   * @param source what receivers of alerts are told of who tells them
   * @param started what is noted down first
   */
  public HistoryKeeper(
      Watched watched,
      Path directory,
      long bytesMax,
      AlertRules alerts,
      Path file,
      Supplier<AlertRules> rules,
      String source,
      String started)
      throws IOException {
    this.watched = watched;
    this.directory = directory;
    this.watch = new FileWatch(file);
    this.rules = rules;
    this.store = HistoryStore.open(directory, bytesMax, System.currentTimeMillis());
    this.alerts = new AlertDesk(alerts, store, source);
    record(Event.Kind.STARTED, "", "", started);
    this.looking = new EverySecond(this::look);
  }

  /** Where it is kept. */
  public Path directory() {
    return directory;
  }

  /** What was kept so far. */
  public HistoryFiles files() {
    return new HistoryFiles(directory);
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

  /** Notes down what somebody changed. */
  public void changed(String who, String what) {
    record(Event.Kind.CHANGE, who, "", what);
  }

  private void record(Event.Kind kind, String who, String subject, String words) {
    store.record(new Event(System.currentTimeMillis(), kind, who, subject, words));
  }

  /** Why what the configuration says about alerts does not hold; null where it does. */
  public @Nullable String alertsProblem() {
    return alertsProblem;
  }

  /** Why what happens is not kept, in words; null where it is. */
  public @Nullable String notWritten() {
    long silentNanos = System.nanoTime() - lookedNanos;
    if (silentNanos > SILENT_NANOS) {
      // The store may be what is stuck: it is not asked.
      return "history has not been written for " + Quantities.formatDuration(silentNanos);
    }
    String problem = store.problem();
    return problem == null ? null : "history cannot be written: " + problem;
  }

  private void look() {
    lookOnce();
    lookedNanos = System.nanoTime();
  }

  private void lookOnce() {
    long nowMillis = System.currentTimeMillis();
    Totals seen = watched.totals(nowMillis);
    Sample sample = sampler.look(seen);
    if (sample != null) {
      store.record(sample);
      alerts.look(sample, watched.besides(), seen.nowNanos());
      heldBack.look(sample).forEach(this::recordReasons);
    }
    troubles.look(watched.troubles(), nowMillis).forEach(store::record);
    if (looks++ % SELDOM == 0) {
      Map<String, String> now = new HashMap<>();
      watched.problems().forEach(problem -> now.put(problem, problem));
      problems.look(now, nowMillis).forEach(store::record);
    }
    if (watch.changed()) {
      followFile();
    }
  }

  private void recordReasons(String job) {
    watched.reasons(job).forEach(words -> record(Event.Kind.HELD_BACK, "", job, words));
  }

  private void followFile() {
    try {
      alerts.follow(rules.get());
      alertsProblem = null;
    } catch (DocumentException e) {
      alertsProblem = "alerts stay as they are: " + e.getMessage();
      LOG.log(System.Logger.Level.WARNING, alertsProblem);
    }
  }

  @Override
  public void close() {
    looking.close();
    alerts.close();
    try {
      store.close();
    } catch (IOException e) {
      LOG.log(System.Logger.Level.WARNING, "history was not closed cleanly", e);
    }
  }
}
