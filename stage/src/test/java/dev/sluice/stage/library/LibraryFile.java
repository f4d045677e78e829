package dev.sluice.stage.library;

import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;

/** The library as the build left it. */
public final class LibraryFile {
  private LibraryFile() {}

  public static Path path() {
    Optional<Path> found = PreloadLibrary.find();
    Assumptions.assumeTrue(found.isPresent(), "libsluice.so was not built: no C compiler");
    return found.orElseThrow();
  }
}
