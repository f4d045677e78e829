package dev.sluice.app.history;

import dev.sluice.control.gateways.GatewayTotals;
import dev.sluice.core.model.JobId;
import dev.sluice.gateway.Gateway;
import dev.sluice.gateway.admin.HealthFinding;
import dev.sluice.gateway.config.ControllerChoice;
import dev.sluice.gateway.control.JobExplanation;
import dev.sluice.gateway.control.ServiceTotals;
import dev.sluice.history.alert.AlertKey;
import dev.sluice.history.alert.AlertKind;
import dev.sluice.history.keep.HistoryKeeper;
import dev.sluice.history.keep.Watched;
import dev.sluice.history.sample.Totals;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Keeps the history of a gateway that runs, and its alerts. */
public final class GatewayHistory implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(GatewayHistory.class.getName());

  private final Gateway gateway;
  private final HistoryKeeper keeper;

  private GatewayHistory(Gateway gateway, Path file, Path directory, HistorySettings settings)
      throws IOException {
    this.gateway = gateway;
    this.keeper =
        new HistoryKeeper(
            new WatchedGateway(gateway),
            directory,
            settings.place().bytesMax(),
            settings.alerts(),
            file,
            () -> HistorySettings.read(file).alerts(),
            source(gateway),
            "the gateway has started");
    gateway.journal(change -> keeper.changed(change.who(), change.what()));
    gateway.alsoTell(this::problems);
    gateway.alsoFind(this::findings);
  }

  /**
   * Begins to keep history.
   *
   * @param file the gateway's configuration, followed for what it says about alerts
   * @return null where none is to be kept, and where it cannot be, which is no reason not to serve
   */
  public static @Nullable GatewayHistory begin(
      Gateway gateway, Path file, HistorySettings settings) {
    if (!settings.place().kept()) {
      return null;
    }
    Path directory = settings.place().directoryIn(gateway.configuration().state());
    try {
      return new GatewayHistory(gateway, file, directory, settings);
    } catch (IOException e) {
      String why = "no history is kept: " + e.getMessage();
      LOG.log(System.Logger.Level.WARNING, why);
      gateway.alsoFind(() -> List.of(notWritten(why)));
      return null;
    }
  }

  private static String source(Gateway gateway) {
    return gateway.nfsAddress().getHostString() + ":" + gateway.nfsAddress().getPort();
  }

  /** What keeps it. */
  public HistoryKeeper keeper() {
    return keeper;
  }

  /** Where it is kept. */
  public Path directory() {
    return keeper.directory();
  }

  private List<String> problems() {
    String problem = keeper.alertsProblem();
    return problem == null ? List.of() : List.of(problem);
  }

  /** What makes the gateway sick, as far as history goes. */
  private List<HealthFinding> findings() {
    String why = keeper.notWritten();
    return why == null ? List.of() : List.of(notWritten(why));
  }

  private static HealthFinding notWritten(String why) {
    return new HealthFinding(HealthFinding.Kind.HISTORY_NOT_WRITTEN, "", why);
  }

  /** A gateway, as whoever keeps its history sees it: each look begins with {@link #totals}. */
  private static final class WatchedGateway implements Watched {
    private final Gateway gateway;
    private List<ServiceTotals.TargetTotals> seen = List.of();

    WatchedGateway(Gateway gateway) {
      this.gateway = gateway;
    }

    @Override
    public Totals totals(long nowMillis) {
      ServiceTotals now = gateway.totals();
      seen = now.targets();
      return GatewayTotals.of(now, nowMillis);
    }

    @Override
    public Map<AlertKey, String> besides() {
      Map<AlertKey, String> besides = new HashMap<>();
      for (ServiceTotals.TargetTotals target : seen) {
        if (target.limitsLapsed()) {
          besides.put(
              new AlertKey(AlertKind.LIMITS_LAPSED, target.target().name()),
              String.valueOf(target.trouble()));
        }
      }
      ControllerChoice controller = gateway.configuration().controller();
      if (controller != null && controller.decides() && !gateway.control().obeys()) {
        besides.put(
            new AlertKey(AlertKind.CONTROLLER_LOST, ""),
            "no controller decides; the gateway's own policy does");
      }
      return besides;
    }

    @Override
    public Map<String, String> troubles() {
      Map<String, String> now = new HashMap<>();
      for (ServiceTotals.TargetTotals target : seen) {
        if (target.trouble() != null) {
          now.put(target.target().name(), target.trouble());
        }
      }
      return now;
    }

    @Override
    public List<String> problems() {
      return gateway.status().problems();
    }

    @Override
    public List<String> reasons(String job) {
      List<String> reasons = new ArrayList<>();
      for (JobExplanation explanation : gateway.explain(JobId.of(job))) {
        if (explanation.reason() != null) {
          reasons.add(explanation.reason().words() + " (" + explanation.state() + ")");
        }
      }
      return reasons;
    }
  }

  @Override
  public void close() {
    gateway.journal(_ -> {});
    gateway.alsoTell(List::of);
    gateway.alsoFind(List::of);
    keeper.close();
  }
}
