package dev.sluice.stage.library;

import dev.sluice.stage.files.StageDirectory;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Map;

/** The library itself, which comes with these classes and goes where programs can load it. */
public final class PreloadLibrary {
  private static final String NAME = "libsluice.so";
  private static final String PRELOAD = "LD_PRELOAD";
  private static final String STAGE = "SLUICE_STAGE";

  private PreloadLibrary() {}

  /**
   * Puts the library into a directory, unless the same one is there.
   *
   * @return its path
   */
  public static Path install(StageDirectory directory) throws IOException {
    Path library = directory.path().resolve(NAME);
    byte[] content = content();
    if (Files.exists(library) && Arrays.equals(Files.readAllBytes(library), content)) {
      return library;
    }
    Path unnamed = directory.path().resolve("." + NAME + "." + ProcessHandle.current().pid());
    Files.write(unnamed, content);
    Files.setPosixFilePermissions(unnamed, PosixFilePermissions.fromString("rwxr-xr-x"));
    // Programs that have the old one loaded keep it.
    Files.move(unnamed, library, StandardCopyOption.ATOMIC_MOVE);
    return library;
  }

  /** Adds to an environment what makes a program, and all that it starts, one of a job's. */
  public static void enter(Map<String, String> environment, Path library, Path jobDirectory) {
    environment.merge(PRELOAD, library.toString(), (old, ours) -> ours + ":" + old);
    environment.put(STAGE, jobDirectory.toString());
  }

  private static byte[] content() throws IOException {
    try (InputStream content = PreloadLibrary.class.getResourceAsStream(NAME)) {
      if (content == null) {
        throw new IOException(
            NAME
                + " was not built: there was no C compiler. Install one (on Debian: apt-get install"
                + " gcc libc6-dev), remove the directory stage/target and start again");
      }
      return content.readAllBytes();
    }
  }
}
