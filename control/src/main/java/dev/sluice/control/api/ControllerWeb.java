package dev.sluice.control.api;

import dev.sluice.access.Access;
import dev.sluice.access.AccessTokens;
import dev.sluice.access.Audit;
import dev.sluice.access.Caller;
import dev.sluice.access.Refusals;
import dev.sluice.access.Role;
import dev.sluice.command.RequestHandler;
import dev.sluice.control.config.ControllerConfiguration;
import dev.sluice.control.controller.ControllerProcess;
import dev.sluice.control.controller.ControllerStatus;
import dev.sluice.control.history.ControllerHistory;
import dev.sluice.core.model.JobId;
import dev.sluice.core.policy.PolicyFactory;
import dev.sluice.core.policy.registry.PolicyRegistry;
import dev.sluice.history.api.HistoryRoutes;
import dev.sluice.ledger.LedgerLocation;
import dev.sluice.store.api.DocumentRoutes;
import dev.sluice.store.api.LedgerRoute;
import dev.sluice.store.api.PromiseKeepers;
import dev.sluice.store.documents.CurrentDocument;
import dev.sluice.store.documents.DocumentHistory;
import dev.sluice.store.documents.LimitInForce;
import dev.sluice.store.documents.LimitsInForce;
import dev.sluice.store.documents.PresentJob;
import dev.sluice.store.keys.AccessFile;
import dev.sluice.store.keys.KeyDirectory;
import dev.sluice.web.OwnerToken;
import dev.sluice.web.SluiceWeb;
import dev.sluice.web.WebSettings;
import dev.sluice.web.api.AuditedCommands;
import dev.sluice.web.api.Changing;
import dev.sluice.web.api.HealthRoute;
import dev.sluice.web.server.PemFiles;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A controller's server of HTTP: all that there is to ask of it, put together. */
public final class ControllerWeb {
  private static final InstantSource CLOCK = InstantSource.system();

  private ControllerWeb() {}

  /**
   * Listens from now on, for a controller that runs.
   *
   * @param listen where; other machines are answered only over TLS
   */
  public static SluiceWeb start(
      ControllerProcess process, ControllerConfiguration configuration, InetSocketAddress listen)
      throws IOException {
    long begunNanos = System.nanoTime();
    CurrentDocument current = process.current();
    Supplier<ControllerFacts> facts =
        () ->
            new ControllerFacts(
                configuration.listen().getAddress().getHostAddress()
                    + ":"
                    + process.controller().port(),
                configuration.periodNanos(),
                System.nanoTime() - begunNanos,
                process.problems(),
                current == null ? 0 : current.held().version(),
                present -> limits(current, present));
    return start(
        settings(listen, configuration.keys()),
        access(configuration.state(), configuration.keys()),
        new DashboardCommands(process.controller()::status, facts),
        process.controller()::status,
        process.history(),
        current,
        configuration.store(),
        process.kept(),
        process.audit(),
        process.controller().refusals());
  }

  private static List<LimitInForce> limits(
      @Nullable CurrentDocument current, Collection<PresentJob> present) {
    return current == null
        ? List.of()
        : new LimitsInForce(current.held().document()).at(CLOCK.instant(), present);
  }

  private static WebSettings settings(InetSocketAddress listen, @Nullable Path keys)
      throws IOException {
    if (listen.getAddress().isLoopbackAddress()) {
      return new WebSettings(listen, true, Set.of(), null, null);
    }
    if (keys == null) {
      throw new IOException(
          "api "
              + listen.getAddress().getHostAddress()
              + ": expected keys, the directory of ./sluice keys init, where other machines may"
              + " ask");
    }
    KeyDirectory directory = new KeyDirectory(keys);
    return new WebSettings(
        listen,
        true,
        Set.copyOf(directory.hostNames(KeyDirectory.CONTROLLER)),
        null,
        new PemFiles(
            directory.certificate(KeyDirectory.CONTROLLER),
            directory.key(KeyDirectory.CONTROLLER)));
  }

  /** The owner of the state directory may do everything, others what their tokens say. */
  private static Access access(Path state, @Nullable Path keys) throws IOException {
    Access owner = AccessTokens.none().with(new Caller("owner", Role.ADMIN), OwnerToken.in(state));
    Path list = keys == null ? null : new KeyDirectory(keys).accessFile();
    if (list == null || !Files.exists(list)) {
      return owner;
    }
    AccessFile others = new AccessFile(list);
    return new Access() {
      @Override
      public Optional<Caller> caller(@Nullable String token, boolean fromThisMachine) {
        return owner.caller(token, fromThisMachine).or(() -> others.caller(token, fromThisMachine));
      }

      @Override
      public @Nullable String refusal(String token) {
        return others.refusal(token);
      }
    };
  }

  /**
   * Listens from now on.
   *
   * @param history null where documents are in a file, and cannot be applied
   * @param where the database that has the ledger
   * @param kept what happened; null where it is not kept
   * @param audit told who changed what
   * @param refusals all that is refused
   */
  static SluiceWeb start(
      WebSettings settings,
      Access access,
      RequestHandler commands,
      Supplier<ControllerStatus> status,
      @Nullable DocumentHistory history,
      @Nullable CurrentDocument current,
      LedgerLocation where,
      @Nullable ControllerHistory kept,
      Audit audit,
      Refusals refusals)
      throws IOException {
    return SluiceWeb.start(
        settings,
        access,
        new SluiceWeb.Program(
            commands,
            new AuditedCommands(commands, CLOCK),
            PolicyRegistry.all().stream().map(PolicyFactory::info).toList(),
            new HealthRoute(commands)
                .and(routes -> {
                  if (history != null && current != null) {
                    new DocumentRoutes(
                            history,
                            current,
                            () -> present(status.get()),
                            () -> keepers(status.get()),
                            audit,
                            CLOCK)
                        .addTo(routes);
                  }
                  new LedgerRoute(where).addTo(routes);
                  new HistoryRoutes(() -> Optional.ofNullable(kept).map(ControllerHistory::files))
                      .addTo(routes);
                }),
            text -> {
              if (kept != null) {
                kept.addTo(text);
              }
            },
            history != null && current != null
                ? Changing.byDocument(() -> current.held().version())
                : Changing.byFile(),
            refusals));
  }

  private static PromiseKeepers keepers(ControllerStatus status) {
    ControllerStatus.Gateways gateways = status.gateways();
    if (gateways != null) {
      return new PromiseKeepers(
          gateways.targets().stream().map(ControllerStatus.TargetState::target).toList(), null);
    }
    boolean kept = status.members().stream().anyMatch(ControllerStatus.Member::keepsGuarantees);
    return new PromiseKeepers(
        List.of(),
        kept
            ? null
            : "expected a controller that lets gateways in (gateways: in its configuration), or"
                + " Lustre servers that are connected; nobody else keeps them");
  }

  private static List<PresentJob> present(ControllerStatus status) {
    return status.jobs().stream()
        .map(job -> new PresentJob(JobId.of(job.job()), job.user()))
        .toList();
  }
}
