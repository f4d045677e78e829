package dev.sluice.web.server;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import dev.sluice.access.Access;
import dev.sluice.access.Caller;
import dev.sluice.access.Refusals;
import dev.sluice.access.Role;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Takes a request apart, checks who may ask it, and sends the answer. */
final class Exchanges {
  /** As much as a command over a local socket may take. */
  static final int BODY_BYTES_MAX = 64 << 10;

  private static final System.Logger LOG = System.getLogger(Exchanges.class.getName());
  private static final String BEARER = "bearer ";
  private static final int QUERY_LENGTH_MAX = 4_096;

  /** So often something is sent on a quiet stream, for whatever is in between to keep it open. */
  private static final long HEARTBEAT_NANOS = 15_000_000_000L;

  /** So often it is looked, at the least, whether who follows events still may. */
  private static final long LOOK_NANOS = 1_000_000_000L;

  private static final byte[] HEARTBEAT = ":\n\n".getBytes(StandardCharsets.UTF_8);

  /**
   * Nothing but what this server sends is loaded, run, framed or sent to.
   *
   * <p>The picture in the page's head is the only one that is written as data.
   */
  private static final Map<String, String> SECURITY_HEADERS =
      Map.of(
          "Content-Security-Policy",
          "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
              + " connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none';"
              + " frame-ancestors 'none'",
          "X-Content-Type-Options",
          "nosniff",
          "X-Frame-Options",
          "DENY",
          "Referrer-Policy",
          "no-referrer",
          "Cross-Origin-Opener-Policy",
          "same-origin",
          "Cross-Origin-Resource-Policy",
          "same-origin",
          "Permissions-Policy",
          "camera=(), geolocation=(), microphone=()");

  private final Routes routes;
  private final Access access;
  private final HostNames names;
  private final WriteDeadlines deadlines;
  private final String scheme;
  private final Refusals refusals;

  Exchanges(
      Routes routes,
      Access access,
      Refusals refusals,
      HostNames names,
      WriteDeadlines deadlines,
      boolean overTls) {
    this.routes = routes;
    this.access = access;
    this.refusals = refusals;
    this.names = names;
    this.deadlines = deadlines;
    this.scheme = overTls ? "https://" : "http://";
  }

  /** Checks whether somebody may ask for something, and refuses it with words where he may not. */
  @FunctionalInterface
  private interface Check {
    void look();
  }

  /** An answer, and whether it may still be given, which is a matter for as long as it takes. */
  private record Allowed(WebAnswer answer, Check check) {}

  void answer(HttpExchange exchange) throws IOException, InterruptedException {
    WebAnswer answer;
    Check check = () -> {};
    try {
      Allowed allowed = answered(exchange);
      answer = allowed.answer;
      check = allowed.check;
    } catch (RefusedException e) {
      answer = WebAnswer.error(e.status(), String.valueOf(e.getMessage()));
    } catch (RuntimeException e) {
      LOG.log(Level.ERROR, "a request over HTTP failed", e);
      answer = WebAnswer.error(500, "this is a defect in Sluice: " + e);
    }
    switch (answer) {
      case WebAnswer.Whole whole -> send(exchange, whole);
      case WebAnswer.Events events -> stream(exchange, events.feed(), check);
    }
  }

  private Allowed answered(HttpExchange exchange) throws IOException {
    Headers headers = exchange.getRequestHeaders();
    checkOrigin(exchange, headers);
    HttpMethod method = method(exchange);
    String path = String.valueOf(exchange.getRequestURI().getRawPath());
    return switch (routes.match(method, path)) {
      case Routes.Match.Found found -> {
        Role needed = found.route().role();
        Caller caller = caller(exchange, needed);
        Map<String, String> query = query(exchange.getRequestURI().getRawQuery());
        String body = method == HttpMethod.GET ? "" : body(exchange);
        yield new Allowed(
            found
                .route()
                .handler()
                .answer(new WebRequest(method, path, found.parameters(), query, body, caller)),
            () -> caller(exchange, needed));
      }
      case Routes.Match.OtherMethod other -> {
        String allowed =
            other.allowed().stream().map(Enum::name).sorted().collect(Collectors.joining(", "));
        exchange.getResponseHeaders().set("Allow", allowed);
        throw new RefusedException(405, "expected " + allowed);
      }
      case Routes.Match.Nothing _ -> throw new RefusedException(404, "there is nothing here");
    };
  }

  /** A page from elsewhere may neither ask under its own name nor send anything here. */
  private void checkOrigin(HttpExchange exchange, Headers headers) {
    String host = headers.getFirst("Host");
    if (!names.isOurs(host)) {
      throw refused(
          exchange,
          421,
          "the host \"" + host + "\" is not this server's name; see dashboard names in the docs");
    }
    String origin = headers.getFirst("Origin");
    if (origin != null && !origin.equalsIgnoreCase(scheme + host)) {
      throw refused(exchange, 403, "a page of " + origin + " may not ask here");
    }
    String site = headers.getFirst("Sec-Fetch-Site");
    boolean ofElsewhere = site != null && !site.equals("same-origin") && !site.equals("none");
    String mode = headers.getFirst("Sec-Fetch-Mode");
    // Following a link to the page is what links are for.
    if (ofElsewhere && !"navigate".equals(mode)) {
      throw refused(exchange, 403, "a page from elsewhere may not ask here");
    }
  }

  private RefusedException refused(HttpExchange exchange, int status, String why) {
    refusals.refused(
        Refusals.Kind.HTTP,
        exchange.getRemoteAddress().getAddress().getHostAddress(),
        exchange.getRequestMethod() + " " + exchange.getRequestURI().getRawPath(),
        why,
        System.nanoTime());
    return new RefusedException(status, why);
  }

  private static HttpMethod method(HttpExchange exchange) {
    return switch (exchange.getRequestMethod()) {
      case "GET", "HEAD" -> HttpMethod.GET;
      case "POST" -> HttpMethod.POST;
      case "PUT" -> HttpMethod.PUT;
      case "DELETE" -> HttpMethod.DELETE;
      default -> throw new RefusedException(501, "expected GET, HEAD, POST, PUT or DELETE");
    };
  }

  private Caller caller(HttpExchange exchange, @Nullable Role needed) {
    String authorization = exchange.getRequestHeaders().getFirst("Authorization");
    String token = null;
    if (authorization != null && authorization.toLowerCase(Locale.ROOT).startsWith(BEARER)) {
      token = authorization.substring(BEARER.length()).strip();
    }
    InetAddress client = exchange.getRemoteAddress().getAddress();
    Optional<Caller> caller = access.caller(token, client.isLoopbackAddress());
    if (needed == null) {
      return caller.orElse(Caller.ANYBODY);
    }
    if (caller.isEmpty()) {
      exchange.getResponseHeaders().set("WWW-Authenticate", "Bearer realm=\"sluice\"");
      throw refused(exchange, 401, unknown(token));
    }
    if (!caller.get().role().includes(needed)) {
      String role = needed.name().toLowerCase(Locale.ROOT);
      throw refused(
          exchange,
          403,
          caller.get().who() + " may look and not change this: it needs a token for " + role);
    }
    return caller.get();
  }

  private String unknown(@Nullable String token) {
    String why = token == null ? "a token is needed here" : access.refusal(token);
    return why == null ? "nobody has this token" : why;
  }

  private static Map<String, String> query(@Nullable String raw) {
    Map<String, String> query = new HashMap<>();
    if (raw == null || raw.isEmpty()) {
      return query;
    }
    if (raw.length() > QUERY_LENGTH_MAX) {
      throw new RefusedException(414, "expected a query of at most " + QUERY_LENGTH_MAX + " bytes");
    }
    for (String part : raw.split("&", -1)) {
      int equals = part.indexOf('=');
      String name = equals < 0 ? part : part.substring(0, equals);
      String value = equals < 0 ? "" : part.substring(equals + 1);
      try {
        query.put(
            URLDecoder.decode(name, StandardCharsets.UTF_8),
            URLDecoder.decode(value, StandardCharsets.UTF_8));
      } catch (IllegalArgumentException e) {
        throw new RefusedException(400, part + ": expected name=value, percent-encoded");
      }
    }
    return query;
  }

  /**
   * The text that came with a request. It must say that it is JSON: what a form of another page can
   * send does not.
   */
  private static String body(HttpExchange exchange) throws IOException {
    byte[] bytes = exchange.getRequestBody().readNBytes(BODY_BYTES_MAX + 1);
    if (bytes.length > BODY_BYTES_MAX) {
      throw new RefusedException(413, "expected at most " + BODY_BYTES_MAX + " bytes");
    }
    String type = exchange.getRequestHeaders().getFirst("Content-Type");
    if (bytes.length > 0
        && (type == null || !type.toLowerCase(Locale.ROOT).startsWith("application/json"))) {
      throw new RefusedException(415, "expected Content-Type: application/json");
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new RefusedException(400, "expected text in UTF-8");
    }
  }

  private void send(HttpExchange exchange, WebAnswer.Whole answer) throws IOException {
    Content content = answer.content();
    Headers headers = exchange.getResponseHeaders();
    SECURITY_HEADERS.forEach(headers::set);
    headers.set("Content-Type", content.type());
    headers.set("Vary", "Accept-Encoding");
    // Kept, but asked about each time: a page and a server of different versions never meet.
    headers.set("Cache-Control", content.etag() == null ? "no-store" : "no-cache");
    answer.headers().forEach(headers::set);
    byte[] bytes = content.plainBytes();
    byte[] compressed = content.compressedBytes();
    if (compressed != null && takesGzip(exchange)) {
      headers.set("Content-Encoding", "gzip");
      bytes = compressed;
    }
    byte[] sent = bytes;
    boolean known = false;
    if (content.etag() != null) {
      headers.set("ETag", content.etag());
      known = content.etag().equals(exchange.getRequestHeaders().getFirst("If-None-Match"));
    }
    boolean bodiless = known || exchange.getRequestMethod().equals("HEAD");
    int status = known ? 304 : answer.status();
    deadlines.within(() -> {
      exchange.sendResponseHeaders(status, bodiless || sent.length == 0 ? -1 : sent.length);
      if (!bodiless) {
        exchange.getResponseBody().write(sent);
      }
      exchange.getResponseBody().close();
    });
  }

  private static boolean takesGzip(HttpExchange exchange) {
    String accepted = exchange.getRequestHeaders().getFirst("Accept-Encoding");
    return accepted != null && accepted.toLowerCase(Locale.ROOT).contains("gzip");
  }

  /** Sends events until there are no more, or until who follows may do so no longer. */
  private void stream(HttpExchange exchange, EventFeed feed, Check check)
      throws IOException, InterruptedException {
    Optional<EventFeed.Viewer> follows = feed.follow(exchange.getRemoteAddress().getAddress());
    if (follows.isEmpty()) {
      exchange.getResponseHeaders().set("Retry-After", "10");
      refused(exchange, 503, "as many follow already as may");
      send(exchange, tooMany());
      return;
    }
    try (EventFeed.Viewer viewer = follows.get()) {
      Headers headers = exchange.getResponseHeaders();
      SECURITY_HEADERS.forEach(headers::set);
      headers.set("Content-Type", "text/event-stream; charset=utf-8");
      headers.set("Cache-Control", "no-store");
      // For a proxy in between that would wait for more before it passes any of it on.
      headers.set("X-Accel-Buffering", "no");
      deadlines.within(() -> exchange.sendResponseHeaders(200, 0));
      OutputStream out = exchange.getResponseBody();
      long quietNanos = 0;
      while (true) {
        EventFeed.Next next = viewer.next(LOOK_NANOS);
        check.look();
        switch (next) {
          case EventFeed.Next.Event event -> {
            quietNanos = 0;
            deadlines.within(() -> {
              event.text().writeTo(out);
              out.flush();
            });
          }
          case EventFeed.Next.Quiet _ -> {
            quietNanos += LOOK_NANOS;
            if (quietNanos >= HEARTBEAT_NANOS) {
              quietNanos = 0;
              deadlines.within(() -> {
                out.write(HEARTBEAT);
                out.flush();
              });
            }
          }
          case EventFeed.Next.End _ -> {
            return;
          }
        }
      }
    } catch (RefusedException e) {
      // It is noted down; who asks again is told.
    }
  }

  private static WebAnswer.Whole tooMany() {
    WebAnswer answer = WebAnswer.error(503, "as many follow already as may; try again soon");
    return (WebAnswer.Whole) answer;
  }
}
