package dev.sluice.web.server;

import dev.sluice.access.Caller;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What somebody asks.
 *
 * @param parameters the values of the names in the route's pattern
 * @param query what stands behind the question mark; of a name that comes twice, the last
 * @param body the text that came with it; empty when none did
 */
public record WebRequest(
    HttpMethod method,
    String path,
    Map<String, String> parameters,
    Map<String, String> query,
    String body,
    Caller caller) {
  public WebRequest {
    parameters = Map.copyOf(parameters);
    query = Map.copyOf(query);
  }

  /** The value of a name in the route's pattern; it must be there. */
  public String parameter(String name) {
    String value = parameters.get(name);
    if (value == null) {
      throw new IllegalArgumentException("the route has no {" + name + "}");
    }
    return value;
  }

  /** A whole number in the query, within bounds. */
  public long whole(String name, long defaultValue, long min, long max) {
    String text = query.get(name);
    if (text == null) {
      return defaultValue;
    }
    long value = parsed(text);
    if (value < min || value > max) {
      throw new RefusedException(
          400, name + "=" + text + ": expected a whole number from " + min + " to " + max);
    }
    return value;
  }

  private static long parsed(String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      return Long.MIN_VALUE;
    }
  }

  /** A value in the query; null when it is not there. */
  public @Nullable String queried(String name) {
    return query.get(name);
  }
}
