package dev.sluice.history.alert;

import dev.sluice.document.DocumentMap;
import dev.sluice.document.DocumentNode;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What somebody wants to be told of; docs/alerts.md describes it. Immutable.
 *
 * @param afterMillis for each kind that is wanted, how long it may last without anybody being told
 * @param resolveMillis how long all must be well before an alert is over
 * @param webhook where alerts are sent; null where they are only logged
 */
public record AlertRules(
    Map<AlertKind, Long> afterMillis, long resolveMillis, @Nullable URI webhook) {
  /** Nobody wants to be told of anything. */
  public static final AlertRules NONE =
      new AlertRules(Map.of(), TimeUnit.MINUTES.toMillis(1), null);

  private static final long NANOS_MAX = TimeUnit.DAYS.toNanos(7);

  public AlertRules {
    afterMillis = Map.copyOf(afterMillis);
  }

  /** Reads the key {@code alerts} of a configuration. */
  public static AlertRules read(@Nullable DocumentNode node) {
    if (node == null) {
      return NONE;
    }
    DocumentMap map =
        node.map(
            "saturated", "waiting", "controller-lost", "limits-lapsed", "resolve-after", "webhook");
    Map<AlertKind, Long> after = new EnumMap<>(AlertKind.class);
    put(after, AlertKind.TARGET_SATURATED, map.optional("saturated"));
    put(after, AlertKind.JOB_WAITING, map.optional("waiting"));
    put(after, AlertKind.CONTROLLER_LOST, map.optional("controller-lost"));
    put(after, AlertKind.LIMITS_LAPSED, map.optional("limits-lapsed"));
    if (after.isEmpty()) {
      throw node.error(
          "expected one of saturated, waiting, controller-lost, limits-lapsed, each with a duration"
              + " such as 5 min");
    }
    DocumentNode resolve = map.optional("resolve-after");
    DocumentNode webhook = map.optional("webhook");
    return new AlertRules(
        after,
        resolve == null
            ? NONE.resolveMillis
            : TimeUnit.NANOSECONDS.toMillis(resolve.durationNanos(0, NANOS_MAX)),
        webhook == null ? null : webhook.parsed(AlertRules::address));
  }

  private static void put(
      Map<AlertKind, Long> after, AlertKind kind, @Nullable DocumentNode duration) {
    if (duration != null) {
      after.put(kind, TimeUnit.NANOSECONDS.toMillis(duration.durationNanos(0, NANOS_MAX)));
    }
  }

  private static URI address(String text) {
    try {
      URI address = new URI(text);
      String scheme = address.getScheme();
      boolean web = "http".equals(scheme) || "https".equals(scheme);
      if (web && address.getHost() != null) {
        return address;
      }
    } catch (URISyntaxException e) {
      // Answered below.
    }
    throw new IllegalArgumentException("expected an address such as http://127.0.0.1:9093/alerts");
  }

  /**
   * How long this must be seen before an alert fires: a wait has lasted already when it is seen.
   */
  long seenMillis(AlertKind kind) {
    Long after = after(kind);
    return after == null || kind == AlertKind.JOB_WAITING ? 0 : after;
  }

  /** How long this may last; null where nobody wants to be told of it. */
  @Nullable Long after(AlertKind kind) {
    return afterMillis.get(kind);
  }
}
