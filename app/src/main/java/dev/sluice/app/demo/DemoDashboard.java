package dev.sluice.app.demo;

import dev.sluice.access.AccessTokens;
import dev.sluice.access.Caller;
import dev.sluice.access.Role;
import dev.sluice.command.JsonLine;
import dev.sluice.command.RequestHandler;
import dev.sluice.core.policy.PolicyFactory;
import dev.sluice.core.policy.registry.PolicyRegistry;
import dev.sluice.history.api.HistoryRoutes;
import dev.sluice.history.store.HistoryFiles;
import dev.sluice.web.SluiceWeb;
import dev.sluice.web.WebSettings;
import dev.sluice.web.api.AuditedCommands;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * One dashboard for all the gateways of a demo, which come one after another: a page that is open
 * shows whichever runs, and what those before it did.
 */
final class DemoDashboard implements AutoCloseable {
  private static final RequestHandler NOBODY =
      _ -> RequestHandler.Reply.of(JsonLine.error("no gateway runs at the moment"));

  private final AtomicReference<RequestHandler> shown = new AtomicReference<>(NOBODY);
  private final Path history;
  private final SluiceWeb web;
  private final String token = AccessTokens.random();

  private DemoDashboard(Path history) throws IOException {
    this.history = history;
    RequestHandler commands = request -> shown.get().reply(request);
    web =
        SluiceWeb.start(
            WebSettings.STANDARD,
            AccessTokens.none().with(new Caller("you", Role.OPERATE), token),
            new SluiceWeb.Program(
                commands,
                new AuditedCommands(commands, InstantSource.system()),
                PolicyRegistry.all().stream().map(PolicyFactory::info).toList(),
                new HistoryRoutes(() -> Optional.of(new HistoryFiles(history)))::addTo));
  }

  /**
   * Begins.
   *
   * @param history where the gateways keep what happens
   */
  static DemoDashboard start(Path history) throws IOException {
    return new DemoDashboard(history);
  }

  /** Where the gateways keep what happens. */
  Path history() {
    return history;
  }

  /** Where a browser finds it; whoever opens this may change things. */
  String address() {
    return web.urlWithToken(token);
  }

  /** Shows a gateway until the answer is closed. */
  Showing show(RequestHandler commands) {
    shown.set(commands);
    return () -> shown.set(NOBODY);
  }

  /** Shows something. */
  interface Showing extends AutoCloseable {
    @Override
    void close();
  }

  @Override
  public void close() {
    web.close();
  }
}
