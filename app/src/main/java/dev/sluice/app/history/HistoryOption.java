package dev.sluice.app.history;

import dev.sluice.app.BadInputException;
import dev.sluice.app.FailedException;
import dev.sluice.app.Policies;
import dev.sluice.gateway.config.ConfigurationReader;
import dev.sluice.history.store.HistoryFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Whose history a command is about. */
final class HistoryOption {
  private static final String CONFIGURATION = "sluice.yaml";

  @Option(
      names = {"-c", "--config"},
      paramLabel = "FILE",
      description =
          "The configuration of the gateway that keeps it (default: ./sluice.yaml if there is"
              + " one).")
  @Nullable String configuration;

  @Option(
      names = "--history",
      paramLabel = "DIR",
      description = "The directory where it is kept, wherever it came from.")
  @Nullable String directory;

  /** The history, which has something in it. */
  HistoryFiles files() {
    Path path = path();
    HistoryFiles files = new HistoryFiles(path);
    try {
      if (files.isEmpty()) {
        throw new BadInputException(
            path
                + ": there is no history here; ./sluice serve keeps some unless its configuration"
                + " says history: off, -c FILE or --history DIR names another");
      }
    } catch (IOException e) {
      throw new FailedException(path + ": cannot be read: " + e.getMessage(), e);
    }
    return files;
  }

  private Path path() {
    try {
      if (directory != null) {
        return Path.of(directory);
      }
      Path file = Path.of(configuration == null ? CONFIGURATION : configuration);
      if (configuration != null || Files.exists(file)) {
        return HistorySettings.read(file)
            .directoryIn(ConfigurationReader.read(file, Policies.ALL).state());
      }
    } catch (InvalidPathException e) {
      throw new BadInputException(e.getInput() + ": expected a path", e);
    }
    return ConfigurationReader.defaultState(Path.of("")).resolve("history");
  }
}
