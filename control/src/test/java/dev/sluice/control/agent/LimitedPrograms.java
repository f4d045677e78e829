package dev.sluice.control.agent;

import dev.sluice.stage.files.StageDirectory;
import dev.sluice.stage.library.PreloadLibrary;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/** Programs that run under the stage. */
final class LimitedPrograms {
  /** Asks for a file's attributes again and again; at the end prints the longest time for one. */
  private static final String SCRIPT =
      """
      import os, sys, time
      until = time.monotonic() + float(sys.argv[2])
      worst = 0.0
      before = time.monotonic()
      while before < until:
          os.stat(sys.argv[1])
          now = time.monotonic()
          worst = max(worst, now - before)
          before = now
      print(worst)
      """;

  private LimitedPrograms() {}

  static void assumeBuilt() {
    Assumptions.assumeTrue(
        PreloadLibrary.find().isPresent(), "libsluice.so was not built: no C compiler");
  }

  /** Whether the files of a job are finished: they are there some time before. */
  static boolean canStart(Path jobDirectory) {
    try {
      return !StageDirectory.entry(jobDirectory).isEmpty();
    } catch (IOException e) {
      return false;
    }
  }

  /** Starts a program of a job. */
  static Process start(Path jobDirectory, Path file, double seconds) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
            List.of("python3", "-c", SCRIPT, file.toString(), String.valueOf(seconds)));
    PreloadLibrary.enter(builder.environment(), jobDirectory);
    return builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  /** The longest that a program waited for one call, in seconds; waits until it has ended. */
  static double worstSeconds(Process program) throws IOException, InterruptedException {
    String said = new String(program.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!program.waitFor(60, TimeUnit.SECONDS) || program.exitValue() != 0) {
      throw new AssertionError("a program failed: " + said);
    }
    return Double.parseDouble(said.strip());
  }
}
