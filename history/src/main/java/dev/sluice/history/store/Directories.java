package dev.sluice.history.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Puts the names in a directory on disk: a file whose name is lost is lost, however well kept. */
final class Directories {
  private Directories() {}

  static void sync(Path directory) throws IOException {
    try (FileChannel names = FileChannel.open(directory, StandardOpenOption.READ)) {
      names.force(true);
    }
  }
}
