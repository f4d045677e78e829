package dev.sluice.app.setup;

import dev.sluice.app.BadInputException;
import dev.sluice.core.policy.registry.PolicyRegistry;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A gateway's configuration to begin with.
 *
 * @param clients who may mount, all that is served
 * @param slurm whether jobs are known from Slurm
 */
record FirstConfiguration(List<Served> served, List<String> clients, boolean slurm) {
  /** The line of it that {@code setup --enforce} changes, as a pattern. */
  static final String OBSERVING_LINE = "(?m)^observe-only: true\\b";

  FirstConfiguration {
    served = List.copyOf(served);
    clients = List.copyOf(clients);
  }

  /**
   * A directory, and the path that clients mount it by.
   *
   * @param directory absolute
   */
  record Served(Path directory, String path) {
    /** From {@code DIR} or {@code DIR=PATH}. */
    static Served parse(String text) {
      int equals = text.indexOf('=');
      String name = equals < 0 ? text : text.substring(0, equals);
      Path directory;
      try {
        directory = Path.of(name).toAbsolutePath().normalize();
      } catch (InvalidPathException e) {
        throw new BadInputException("--export \"" + text + "\": expected a directory", e);
      }
      if (!Files.isDirectory(directory)) {
        throw new BadInputException(
            "--export " + text + ": " + directory + " is no directory; make it first");
      }
      return new Served(directory, equals < 0 ? directory.toString() : text.substring(equals + 1));
    }
  }

  String text() {
    StringBuilder text =
        new StringBuilder(
            """
            # Written by sluice setup; docs/gateway.md has all keys. A change holds within two
            # seconds of being saved, and sluice reload says what it changed.

            # Look first: all is measured and decided, nothing enforced. sluice report tells what
            # would have been done; sluice setup --enforce begins to do it.
            observe-only: true

            listen: 0.0.0.0
            """);
    text.append("# sluice policies tells of others.\npolicy: ");
    text.append(PolicyRegistry.OF_NEW_CONFIGURATIONS).append('\n');
    text.append("targets:\n  # What the storage can do is found out; sluice capacity says what is");
    text.append(" believed.\n  storage: {capacity: auto}\nexports:\n");
    String who = clients.stream().map(FirstConfiguration::quoted).collect(Collectors.joining(", "));
    for (Served each : served) {
      text.append("  ").append(quoted(each.path())).append(":\n    directory: ");
      text.append(quoted(each.directory().toString())).append("\n    clients: [").append(who);
      text.append("]\n");
    }
    text.append(
        slurm
            ? "# Whose jobs run where, as Slurm says.\njobs: {slurm: {}}\n"
            : "# Where Slurm is, jobs: {slurm: {}} has jobs charged, not users.\n");
    return text.toString();
  }

  private static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
