package dev.sluice.control.history;

import dev.sluice.command.metrics.MetricsText;
import dev.sluice.command.metrics.MetricsText.MetricKind;
import dev.sluice.control.controller.ControllerStatus;
import dev.sluice.control.leader.Standing;
import dev.sluice.history.model.Event;
import dev.sluice.history.model.Sample;
import dev.sluice.history.sample.EverySecond;
import dev.sluice.history.sample.Sampler;
import dev.sluice.history.sample.Troubles;
import dev.sluice.history.store.HistoryFiles;
import dev.sluice.history.store.HistoryPlace;
import dev.sluice.history.store.HistoryStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the history of a controller that runs: what each job did on all its nodes together. Looks
 * once a second, on a thread of its own, and never holds the controller up.
 */
public final class ControllerHistory implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(ControllerHistory.class.getName());

  private final Path directory;
  private final HistoryStore store;
  private final Supplier<ControllerStatus> status;
  private final LongSupplier documentVersion;
  private final ControllerTotals totals = new ControllerTotals();
  private final Sampler sampler = new Sampler();
  private final Troubles troubles = new Troubles();
  private final EverySecond looking;
  private long documentSeen;

  private ControllerHistory(
      Path directory,
      long bytesMax,
      Supplier<ControllerStatus> status,
      LongSupplier documentVersion)
      throws IOException {
    this.directory = directory;
    this.status = status;
    this.documentVersion = documentVersion;
    this.documentSeen = documentVersion.getAsLong();
    this.store = HistoryStore.open(directory, bytesMax, System.currentTimeMillis());
    record(Event.Kind.STARTED, "the controller has started");
    this.looking = new EverySecond(this::look);
  }

  /**
   * Begins to keep history.
   *
   * @param state the controller's own directory
   * @param documentVersion which document is in force
   * @return null where none is to be kept, and where it cannot be, which is no reason not to decide
   */
  public static @Nullable ControllerHistory begin(
      HistoryPlace place,
      Path state,
      Supplier<ControllerStatus> status,
      LongSupplier documentVersion) {
    if (!place.kept()) {
      return null;
    }
    try {
      return new ControllerHistory(
          place.directoryIn(state), place.bytesMax(), status, documentVersion);
    } catch (IOException e) {
      LOG.log(System.Logger.Level.WARNING, "no history is kept: " + e.getMessage());
      return null;
    }
  }

  /** Where it is kept. */
  public Path directory() {
    return directory;
  }

  /** What was kept so far. */
  public HistoryFiles files() {
    return new HistoryFiles(directory);
  }

  /** Adds what there is to measure about history to a page of metrics. */
  public void addTo(MetricsText text) {
    text.family("history_bytes", MetricKind.GAUGE, "What history takes on disk.")
        .sample((double) store.bytes());
    text.family("history_lost_total", MetricKind.COUNTER, "Records that could not be written.")
        .sample((double) store.lost());
  }

  private void record(Event.Kind kind, String words) {
    store.record(new Event(System.currentTimeMillis(), kind, "", "", words));
  }

  private void look() {
    ControllerStatus now;
    try {
      now = status.get();
    } catch (IllegalStateException e) {
      // It is too busy to answer, or ends; the next sample covers this time too.
      return;
    }
    long nowMillis = System.currentTimeMillis();
    Sample sample = sampler.look(totals.look(now, System.nanoTime(), nowMillis));
    if (sample != null) {
      store.record(sample);
    }
    troubles.look(troubles(now), nowMillis).forEach(store::record);
    long version = documentVersion.getAsLong();
    if (version != documentSeen) {
      documentSeen = version;
      record(Event.Kind.CHANGE, "document " + version + " is in force");
    }
  }

  private static Map<String, String> troubles(ControllerStatus now) {
    Map<String, String> troubles = new HashMap<>();
    if (now.standing() instanceof Standing.Follows follows) {
      troubles.put("leading", follows.reason());
    }
    if (now.problem() != null) {
      troubles.put("document", now.problem());
    }
    if (now.gateways() != null && now.gateways().trouble() != null) {
      troubles.put("gateways", now.gateways().trouble());
    }
    return troubles;
  }

  @Override
  public void close() {
    looking.close();
    try {
      store.close();
    } catch (IOException e) {
      LOG.log(System.Logger.Level.WARNING, "history was not closed cleanly", e);
    }
  }
}
