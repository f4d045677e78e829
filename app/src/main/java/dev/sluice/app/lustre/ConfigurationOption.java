package dev.sluice.app.lustre;

import dev.sluice.app.BadInputException;
import dev.sluice.lustre.config.LustreConfiguration;
import dev.sluice.lustre.config.LustreConfigurationReader;
import dev.sluice.lustre.lctl.Lctl;
import dev.sluice.lustre.lctl.ParameterFiles;
import dev.sluice.lustre.lctl.ProcessLctl;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Which configuration a command goes by. */
final class ConfigurationOption {
  @Option(
      names = {"-c", "--config"},
      paramLabel = "FILE",
      description = "The configuration (default: ${DEFAULT-VALUE}).")
  String file = "lustre.yaml";

  LustreConfiguration read() {
    return LustreConfigurationReader.read(path());
  }

  Path path() {
    try {
      return Path.of(file);
    } catch (InvalidPathException e) {
      throw new BadInputException("\"" + file + "\": expected a path", e);
    }
  }

  static Lctl lctl(LustreConfiguration configuration) {
    Lctl program = new ProcessLctl(configuration.lctl(), configuration.patienceNanos());
    return new ParameterFiles(program, Path.of("/"), configuration.patienceNanos());
  }
}
