package dev.sluice.gateway.config;

import dev.sluice.document.DocumentMap;
import dev.sluice.document.DocumentNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * That several gateways serve the same exports, one at a time.
 *
 * @param shared a directory that all of them see, on the storage that they serve
 * @param name of this one among them
 * @param takeover how long one that does not give a sign of life is waited for
 * @param replies what is kept of calls that must not be done twice
 */
public record FailoverChoice(Path shared, String name, Duration takeover, Replies replies) {
  /** What is kept of calls that must not be done twice. */
  public enum Replies {
    /** What the gateway remembers while it serves. */
    MEMORY,
    /** Besides, what outlives its process. */
    JOURNAL,
    /** Besides, what outlives its machine. */
    FORCED;

    private static final List<String> WORDS =
        Stream.of(values()).map(value -> value.name().toLowerCase(Locale.ROOT)).toList();

    private static Replies read(@Nullable DocumentNode node) {
      return node == null ? JOURNAL : values()[WORDS.indexOf(node.oneOf(WORDS))];
    }
  }

  private static final Duration TAKEOVER = Duration.ofSeconds(4);
  private static final Duration TAKEOVER_MIN = Duration.ofSeconds(1);
  private static final Duration TAKEOVER_MAX = Duration.ofMinutes(1);
  private static final String NAME = "[A-Za-z0-9][A-Za-z0-9._-]{0,63}";

  /**
   * Reads what a configuration says.
   *
   * @param exports none of them may hold the directory: clients could take the lease, and read the
   *     key of all handles
   * @return null where it says nothing
   */
  static @Nullable FailoverChoice read(
      @Nullable DocumentNode node, Path directory, List<ExportConfiguration> exports) {
    if (node == null) {
      return null;
    }
    DocumentMap map = node.map("shared", "name", "takeover", "replies");
    DocumentNode takeover = map.optional("takeover");
    return new FailoverChoice(
        shared(map.required("shared"), directory, exports),
        name(map.required("name")),
        takeover == null
            ? TAKEOVER
            : Duration.ofNanos(
                takeover.durationNanos(TAKEOVER_MIN.toNanos(), TAKEOVER_MAX.toNanos())),
        Replies.read(map.optional("replies")));
  }

  private static Path shared(DocumentNode node, Path directory, List<ExportConfiguration> exports) {
    Path shared = ConfigurationReader.path(node, directory);
    for (ExportConfiguration export : exports) {
      if (shared.startsWith(export.directory())) {
        throw node.error(
            "expected a directory beside what is exported; clients of "
                + export.path()
                + " could reach this one");
      }
    }
    return shared;
  }

  private static String name(DocumentNode node) {
    String name = node.text();
    if (!name.matches(NAME)) {
      throw node.error(
          "expected a name of 1 to 64 letters, digits, dots, dashes and underscores that no other"
              + " gateway of these exports has");
    }
    return name;
  }
}
