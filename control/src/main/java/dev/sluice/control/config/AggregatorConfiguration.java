package dev.sluice.control.config;

import dev.sluice.control.aggregator.AggregatorOptions;
import dev.sluice.document.DocumentMap;
import dev.sluice.document.DocumentNode;
import dev.sluice.document.Documents;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All that an administrator says about an aggregator; docs/control.md describes it.
 *
 * @param name under which the controller knows it
 * @param listen where agents call
 * @param controllers whom it calls, in the order in which to try them
 * @param keys the directory with its certificate; null on loopback alone
 * @param tokenFile where its token is; null where its certificate says who it is
 * @param state where its own files are
 * @param timeoutNanos how long a report may be late
 */
public record AggregatorConfiguration(
    String name,
    InetSocketAddress listen,
    List<InetSocketAddress> controllers,
    @Nullable Path keys,
    @Nullable Path tokenFile,
    Path state,
    long timeoutNanos) {
  private static final String LISTEN = "127.0.0.1:7421";
  private static final long TIMEOUT_NANOS_MIN = 1_000_000L;
  private static final long TIMEOUT_NANOS_MAX = 60_000_000_000L;

  public AggregatorConfiguration {
    controllers = List.copyOf(controllers);
  }

  /** As written; else what the service manager has made for it, if it runs as a service. */
  private static Path state(@Nullable Path written, Path directory) {
    if (written != null) {
      return written;
    }
    String made = System.getenv("STATE_DIRECTORY");
    return made == null || made.isEmpty()
        ? ControllerConfiguration.standardState(directory)
        : Path.of(made);
  }

  /** Where it keeps whom it has obeyed; aggregators on one machine may share a directory. */
  public Path obeyedFile() {
    return state.resolve("obeyed@" + name.replaceAll("[^A-Za-z0-9.-]", "_"));
  }

  public static AggregatorConfiguration read(Path file) {
    Path parent = file.toAbsolutePath().getParent();
    return read(
        Documents.read(file.toString(), InputStream.nullInputStream()),
        parent == null ? Path.of("/") : parent);
  }

  static AggregatorConfiguration read(DocumentNode node, Path directory) {
    DocumentMap map =
        node.map("name", "listen", "controllers", "keys", "token", "state", "timeout");
    InetSocketAddress listen =
        ControllerConfiguration.text(map, "listen", LISTEN, Endpoint::literal);
    Path keys = ControllerConfiguration.path(map.optional("keys"), directory);
    if (keys == null && !listen.getAddress().isLoopbackAddress()) {
      throw map.error("keys: expected the directory of its keys where other machines may call");
    }
    List<InetSocketAddress> controllers = new ArrayList<>();
    DocumentNode list = map.required("controllers");
    list.list().forEach(item -> controllers.add(item.parsed(Endpoint::named)));
    if (controllers.isEmpty()) {
      throw list.error("expected at least one controller, such as [127.0.0.1:7420]");
    }
    DocumentNode timeout = map.optional("timeout");
    return new AggregatorConfiguration(
        map.required("name").text(),
        listen,
        controllers,
        keys,
        ControllerConfiguration.path(map.optional("token"), directory),
        state(ControllerConfiguration.path(map.optional("state"), directory), directory),
        timeout == null
            ? AggregatorOptions.TIMEOUT_NANOS
            : timeout.durationNanos(TIMEOUT_NANOS_MIN, TIMEOUT_NANOS_MAX));
  }
}
