package dev.sluice.gateway.files;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.gateway.files.PosixTree.Identification;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** Where trees are tried: two kinds of file systems, both ways of knowing files. */
enum Ground {
  DISK(Path.of(System.getProperty("java.io.tmpdir")), Identification.BEST),
  DISK_BY_PATHS(Path.of(System.getProperty("java.io.tmpdir")), Identification.PATHS),
  MEMORY(Path.of("/dev/shm"), Identification.BEST),
  MEMORY_BY_PATHS(Path.of("/dev/shm"), Identification.PATHS);

  private final Path parent;
  private final Identification identification;

  Ground(Path parent, Identification identification) {
    this.parent = parent;
    this.identification = identification;
  }

  Identification identification() {
    return identification;
  }

  /** A new directory that everybody may read. */
  Path makeDirectory() throws IOException {
    assumeTrue(Files.isDirectory(parent), parent + " is not there");
    Path made = Files.createTempDirectory(parent, "tree");
    return Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
