package dev.sluice.app;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Which configuration a program runs by, or the one that is asked. */
public final class ConfigurationFile {
  @Option(
      names = {"-c", "--config"},
      paramLabel = "FILE",
      description = "The configuration (default: ${DEFAULT-VALUE}).")
  String file;

  /**
   * @param standard its name where nobody gives another
   */
  public ConfigurationFile(String standard) {
    this.file = standard;
  }

  public Path path() {
    try {
      return Path.of(file);
    } catch (InvalidPathException e) {
      throw new BadInputException("\"" + file + "\": expected a path", e);
    }
  }

  /** As it was given. */
  @Override
  public String toString() {
    return file;
  }
}
