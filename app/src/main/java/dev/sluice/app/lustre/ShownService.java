package dev.sluice.app.lustre;

import dev.sluice.app.control.LinkOptions;
import dev.sluice.app.history.HistoryAdditions;
import dev.sluice.app.history.HistorySettings;
import dev.sluice.control.agent.NodeLink;
import dev.sluice.core.model.JobId;
import dev.sluice.gateway.WebAdditions;
import dev.sluice.history.alert.AlertKey;
import dev.sluice.history.alert.AlertKind;
import dev.sluice.history.keep.HistoryKeeper;
import dev.sluice.history.keep.Watched;
import dev.sluice.history.sample.Totals;
import dev.sluice.lustre.config.LustreConfiguration;
import dev.sluice.lustre.control.LustreAgent;
import dev.sluice.lustre.control.PeriodReport;
import dev.sluice.lustre.show.LustreFront;
import dev.sluice.lustre.show.ServiceBook;
import dev.sluice.store.lease.LeaderFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What others see of a Lustre service while it is looked after: socket, dashboard, metrics, history
 * and alerts; and a controller, where there is one.
 */
final class ShownService implements AgentRun.Beside {
  private static final System.Logger LOG = System.getLogger(ShownService.class.getName());

  private final LustreConfiguration configuration;
  private final LustreFront front;
  private final @Nullable HistoryKeeper history;
  private final @Nullable LustreNode node;
  private final @Nullable NodeLink link;

  /** In the state directory: whom this server has obeyed. */
  private static final String OBEYED = "obeyed";

  private ShownService(
      LustreConfiguration configuration,
      LustreFront front,
      @Nullable HistoryKeeper history,
      @Nullable LustreNode node,
      @Nullable NodeLink link) {
    this.configuration = configuration;
    this.front = front;
    this.history = history;
    this.node = node;
    this.link = link;
  }

  /** Answers from now on. */
  static ShownService begin(Path file, LustreConfiguration configuration, LustreAgent agent)
      throws IOException {
    HistorySettings settings = HistorySettings.read(file);
    ControllerKey controller = ControllerKey.read(file);
    HistoryAdditions additions = new HistoryAdditions();
    WebAdditions web = additions.web();
    LustreFront front = LustreFront.open(configuration, agent, web.routes(), web.metrics());
    HistoryKeeper history = history(file, configuration, settings, front);
    if (history != null) {
      additions.follow(history);
    }
    if (controller == null) {
      return new ShownService(configuration, front, history, null, null);
    }
    LustreNode node =
        new LustreNode(
            configuration.service(),
            configuration.policy().info(),
            agent.ordered(),
            System::nanoTime);
    NodeLink link =
        new NodeLink(
            node,
            controller.name(),
            LinkOptions.hostName(),
            controller.addresses(),
            new LeaderFile(configuration.state().resolve(OBEYED)));
    front.showController(link::status);
    return new ShownService(configuration, front, history, node, link);
  }

  /** Null where none is to be kept, and where it cannot be, which is no reason not to go on. */
  private static @Nullable HistoryKeeper history(
      Path file, LustreConfiguration configuration, HistorySettings settings, LustreFront front) {
    if (!settings.place().kept()) {
      return null;
    }
    try {
      return new HistoryKeeper(
          new WatchedService(configuration, front.book()),
          settings.place().directoryIn(configuration.state()),
          settings.place().bytesMax(),
          settings.alerts(),
          file,
          () -> HistorySettings.read(file).alerts(),
          "lustre " + configuration.service().text(),
          "the service " + configuration.service().text() + " is looked after");
    } catch (IOException e) {
      LOG.log(System.Logger.Level.WARNING, "no history is kept: " + e.getMessage());
      return null;
    }
  }

  void tell(PrintWriter out) {
    out.println("control socket " + configuration.controlSocket());
    out.println(history == null ? "no history is kept" : "history in " + history.directory());
    front.dashboard().ifPresent(address -> out.println("dashboard " + address));
    out.flush();
  }

  /** The same, and somebody else is told of each period, too. */
  AgentRun.Beside and(Consumer<PeriodReport> listener) {
    ShownService own = this;
    return new AgentRun.Beside() {
      @Override
      public void accept(PeriodReport report) {
        own.accept(report);
        listener.accept(report);
      }

      @Override
      public void close() throws IOException {
        own.close();
      }
    };
  }

  @Override
  public void accept(PeriodReport report) {
    front.look(report);
    if (node != null) {
      node.look(report, System.nanoTime());
      front.book().note(node.problem());
    }
  }

  @Override
  public void close() throws IOException {
    if (link != null) {
      link.close();
    }
    if (history != null) {
      history.close();
    }
    front.close();
  }

  /** A Lustre service, as whoever keeps its history sees it. */
  private record WatchedService(LustreConfiguration configuration, ServiceBook book)
      implements Watched {
    @Override
    public Totals totals(long nowMillis) {
      return book.totals(nowMillis, System.nanoTime());
    }

    @Override
    public Map<String, String> troubles() {
      String trouble = book.trouble();
      return trouble == null ? Map.of() : Map.of(configuration.target().name(), trouble);
    }

    @Override
    public Map<AlertKey, String> besides() {
      String trouble = book.trouble();
      return trouble == null
          ? Map.of()
          : Map.of(new AlertKey(AlertKind.LIMITS_LAPSED, configuration.target().name()), trouble);
    }

    @Override
    public List<String> problems() {
      return book.state().problems();
    }

    @Override
    public List<String> reasons(String job) {
      return book.reasons(JobId.of(job));
    }
  }
}
