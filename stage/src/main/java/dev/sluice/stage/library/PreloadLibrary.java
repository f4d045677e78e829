package dev.sluice.stage.library;

import dev.sluice.stage.files.StageDirectory;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What is made of C: the library that is put in front of programs, and sluice-run beside it. Both
 * are used where they were installed or built; nothing is ever executed from where jobs' files are.
 */
public final class PreloadLibrary {
  /** Names the directory of both; whoever starts Sluice from a tree sets it. */
  public static final String DIRECTORY_PROPERTY = "sluice.native";

  private static final String NAME = "libsluice.so";
  private static final String RUN = "sluice-run";
  private static final Path INSTALLED = Path.of("/usr/lib/sluice");
  private static final String PRELOAD = "LD_PRELOAD";
  private static final String STAGE = "SLUICE_STAGE";

  private PreloadLibrary() {}

  /** The library; empty where it was not built. */
  public static Optional<Path> find() {
    return find(NAME);
  }

  /** The program that runs others under limits; empty where it was not built. */
  public static Optional<Path> findRun() {
    return find(RUN);
  }

  private static Optional<Path> find(String name) {
    return places().stream()
        .map(place -> place.resolve(name))
        .filter(Files::isReadable)
        .findFirst();
  }

  private static List<Path> places() {
    List<Path> places = new ArrayList<>();
    String told = System.getProperty(DIRECTORY_PROPERTY);
    if (told != null) {
      places.add(Path.of(told));
    }
    CodeSource source = PreloadLibrary.class.getProtectionDomain().getCodeSource();
    if (source != null && source.getLocation() != null) {
      try {
        // A build has it beside the classes, and beside their jar.
        places.add(Path.of(source.getLocation().toURI()).resolveSibling("run"));
      } catch (URISyntaxException e) {
        throw new IllegalStateException(e);
      }
    }
    places.add(INSTALLED);
    return places;
  }

  /**
   * The library.
   *
   * @throws IOException where it was not built
   */
  public static Path path() throws IOException {
    return find()
        .orElseThrow(() ->
            new IOException(
                NAME
                    + " was not built: there was no C compiler. Install one (on Debian: apt-get"
                    + " install gcc libc6-dev), remove the directory stage/target and start"
                    + " again"));
  }

  /**
   * Adds to an environment what makes a program, and all that it starts, one of a job's. What is
   * around it already holds too.
   */
  public static void enter(Map<String, String> environment, Path jobDirectory) throws IOException {
    environment.merge(PRELOAD, path().toString(), (old, ours) -> ours + ":" + old);
    environment.merge(STAGE, StageDirectory.entry(jobDirectory), (old, ours) -> old + ":" + ours);
  }
}
