package dev.sluice.history.alert;

import dev.sluice.history.model.Event;
import dev.sluice.history.model.HistorySink;
import dev.sluice.history.model.Sample;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Looks at every sample, and tells of alerts wherever they are wanted: in the log, in the history,
 * on a webhook and as counts for metrics. Safe for use by many threads.
 */
public final class AlertDesk implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(AlertDesk.class.getName());

  private final HistorySink history;
  private final String source;
  private final AlertConditions conditions = new AlertConditions();
  private final AlertStates states;
  private final Map<AlertKind, Long> fired = new TreeMap<>();
  private AlertRules rules;
  private @Nullable Webhook webhook;

  /** How webhooks that are gone have fared, so that counts never go back. */
  private long sentBefore;

  private long failedBefore;

  /**
   * What is for metrics.
   *
   * @param firing alerts that fire now, by kind
   * @param fired alerts that have fired so far, by kind
   */
  public record Counts(
      Map<AlertKind, Integer> firing,
      Map<AlertKind, Long> fired,
      long webhookSent,
      long webhookFailed) {}

  /**
   * @param source what receivers are told of who tells them
   */
  public AlertDesk(AlertRules rules, HistorySink history, String source) {
    this.history = history;
    this.source = source;
    this.states = new AlertStates(rules);
    this.rules = rules;
    this.webhook = webhook(rules);
  }

  private @Nullable Webhook webhook(AlertRules of) {
    return of.webhook() == null ? null : new Webhook(new Webhook.Settings(of.webhook(), source));
  }

  /** Follows other rules from now on. */
  public synchronized void follow(AlertRules changed) {
    if (changed.equals(rules)) {
      return;
    }
    states.follow(changed);
    boolean sameWebhook = Objects.equals(changed.webhook(), rules.webhook());
    rules = changed;
    if (!sameWebhook) {
      close();
      webhook = webhook(changed);
    }
  }

  /**
   * Looks at a sample.
   *
   * @param besides what a sample does not tell: a controller that is lost, limits that lapsed
   */
  public synchronized List<Notice> look(
      Sample sample, Map<AlertKey, String> besides, long nowNanos) {
    Map<AlertKey, String> seen = conditions.of(sample, rules.after(AlertKind.JOB_WAITING));
    seen.putAll(besides);
    List<Notice> notices = states.look(seen, nowNanos);
    notices.forEach(notice -> tell(notice, sample.endMillis()));
    return notices;
  }

  private void tell(Notice notice, long atMillis) {
    AlertKind kind = notice.key().kind();
    String words = kind.text() + (notice.fires() ? ": " : " is over: ") + notice.words();
    LOG.log(notice.fires() ? System.Logger.Level.WARNING : System.Logger.Level.INFO, words);
    history.record(new Event(atMillis, Event.Kind.ALERT, "", notice.key().subject(), words));
    if (notice.fires()) {
      fired.merge(kind, 1L, Long::sum);
    }
    if (webhook != null) {
      webhook.send(notice, atMillis);
    }
  }

  public synchronized Counts counts() {
    return new Counts(
        states.firing(),
        Map.copyOf(fired),
        sentBefore + (webhook == null ? 0 : webhook.sent()),
        failedBefore + (webhook == null ? 0 : webhook.failed()));
  }

  @Override
  public synchronized void close() {
    Webhook closing = webhook;
    if (closing != null) {
      webhook = null;
      sentBefore += closing.sent();
      failedBefore += closing.failed();
      closing.close();
    }
  }
}
