package dev.sluice.app.keys;

import dev.sluice.access.AuditLog;
import dev.sluice.app.BadInputException;
import dev.sluice.app.FailedException;
import dev.sluice.store.keys.KeyDirectory;
import dev.sluice.store.keys.KeyException;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.function.Function;
import picocli.CommandLine.Option;

/** Where the keys are. */
final class KeysOption {
  @Option(
      names = "--keys",
      paramLabel = "DIRECTORY",
      description = "Where the keys are (default: ${DEFAULT-VALUE}).")
  String directory = "keys";

  /** Changes something, and notes down who did so. */
  <T> T change(String what, Function<KeyDirectory, T> work) {
    return with(keys -> {
      T done = work.apply(keys);
      try {
        new AuditLog(keys.directory(), InstantSource.system(), _ -> {}).append(who(), "keys", what);
      } catch (IOException e) {
        throw new FailedException("it was done, but is not noted down: " + e.getMessage(), e);
      }
      return done;
    });
  }

  private static String who() {
    String user = System.getProperty("user.name");
    String behind = System.getenv("SUDO_USER");
    return behind == null || behind.isEmpty() ? user : user + ", by sudo of " + behind;
  }

  /** Does something with them; what is wrong is said in one line. */
  <T> T with(Function<KeyDirectory, T> work) {
    try {
      return work.apply(new KeyDirectory(Path.of(directory)));
    } catch (InvalidPathException e) {
      throw new BadInputException("--keys: " + directory + ": expected a path", e);
    } catch (KeyException e) {
      throw new FailedException(String.valueOf(e.getMessage()), e);
    } catch (IllegalArgumentException e) {
      throw new BadInputException(String.valueOf(e.getMessage()), e);
    }
  }
}
