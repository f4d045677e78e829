package dev.sluice.app.serve;

import dev.sluice.app.ConfigurationFile;
import dev.sluice.app.FailedException;
import dev.sluice.app.Policies;
import dev.sluice.app.SignalStop;
import dev.sluice.app.control.LinkOptions;
import dev.sluice.app.history.GatewayHistory;
import dev.sluice.app.history.HistoryAdditions;
import dev.sluice.app.history.HistorySettings;
import dev.sluice.app.service.JournalLog;
import dev.sluice.app.service.ReloadSignal;
import dev.sluice.app.service.ServiceManager;
import dev.sluice.control.gateways.GatewayLink;
import dev.sluice.core.model.Quantities;
import dev.sluice.gateway.FailoverStation;
import dev.sluice.gateway.Gateway;
import dev.sluice.gateway.Surroundings;
import dev.sluice.gateway.admin.HealthFinding;
import dev.sluice.gateway.admin.HealthWatch;
import dev.sluice.gateway.config.ConfigurationReader;
import dev.sluice.gateway.config.ControllerChoice;
import dev.sluice.gateway.config.ExportConfiguration;
import dev.sluice.gateway.config.FailoverChoice;
import dev.sluice.gateway.config.GatewayConfiguration;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Runs a gateway until it is told to stop. */
@Command(
    name = "serve",
    description = {
      "Serve directories over NFS; every request passes a scheduler.",
      "",
      "FILE says what is exported, to whom, and who gets how much, in YAML:",
      "  policy: sojourn",
      "  targets: {disk: {capacity: auto}}",
      "  exports: {/scratch: {directory: /srv/scratch, clients: [10.1.0.0/16]}}",
      "All keys are in docs/gateway.md. A change to FILE holds within two seconds; what",
      "cannot change while it runs is refused, and the status says so.",
      ""
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "It runs until Ctrl-C, SIGTERM or ./sluice stop; requests under way are finished",
      "first. SIGHUP has it read FILE at once. Start it as root: only then does the kernel",
      "check permissions as the caller.",
      "./sluice status shows who does what, ./sluice explain JOB why, ./sluice report what was.",
      "",
      "Example: ./sluice serve -c examples/gateway/sluice.yaml"
    })
public final class ServeCommand implements Runnable {
  private static final Set<HealthFinding.Kind> CURED_BY_RESTART =
      EnumSet.of(
          HealthFinding.Kind.QUEUE_NOT_DRAINED,
          HealthFinding.Kind.WORKERS_DIED,
          HealthFinding.Kind.NOT_WATCHED);

  @Spec @Nullable CommandSpec spec;

  @Mixin ConfigurationFile file = new ConfigurationFile("sluice.yaml");

  /** The one that serves now; null while it stands by. */
  private volatile @Nullable Gateway serving;

  @Override
  public void run() {
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    JournalLog.begin("gateway");
    try (SignalStop signal = new SignalStop(out);
        ServiceManager manager = new ServiceManager()) {
      GatewayConfiguration configuration = ConfigurationReader.read(file.path(), Policies.ALL);
      if (configuration.failover() == null) {
        serve(signal, manager, null, out);
      } else {
        serveInTurn(configuration, signal, manager, out);
      }
    } catch (IOException | IllegalArgumentException e) {
      throw new FailedException(file + ": " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new FailedException("interrupted", e);
    }
  }

  /** Stands by until it is its turn, serves, and stands by again when it has handed over. */
  private void serveInTurn(
      GatewayConfiguration configuration,
      SignalStop signal,
      ServiceManager manager,
      PrintWriter out)
      throws IOException, InterruptedException {
    FailoverChoice failover = Objects.requireNonNull(configuration.failover());
    String standingBy =
        failover.name() + " stands by for " + served(configuration) + " in " + failover.shared();
    try (FailoverStation station = new FailoverStation(configuration)) {
      manager.ready(standingBy, () -> wrong(serving));
      ControllerChoice controller = configuration.controller();
      if (controller != null) {
        Thread.ofPlatform()
            .name("rehearsal")
            .daemon()
            .start(() -> GatewayLink.rehearse(controller));
      }
      do {
        serving = null;
        signal.ends(manager::close, station::close);
        manager.status(standingBy);
        out.println(standingBy);
        out.flush();
        if (!station.awaitTurn()) {
          return;
        }
        serve(signal, manager, station, out);
      } while (station.isToStandBy());
    }
  }

  /**
   * Serves until it is told to stop.
   *
   * @param station by whose leave; null where no other gateway serves the same
   */
  private void serve(
      SignalStop signal, ServiceManager manager, @Nullable FailoverStation station, PrintWriter out)
      throws IOException, InterruptedException {
    HistorySettings kept = HistorySettings.read(file.path());
    HistoryAdditions additions = new HistoryAdditions();
    Surroundings surroundings =
        new Surroundings(
            additions.web(),
            station,
            (configuration, control) ->
                GatewayLink.of(configuration, LinkOptions.hostName(), control));
    try (Gateway gateway = Gateway.start(file.path(), Policies.ALL, surroundings);
        GatewayHistory history = GatewayHistory.begin(gateway, file.path(), kept)) {
      if (station == null) {
        signal.ends(manager::close, gateway::close);
      } else {
        station.serves(gateway);
        signal.ends(manager::close, gateway::close, station::close);
      }
      ReloadSignal.does(() -> "configuration read: " + gateway.reload().changes());
      if (history != null) {
        additions.follow(history.keeper());
      }
      serving = gateway;
      tell(gateway, out);
      out.println(history == null ? "no history is kept" : "history in " + history.directory());
      out.flush();
      String words = "serving " + served(gateway.configuration());
      if (station == null) {
        manager.ready(words, () -> wrong(gateway));
      } else {
        manager.status(words);
      }
      gateway.awaitStop();
    }
  }

  private static String served(GatewayConfiguration configuration) {
    return configuration.exports().stream()
        .map(ExportConfiguration::path)
        .collect(Collectors.joining(", "));
  }

  /**
   * What is wrong with a gateway, if there is one, that a restart would cure. Storage that hangs it
   * would not, nor a disk that is full: then restarts would only cut off those who are still
   * served.
   */
  private static List<String> wrong(@Nullable Gateway gateway) {
    return gateway == null
        ? List.of()
        : gateway.health(HealthWatch.PATIENCE).stream()
            .filter(finding -> CURED_BY_RESTART.contains(finding.kind()))
            .map(HealthFinding::words)
            .toList();
  }

  private void tell(Gateway gateway, PrintWriter out) {
    GatewayConfiguration configuration = gateway.configuration();
    out.println(
        "policy "
            + configuration.policy().info().name()
            + ", deciding every "
            + Quantities.formatDuration(configuration.policy().periodNanos())
            + (configuration.observesOnly() ? "; observing only: nothing is enforced" : ""));
    for (ExportConfiguration export : configuration.exports()) {
      out.println(
          export.path()
              + (export.readOnly() ? " (read-only)" : "")
              + " is "
              + export.directory()
              + " on target "
              + export.target()
              + " ("
              + configuration.target(export.target()).capacityText()
              + "), for "
              + export.clients().stream().map(Object::toString).collect(Collectors.joining(", ")));
    }
    String host = gateway.nfsAddress().getAddress().getHostAddress();
    int nfsPort = gateway.nfsAddress().getPort();
    int mountPort = gateway.mountAddress().getPort();
    out.println("listening on " + host + ", NFS port " + nfsPort + ", mount port " + mountPort);
    gateway.status().problems().forEach(problem -> out.println("note: " + problem));
    out.println(
        "mount with: mount -t nfs -o vers=3"
            + (gateway.tellsPorts() ? "" : ",tcp,port=" + nfsPort + ",mountport=" + mountPort)
            + ",nolock "
            + (gateway.nfsAddress().getAddress().isAnyLocalAddress() ? "SERVER" : host)
            + ":"
            + configuration.exports().getFirst().path()
            + " /mnt");
    out.println("control socket " + configuration.controlSocket());
    gateway
        .dashboardAddress()
        .ifPresent(address ->
            out.println(
                "dashboard "
                    + address
                    + " for looking; ./sluice dashboard prints the address for changing things"));
    out.flush();
  }
}
