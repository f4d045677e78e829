package dev.sluice.app.coupons;

import dev.sluice.app.BadInputException;
import dev.sluice.app.Policies;
import dev.sluice.gateway.config.ConfigurationReader;
import dev.sluice.ledger.LedgerLocation;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which ledger a command looks into. */
final class LedgerOption {
  private static final String CONFIGURATION = "sluice.yaml";

  @Option(
      names = {"-c", "--config"},
      paramLabel = "FILE",
      description =
          "The configuration of the gateway whose ledger it is (default: ./sluice.yaml if there is"
              + " one). The gateway need not run.")
  @Nullable String configuration;

  @Option(
      names = "--ledger",
      paramLabel = "WHERE",
      description =
          "The ledger itself: a file, or postgresql://user@host:port/database. The password is"
              + " taken from ~/.pgpass or PGPASSWORD.")
  @Nullable String ledger;

  LedgerLocation location() {
    try {
      if (ledger != null) {
        return LedgerLocation.parse(ledger, Path.of("").toAbsolutePath());
      }
      Path file = Path.of(configuration == null ? CONFIGURATION : configuration);
      if (configuration != null || Files.exists(file)) {
        return ConfigurationReader.read(file, Policies.ALL).ledger();
      }
    } catch (InvalidPathException e) {
      throw new BadInputException(e.getInput() + ": expected a path", e);
    } catch (IllegalArgumentException e) {
      throw new BadInputException("--ledger: " + e.getMessage(), e);
    }
    Path state = ConfigurationReader.defaultState(Path.of("").toAbsolutePath());
    return new LedgerLocation.SqliteFile(state.resolve(ConfigurationReader.LEDGER));
  }
}
