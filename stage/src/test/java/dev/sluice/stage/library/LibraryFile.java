package dev.sluice.stage.library;

import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/** The library as the build left it. */
public final class LibraryFile {
  private LibraryFile() {}

  public static Path path() {
    URL found = PreloadLibrary.class.getResource("libsluice.so");
    Assumptions.assumeTrue(found != null, "libsluice.so was not built: no C compiler");
    try {
      return Path.of(found.toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
