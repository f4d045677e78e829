package dev.sluice.stage.files;

import java.io.IOException;
import java.nio.file.Path;

/** A job's state, read without being its agent. */
public final class StateFiles {
  private StateFiles() {}

  public static StateFile open(Path jobDirectory) throws IOException {
    return StateFile.open(jobDirectory.resolve("state"));
  }
}
