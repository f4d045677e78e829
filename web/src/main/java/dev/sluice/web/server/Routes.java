package dev.sluice.web.server;

import dev.sluice.access.Role;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which handler answers what. A pattern such as {@code /api/v1/jobs/{id}/explain} names the parts
 * of a path that may be anything. Filled before a server starts, and only read from then on.
 */
public final class Routes {
  private final List<Route> routes = new ArrayList<>();

  /**
   * Who answers a kind of request.
   *
   * @param role what whoever asks must be; null when anybody may, even without a token
   */
  record Route(HttpMethod method, List<String> segments, @Nullable Role role, WebHandler handler) {}

  /** What was found for a request. */
  sealed interface Match {
    record Found(Route route, Map<String, String> parameters) implements Match {}

    /** There is such a path, for other methods. */
    record OtherMethod(Set<HttpMethod> allowed) implements Match {}

    record Nothing() implements Match {}
  }

  /** Has a handler answer what comes with at least this role. */
  public Routes add(HttpMethod method, String pattern, Role role, WebHandler handler) {
    return put(method, pattern, role, handler);
  }

  /** Has a handler answer anybody: for pages without secrets, which ask for a token themselves. */
  public Routes addForAnybody(HttpMethod method, String pattern, WebHandler handler) {
    return put(method, pattern, null, handler);
  }

  private Routes put(HttpMethod method, String pattern, @Nullable Role role, WebHandler handler) {
    List<String> segments = segments(pattern);
    for (Route route : routes) {
      if (route.method == method && overlap(route.segments, segments)) {
        throw new IllegalArgumentException(
            method + " " + pattern + ": there is a route for this already");
      }
    }
    routes.add(new Route(method, segments, role, handler));
    return this;
  }

  /** What there is, each as {@code GET /api/v1/jobs/{id}}, in the order in which it was added. */
  public List<String> listed() {
    return routes.stream()
        .map(route -> route.method + " /" + String.join("/", route.segments))
        .toList();
  }

  private static List<String> segments(String path) {
    if (!path.startsWith("/")) {
      throw new IllegalArgumentException(path + ": expected a path that begins with a slash");
    }
    return List.copyOf(Arrays.asList(path.substring(1).split("/", -1)));
  }

  private static boolean isName(String segment) {
    return segment.startsWith("{") && segment.endsWith("}");
  }

  private static boolean overlap(List<String> left, List<String> right) {
    if (left.size() != right.size()) {
      return false;
    }
    for (int i = 0; i < left.size(); i++) {
      if (!isName(left.get(i)) && !isName(right.get(i)) && !left.get(i).equals(right.get(i))) {
        return false;
      }
    }
    return true;
  }

  /**
   * Who answers a request.
   *
   * @param rawPath as it came; its parts are decoded one by one, so that a slash in a job's name is
   *     no end of it
   */
  Match match(HttpMethod method, String rawPath) {
    if (!rawPath.startsWith("/")) {
      return new Match.Nothing();
    }
    List<String> asked;
    try {
      asked = segments(rawPath).stream().map(Routes::decoded).toList();
    } catch (IllegalArgumentException e) {
      return new Match.Nothing();
    }
    Set<HttpMethod> others = EnumSet.noneOf(HttpMethod.class);
    for (Route route : routes) {
      Map<String, String> parameters = parameters(route.segments, asked);
      if (parameters != null) {
        if (route.method == method) {
          return new Match.Found(route, parameters);
        }
        others.add(route.method);
      }
    }
    return others.isEmpty() ? new Match.Nothing() : new Match.OtherMethod(others);
  }

  /** A plus stands for itself in a path. */
  private static String decoded(String segment) {
    return URLDecoder.decode(segment.replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  private static @Nullable Map<String, String> parameters(List<String> pattern, List<String> path) {
    if (pattern.size() != path.size()) {
      return null;
    }
    Map<String, String> parameters = new HashMap<>();
    for (int i = 0; i < pattern.size(); i++) {
      String segment = pattern.get(i);
      if (isName(segment)) {
        if (path.get(i).isEmpty()) {
          return null;
        }
        parameters.put(segment.substring(1, segment.length() - 1), path.get(i));
      } else if (!segment.equals(path.get(i))) {
        return null;
      }
    }
    return parameters;
  }
}
