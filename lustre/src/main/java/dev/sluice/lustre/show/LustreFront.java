package dev.sluice.lustre.show;

import dev.sluice.access.AccessTokens;
import dev.sluice.access.Caller;
import dev.sluice.access.Refusals;
import dev.sluice.access.Role;
import dev.sluice.command.CommandServer;
import dev.sluice.command.LinkStatus;
import dev.sluice.command.metrics.MetricsText;
import dev.sluice.core.policy.PolicyFactory;
import dev.sluice.core.policy.registry.PolicyRegistry;
import dev.sluice.lustre.config.LustreConfiguration;
import dev.sluice.lustre.control.LustreAgent;
import dev.sluice.lustre.control.PeriodReport;
import dev.sluice.web.OwnerToken;
import dev.sluice.web.SluiceWeb;
import dev.sluice.web.WebSettings;
import dev.sluice.web.api.AuditedCommands;
import dev.sluice.web.api.Changing;
import dev.sluice.web.api.HealthRoute;
import dev.sluice.web.server.Routes;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A Lustre service that is looked after, as others see it: a local socket, and a dashboard unless
 * the configuration says otherwise. Nothing that is asked here holds up a decision.
 */
public final class LustreFront implements AutoCloseable {
  private final ServiceBook book;
  private final CommandServer socket;
  private final @Nullable SluiceWeb web;

  /** Set when there is a controller. */
  private volatile @Nullable Supplier<LinkStatus> controller;

  private volatile @Nullable String url;

  private LustreFront(
      LustreConfiguration configuration,
      LustreAgent agent,
      Consumer<Routes> routes,
      Consumer<MetricsText> metrics)
      throws IOException {
    this.book = new ServiceBook(configuration, System.nanoTime());
    LustreCommands commands =
        new LustreCommands(
            configuration,
            book,
            new LustreCommands.Surroundings(
                agent::jobsWords, () -> url, this::controller, agent::stop),
            System::nanoTime);
    this.socket = new CommandServer(configuration.controlSocket(), commands);
    WebSettings settings = configuration.dashboard();
    try {
      this.web = settings == null ? null : web(settings, configuration, commands, routes, metrics);
    } catch (IOException | RuntimeException e) {
      socket.close();
      throw e;
    }
    this.url = web == null ? null : web.url();
  }

  /**
   * Answers from now on.
   *
   * @param routes what is answered over HTTP besides
   * @param metrics what is measured besides
   */
  public static LustreFront open(
      LustreConfiguration configuration,
      LustreAgent agent,
      Consumer<Routes> routes,
      Consumer<MetricsText> metrics)
      throws IOException {
    return new LustreFront(configuration, agent, routes, metrics);
  }

  private SluiceWeb web(
      WebSettings settings,
      LustreConfiguration configuration,
      LustreCommands commands,
      Consumer<Routes> routes,
      Consumer<MetricsText> metrics)
      throws IOException {
    AccessTokens known =
        settings.tokens() == null ? AccessTokens.none() : AccessTokens.read(settings.tokens());
    Consumer<MetricsText> own = new LustreMetrics(configuration, book)::addTo;
    return SluiceWeb.start(
        settings,
        known.with(
            new Caller("the server's owner", Role.ADMIN), OwnerToken.in(configuration.state())),
        new SluiceWeb.Program(
            commands,
            new AuditedCommands(commands, InstantSource.system()),
            PolicyRegistry.all().stream().map(PolicyFactory::info).toList(),
            new HealthRoute(commands).and(routes),
            own.andThen(metrics),
            Changing.byFile(),
            new Refusals()));
  }

  private @Nullable LinkStatus controller() {
    Supplier<LinkStatus> shown = controller;
    return shown == null ? null : shown.get();
  }

  /** Shows how the link to a controller is. */
  public void showController(Supplier<LinkStatus> status) {
    controller = status;
  }

  /** What happened so far. */
  public ServiceBook book() {
    return book;
  }

  /** Takes note of a period. */
  public void look(PeriodReport report) {
    book.look(report, System.nanoTime());
  }

  /** Where a browser finds it. */
  public Optional<String> dashboard() {
    return Optional.ofNullable(url);
  }

  @Override
  public void close() throws IOException {
    if (web != null) {
      web.close();
    }
    socket.close();
  }
}
