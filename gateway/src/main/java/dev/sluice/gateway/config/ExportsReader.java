package dev.sluice.gateway.config;

import dev.sluice.core.model.Network;
import dev.sluice.core.text.Suggestion;
import dev.sluice.document.DocumentMap;
import dev.sluice.document.DocumentNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the key {@code exports}. */
final class ExportsReader {
  private static final int EXPORTS_MAX = 10_000;
  private static final int PATH_LENGTH_MAX = 512;
  private static final long NOBODY = 65_534;
  private static final long UID_MAX = 0xffff_fffeL;

  /** This machine alone: who opens an export to others says to whom. */
  private static final List<Network> LOOPBACK =
      List.of(Network.parse("127.0.0.0/8"), Network.parse("::1"));

  private final Path directory;
  private final List<String> targets;

  private ExportsReader(Path directory, List<TargetConfiguration> targets) {
    this.directory = directory;
    this.targets = targets.stream().map(TargetConfiguration::name).toList();
  }

  static List<ExportConfiguration> read(
      DocumentNode node, Path directory, List<TargetConfiguration> targets) {
    ExportsReader reader = new ExportsReader(directory, targets);
    DocumentMap written = node.openMap();
    List<ExportConfiguration> exports = new ArrayList<>();
    for (Map.Entry<String, DocumentNode> entry : written.entries().entrySet()) {
      checkPath(written, entry.getKey());
      exports.add(reader.export(entry.getKey(), entry.getValue()));
    }
    if (exports.isEmpty() || exports.size() > EXPORTS_MAX) {
      throw node.error("expected 1 to " + EXPORTS_MAX + " exports");
    }
    return exports;
  }

  /** One way to write each path, so that two exports never mean the same. */
  private static void checkPath(DocumentMap written, String path) {
    boolean plain =
        path.equals("/")
            || (path.matches("(/[^/\\p{Cntrl}]+)+")
                && path.length() <= PATH_LENGTH_MAX
                && !path.matches(".*/\\.{1,2}(/.*)?"));
    if (!plain) {
      throw written.keyError(
          path,
          "expected a path such as /scratch, without a slash at its end, \".\" or \"..\", of at"
              + " most "
              + PATH_LENGTH_MAX
              + " characters");
    }
    if (path.startsWith("/@")) {
      throw written.keyError(
          path, "expected a path that does not begin with /@, which is where job ids go");
    }
  }

  private ExportConfiguration export(String path, DocumentNode node) {
    DocumentMap map =
        node.map(
            "directory",
            "target",
            "read-only",
            "squash",
            "anonymous",
            "clients",
            "privileged-ports",
            "manage-gids");
    DocumentNode anonymousNode = map.optional("anonymous");
    DocumentMap anonymous = anonymousNode == null ? null : anonymousNode.map("uid", "gid");
    return new ExportConfiguration(
        path,
        ConfigurationReader.path(map.required("directory"), directory),
        target(map),
        ConfigurationReader.flag(map.optional("read-only"), false),
        squash(map.optional("squash")),
        number(anonymous, "uid"),
        number(anonymous, "gid"),
        clients(map.optional("clients")),
        ConfigurationReader.flag(map.optional("privileged-ports"), true),
        ConfigurationReader.flag(map.optional("manage-gids"), false));
  }

  private String target(DocumentMap map) {
    DocumentNode node = map.optional("target");
    if (node == null) {
      if (targets.size() > 1) {
        throw map.error("expected the key \"target\", because there are several targets");
      }
      return targets.getFirst();
    }
    String name = node.text();
    if (!targets.contains(name)) {
      throw node.error(
          "there is no such target; there are "
              + String.join(", ", targets)
              + Suggestion.of(name, targets));
    }
    return name;
  }

  private static ExportConfiguration.Squash squash(@Nullable DocumentNode node) {
    return node == null
        ? ExportConfiguration.Squash.ROOT
        : ExportConfiguration.Squash.valueOf(
            node.oneOf(List.of("root", "all", "none")).toUpperCase(Locale.ROOT));
  }

  private static int number(@Nullable DocumentMap anonymous, String key) {
    DocumentNode node = anonymous == null ? null : anonymous.optional(key);
    return (int) (node == null ? NOBODY : node.whole(0, UID_MAX));
  }

  private static List<Network> clients(@Nullable DocumentNode node) {
    if (node == null) {
      return LOOPBACK;
    }
    List<Network> networks = node.list().stream().map(item -> item.parsed(Network::parse)).toList();
    if (networks.isEmpty()) {
      throw node.error("expected at least one address or network; [\"::/0\"] is everybody");
    }
    return networks;
  }
}
