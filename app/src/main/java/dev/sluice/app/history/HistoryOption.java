package dev.sluice.app.history;

import dev.sluice.app.BadInputException;
import dev.sluice.app.FailedException;
import dev.sluice.app.Policies;
import dev.sluice.control.config.ControllerConfiguration;
import dev.sluice.document.DocumentMap;
import dev.sluice.document.Documents;
import dev.sluice.gateway.config.ConfigurationReader;
import dev.sluice.history.store.HistoryFiles;
import dev.sluice.lustre.config.LustreConfigurationReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Whose history a command is about. */
final class HistoryOption {
  private static final String GATEWAY = "sluice.yaml";
  private static final String CONTROLLER = "controller.yaml";

  @Option(
      names = {"-c", "--config"},
      paramLabel = "FILE",
      description =
          "The configuration of the gateway, controller or Lustre service that keeps it (default:"
              + " ./sluice.yaml or ./controller.yaml, if there is one).")
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
                + ": there is no history here; ./sluice serve, ./sluice controller and ./sluice"
                + " lustre keep some unless their configuration says history: off, -c FILE or"
                + " --history DIR names another");
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
      if (configuration != null) {
        return pathIn(Path.of(configuration));
      }
      for (String standard : List.of(GATEWAY, CONTROLLER)) {
        if (Files.exists(Path.of(standard))) {
          return pathIn(Path.of(standard));
        }
      }
    } catch (InvalidPathException e) {
      throw new BadInputException(e.getInput() + ": expected a path", e);
    }
    return ConfigurationReader.defaultState(Path.of("")).resolve("history");
  }

  private static Path pathIn(Path file) {
    if (LustreConfigurationReader.isOne(file)) {
      return HistorySettings.read(file)
          .place()
          .directoryIn(LustreConfigurationReader.read(file).state());
    }
    DocumentMap map = Documents.read(file.toString(), InputStream.nullInputStream()).openMap();
    // No gateway goes without exports, and no controller knows the word.
    if (map.optional("exports") == null) {
      ControllerConfiguration controller = ControllerConfiguration.read(file);
      return controller.history().directoryIn(controller.state());
    }
    return HistorySettings.read(file)
        .place()
        .directoryIn(ConfigurationReader.read(file, Policies.ALL).state());
  }
}
