package dev.sluice.web;

import dev.sluice.access.Access;
import dev.sluice.access.Refusals;
import dev.sluice.access.Role;
import dev.sluice.command.JsonLine;
import dev.sluice.command.RequestHandler;
import dev.sluice.command.metrics.MetricsText;
import dev.sluice.core.policy.PolicyInfo;
import dev.sluice.web.api.AuditedCommands;
import dev.sluice.web.api.Changing;
import dev.sluice.web.api.CommandRoutes;
import dev.sluice.web.api.OpenApi;
import dev.sluice.web.api.StatusRoutes;
import dev.sluice.web.dashboard.DashboardPage;
import dev.sluice.web.live.LiveFeed;
import dev.sluice.web.live.StatusMetrics;
import dev.sluice.web.server.HttpEndpoint;
import dev.sluice.web.server.HttpMethod;
import dev.sluice.web.server.HttpSettings;
import dev.sluice.web.server.Routes;
import dev.sluice.web.server.WebAnswer;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * The dashboard and the commands of a program that runs, over HTTP: all parts, put together. What
 * else a program wants to answer it adds as further routes.
 */
public final class SluiceWeb implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(SluiceWeb.class.getName());

  private final LiveFeed live;
  private final AutoCloseable looking;
  private final HttpEndpoint endpoint;
  private final List<String> listed;

  /**
   * What is answered over HTTP.
   *
   * @param changes through which the commands go that change something
   * @param policies those that may be chosen
   * @param further adds routes of the program's own
   * @param metrics adds metrics of the program's own
   * @param changing how what holds is changed
   * @param refusals all that the program refuses; what is refused over HTTP is added
   */
  public record Program(
      RequestHandler commands,
      AuditedCommands changes,
      List<PolicyInfo> policies,
      Consumer<Routes> further,
      Consumer<MetricsText> metrics,
      Changing changing,
      Refusals refusals) {
    public Program {
      policies = List.copyOf(policies);
    }

    /** A program that is changed by commands. */
    public Program(
        RequestHandler commands,
        AuditedCommands changes,
        List<PolicyInfo> policies,
        Consumer<Routes> further,
        Consumer<MetricsText> metrics) {
      this(commands, changes, policies, further, metrics, Changing.by(changes), new Refusals());
    }

    /** A program that is changed by commands and has no metrics of its own. */
    public Program(
        RequestHandler commands,
        AuditedCommands changes,
        List<PolicyInfo> policies,
        Consumer<Routes> further) {
      this(commands, changes, policies, further, _ -> {});
    }
  }

  private SluiceWeb(WebSettings settings, Access access, Program program) throws IOException {
    live = new LiveFeed(program.commands, program.changing.last());
    Routes routes = new Routes();
    DashboardPage.addTo(routes);
    new CommandRoutes(program.commands, program.changes, program.changing.means()).addTo(routes);
    String policies = policies(program.policies);
    routes.add(HttpMethod.GET, "/api/v1/policies", Role.READ, _ -> WebAnswer.json(policies));
    routes.add(HttpMethod.GET, "/api/v1/recent", Role.READ, _ -> WebAnswer.json(live.recent()));
    routes.add(
        HttpMethod.GET, "/api/v1/events", Role.READ, _ -> new WebAnswer.Events(live.events()));
    new StatusRoutes(program.commands).addTo(routes);
    new StatusMetrics(
            program.commands, program.metrics.andThen(text -> add(program.refusals, text)))
        .addTo(routes);
    routes.add(
        HttpMethod.GET,
        "/api/v1/openapi.yaml",
        Role.READ,
        _ -> WebAnswer.text(200, "application/yaml; charset=utf-8", OpenApi.text()));
    program.further.accept(routes);
    listed = routes.listed();
    endpoint = listening(settings, access, program.refusals, routes);
    looking = live.run(InstantSource.system());
  }

  /** Listens from now on. */
  public static SluiceWeb start(WebSettings settings, Access access, Program program)
      throws IOException {
    return new SluiceWeb(settings, access, program);
  }

  private static void add(Refusals refusals, MetricsText text) {
    text.family(
        "refusals_total",
        MetricsText.MetricKind.COUNTER,
        "What was refused since the start, by kind.");
    refusals
        .counts()
        .forEach((kind, count) -> text.sample(count.doubleValue(), "kind", kind.text()));
  }

  private static HttpEndpoint listening(
      WebSettings settings, Access access, Refusals refusals, Routes routes) throws IOException {
    SSLContext tls = settings.tls() == null ? null : settings.tls().context();
    InetSocketAddress wanted = settings.listen();
    try {
      return endpoint(wanted, settings, tls, access, refusals, routes);
    } catch (BindException e) {
      if (settings.insists()) {
        throw new IOException(
            "dashboard: " + wanted + " cannot be listened on: " + e.getMessage(), e);
      }
      LOG.log(Level.INFO, "port " + wanted.getPort() + " is taken; the dashboard takes another");
      InetSocketAddress other = new InetSocketAddress(wanted.getAddress(), 0);
      return endpoint(other, settings, tls, access, refusals, routes);
    }
  }

  private static HttpEndpoint endpoint(
      InetSocketAddress listen,
      WebSettings settings,
      @Nullable SSLContext tls,
      Access access,
      Refusals refusals,
      Routes routes)
      throws IOException {
    return new HttpEndpoint(
        new HttpSettings(listen, settings.names(), tls, HttpSettings.WRITE_PATIENCE),
        access,
        refusals,
        routes);
  }

  private static String policies(List<PolicyInfo> policies) {
    return JsonLine.object(json -> {
      json.writeArrayPropertyStart("policies");
      for (PolicyInfo policy : policies) {
        json.writeStartObject();
        json.writeStringProperty("name", policy.name());
        json.writeStringProperty("summary", policy.summary());
        json.writeArrayPropertyStart("parameters");
        for (PolicyInfo.Parameter parameter : policy.parameters()) {
          json.writeStartObject();
          json.writeStringProperty("name", parameter.name());
          json.writeStringProperty("default", parameter.defaultValue());
          json.writeStringProperty("meaning", parameter.meaning());
          json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
      }
      json.writeEndArray();
    });
  }

  /** What can be asked for, each as {@code GET /api/v1/status}. */
  public List<String> routes() {
    return listed;
  }

  /** Where a browser finds it. */
  public String url() {
    return endpoint.url();
  }

  /** The same with a token behind the hash sign, which browsers keep to themselves. */
  public String urlWithToken(String token) {
    return endpoint.url() + "#token=" + token;
  }

  @Override
  public void close() {
    try {
      looking.close();
    } catch (Exception e) {
      LOG.log(Level.WARNING, "the live feed did not end", e);
    }
    live.close();
    endpoint.close();
  }
}
