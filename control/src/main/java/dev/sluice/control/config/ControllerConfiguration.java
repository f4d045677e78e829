package dev.sluice.control.config;

import dev.sluice.core.policy.PolicyInfo;
import dev.sluice.document.DocumentMap;
import dev.sluice.document.DocumentNode;
import dev.sluice.document.Documents;
import dev.sluice.gateway.config.PolicyChoice;
import dev.sluice.history.store.HistoryPlace;
import dev.sluice.jobs.source.JobSource;
import dev.sluice.ledger.LedgerLocation;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * All that an administrator says about a controller; docs/control.md describes it.
 *
 * @param listen where members call
 * @param api where people and programs ask over HTTP; null for nowhere
 * @param keys the directory that {@code ./sluice keys init} made; null on loopback alone
 * @param state where its own files are
 * @param store where documents, lease and coupons are
 * @param document a file with the document in force; null where the store has it
 * @param periodNanos how often nodes report
 * @param timeoutNanos how long a report may be late
 * @param lapseNanos how long limits hold without orders
 * @param gateways what decides about the targets of all gateways; null where none are let in
 * @param jobs where it is known which jobs run, and where; null where what members say is not
 *     checked
 * @param history whether and where what happened is kept
 */
public record ControllerConfiguration(
    InetSocketAddress listen,
    @Nullable InetSocketAddress api,
    @Nullable Path keys,
    Path state,
    LedgerLocation store,
    @Nullable Path document,
    long periodNanos,
    long timeoutNanos,
    long lapseNanos,
    @Nullable PolicyChoice gateways,
    @Nullable JobSource jobs,
    HistoryPlace history) {
  /** Where members call unless somebody says otherwise. */
  public static final String LISTEN = "127.0.0.1:7420";

  private static final String API = "127.0.0.1:8090";
  private static final long PERIOD_NANOS_MIN = 10_000_000L;
  private static final long PERIOD_NANOS_MAX = 3_600_000_000_000L;
  private static final long PERIOD_NANOS = 1_000_000_000L;
  private static final long LAPSE_PERIODS = 5;

  public static ControllerConfiguration read(Path file) {
    Path parent = file.toAbsolutePath().getParent();
    return read(
        Documents.read(file.toString(), InputStream.nullInputStream()),
        parent == null ? Path.of("/") : parent);
  }

  /**
   * Reads a document.
   *
   * @param directory where the files are that it names without a slash in front
   */
  static ControllerConfiguration read(DocumentNode node, Path directory) {
    DocumentMap map =
        node.map(
            "listen",
            "api",
            "keys",
            "state",
            "store",
            "document",
            "period",
            "timeout",
            "lapse",
            "gateways",
            "jobs",
            "history");
    InetSocketAddress listen = text(map, "listen", LISTEN, Endpoint::literal);
    DocumentNode api = map.optional("api");
    Path keys = path(map.optional("keys"), directory);
    if (keys == null && !listen.getAddress().isLoopbackAddress()) {
      throw map.error(
          "keys: expected the directory of ./sluice keys init where other machines may call");
    }
    Path givenState = path(map.optional("state"), directory);
    Path state = givenState != null ? givenState : standardState(directory);
    DocumentNode store = map.optional("store");
    DocumentNode jobs = map.optional("jobs");
    long period = nanos(map, "period", PERIOD_NANOS);
    long lapse = nanos(map, "lapse", LAPSE_PERIODS * period);
    if (lapse < 2 * period) {
      throw map.error("lapse: expected at least two periods, or limits would lapse in between");
    }
    return new ControllerConfiguration(
        listen,
        api != null && api.text().equals("none") ? null : text(map, "api", API, Endpoint::literal),
        keys,
        state,
        store == null
            ? new LedgerLocation.SqliteFile(state.resolve("controller.db"))
            : store.parsed(text -> LedgerLocation.parse(text, directory)),
        path(map.optional("document"), directory),
        period,
        nanos(map, "timeout", period / 2),
        lapse,
        gateways(map.optional("gateways")),
        jobs == null ? null : JobSource.read(jobs, directory),
        HistoryPlace.read(map.optional("history"), directory));
  }

  /** Where a program's own files are unless somebody says otherwise. */
  static Path standardState(Path directory) {
    return "root".equals(System.getProperty("user.name"))
        ? Path.of("/var/lib/sluice")
        : directory.resolve("sluice-state");
  }

  /** A policy by name, or with what is set of it. */
  private static @Nullable PolicyChoice gateways(@Nullable DocumentNode node) {
    if (node == null) {
      return null;
    }
    Map<String, String> given = new LinkedHashMap<>();
    String name = node.isMap() ? node.openMap().required("policy").text() : node.text();
    if (node.isMap()) {
      node.openMap().entries().forEach((key, value) -> given.put(key, value.text()));
      given.remove("policy");
    }
    PolicyChoice choice;
    try {
      choice = PolicyChoice.of(name, given);
    } catch (IllegalArgumentException e) {
      throw node.error(String.valueOf(e.getMessage()));
    }
    if (choice.info().scope() != PolicyInfo.Scope.ALL_TARGETS) {
      throw node.error(
          name
              + " treats each target alone, and each gateway can decide by it; expected a policy"
              + " about all targets, such as gift");
    }
    return choice;
  }

  static InetSocketAddress text(
      DocumentMap map, String key, String standard, Function<String, InetSocketAddress> reader) {
    DocumentNode node = map.optional(key);
    return node == null ? reader.apply(standard) : node.parsed(reader);
  }

  private static long nanos(DocumentMap map, String key, long standard) {
    DocumentNode node = map.optional(key);
    return node == null ? standard : node.durationNanos(PERIOD_NANOS_MIN, PERIOD_NANOS_MAX);
  }

  static @Nullable Path path(@Nullable DocumentNode node, Path directory) {
    return node == null ? null : directory.resolve(node.<Path>parsed(Path::of)).normalize();
  }
}
