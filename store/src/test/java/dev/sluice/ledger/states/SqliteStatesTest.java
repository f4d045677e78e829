package dev.sluice.ledger.states;

import dev.sluice.ledger.LedgerLocation;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteStatesTest extends SqlStatesContract {
  @TempDir private Path directory;

  @Override
  LedgerLocation location() {
    return new LedgerLocation.SqliteFile(directory.resolve("store.db"));
  }
}
