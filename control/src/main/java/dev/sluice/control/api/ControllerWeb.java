package dev.sluice.control.api;

import dev.sluice.command.RequestHandler;
import dev.sluice.core.policy.registry.PolicyRegistry;
import dev.sluice.control.controller.ControllerStatus;
import dev.sluice.core.model.JobId;
import dev.sluice.core.policy.PolicyFactory;
import dev.sluice.ledger.LedgerLocation;
import dev.sluice.store.api.DocumentRoutes;
import dev.sluice.store.api.LedgerRoute;
import dev.sluice.store.documents.CurrentDocument;
import dev.sluice.store.documents.DocumentHistory;
import dev.sluice.store.documents.PresentJob;
import dev.sluice.web.SluiceWeb;
import dev.sluice.web.WebSettings;
import dev.sluice.web.api.AuditedCommands;
import dev.sluice.web.server.Access;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;

/** A controller's server of HTTP: all that there is to ask of it, put together. */
public final class ControllerWeb {
  private ControllerWeb() {}

  /**
   * Listens from now on.
   *
   * @param where the database of the documents, which has the ledger as well
   */
  public static SluiceWeb start(
      WebSettings settings,
      Access access,
      RequestHandler commands,
      Supplier<ControllerStatus> status,
      DocumentHistory history,
      CurrentDocument current,
      LedgerLocation where)
      throws IOException {
    InstantSource clock = InstantSource.system();
    DocumentRoutes documents =
        new DocumentRoutes(history, current, () -> present(status.get()), clock);
    return SluiceWeb.start(
        settings,
        access,
        new SluiceWeb.Program(
            commands,
            new AuditedCommands(commands, clock),
            PolicyRegistry.all().stream().map(PolicyFactory::info).toList(),
            routes -> {
              documents.addTo(routes);
              new LedgerRoute(where).addTo(routes);
            }));
  }

  private static List<PresentJob> present(ControllerStatus status) {
    return status.jobs().stream()
        .map(job -> new PresentJob(JobId.of(job.job()), job.user()))
        .toList();
  }
}
