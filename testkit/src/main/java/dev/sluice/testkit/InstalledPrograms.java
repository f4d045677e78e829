package dev.sluice.testkit;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Which programs that others wrote are on this machine. */
public final class InstalledPrograms {
  /** Not everybody's path has these, and daemons live there. */
  private static final List<String> DAEMONS = List.of("/usr/local/sbin", "/usr/sbin", "/sbin");

  private InstalledPrograms() {}

  /** Whether a program is where shells look for programs, or daemons are. */
  public static boolean have(String program) {
    String path = System.getenv().getOrDefault("PATH", "");
    return Stream.concat(Stream.of(path.split(File.pathSeparator, -1)), DAEMONS.stream())
        .anyMatch(directory -> Files.isExecutable(Path.of(directory, program)));
  }
}
