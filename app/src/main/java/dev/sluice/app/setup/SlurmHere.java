package dev.sluice.app.setup;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Whether this machine can ask Slurm. */
final class SlurmHere {
  private SlurmHere() {}

  static boolean isHere() {
    String search = System.getenv().getOrDefault("PATH", "");
    return Stream.of(search.split(":", -1))
        .filter(directory -> !directory.isEmpty())
        .anyMatch(directory -> Files.isExecutable(Path.of(directory, "squeue")));
  }
}
