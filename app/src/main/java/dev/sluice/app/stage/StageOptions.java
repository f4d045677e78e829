package dev.sluice.app.stage;

import dev.sluice.app.BadInputException;
import dev.sluice.core.model.JobId;
import dev.sluice.stage.files.StageDirectory;
import dev.sluice.stage.limit.LimitChange;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where a node's agents keep their files. */
final class StageOptions {
  @Option(
      names = "--directory",
      paramLabel = "DIR",
      description =
          "Where jobs' files are (default: /run/sluice for root, a private directory for others).")
  @Nullable String directory;

  StageDirectory directory() {
    return directory == null
        ? StageDirectory.ofThisUser()
        : new StageDirectory(path(directory).toAbsolutePath());
  }

  static Path path(String text) {
    try {
      return Path.of(text);
    } catch (InvalidPathException e) {
      throw new BadInputException("\"" + text + "\": expected a path", e);
    }
  }

  static JobId job(String text) {
    try {
      return JobId.of(text);
    } catch (IllegalArgumentException e) {
      throw new BadInputException("\"" + text + "\": " + e.getMessage(), e);
    }
  }

  static List<LimitChange> limits(List<String> texts) {
    try {
      return texts.isEmpty() ? List.of() : LimitChange.parse(String.join(",", texts));
    } catch (IllegalArgumentException e) {
      throw new BadInputException(String.valueOf(e.getMessage()), e);
    }
  }
}
