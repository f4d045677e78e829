package dev.sluice.gateway;

import dev.sluice.command.metrics.MetricsText;
import dev.sluice.web.server.Routes;
import java.util.function.Consumer;

/**
 * What a program adds to the web server of its gateway.
 *
 * @param routes adds routes, before the server starts
 * @param metrics adds metrics, whenever somebody asks for them
 */
public record WebAdditions(Consumer<Routes> routes, Consumer<MetricsText> metrics) {
  /** Nothing. */
  public static final WebAdditions NONE = new WebAdditions(_ -> {}, _ -> {});

  /** The same, and more metrics before them. */
  WebAdditions withMetrics(Consumer<MetricsText> more) {
    return new WebAdditions(routes, more.andThen(metrics));
  }
}
