package dev.sluice.app.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The numbers of the user and group that this program runs as. */
public record ThisUser(int uid, int gid) {
  private static final Path SELF = Path.of("/proc/self");

  public static ThisUser find() throws IOException {
    return new ThisUser(
        (int) Files.getAttribute(SELF, "unix:uid"), (int) Files.getAttribute(SELF, "unix:gid"));
  }
}
