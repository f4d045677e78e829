package dev.sluice.app;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Commands, such as {@code ip}, with which tests make networks of their own. */
public final class NetworkCommand {
  private NetworkCommand() {}

  /** Runs a command that must succeed. */
  public static void must(String... command) throws IOException {
    String refused = run(command);
    if (!refused.isEmpty()) {
      throw new IOException(String.join(" ", command) + ": " + refused);
    }
  }

  /** Runs a command; answers why it failed, or nothing. */
  public static String run(String... command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      int code = process.waitFor();
      return code == 0 ? "" : "exit code " + code + ": " + said.strip();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
