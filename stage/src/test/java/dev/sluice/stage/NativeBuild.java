package dev.sluice.stage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testkit.InstalledPrograms;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/** The programs that native/build makes for the tests. */
public final class NativeBuild {
  private static final long PATIENCE_SECONDS = 120;

  /** What a program said, standard error included, and how it ended. */
  public record Ended(int code, String output) {
    public Ended assertSucceeded() {
      assertThat(code).as(output).isZero();
      return this;
    }
  }

  private NativeBuild() {}

  /** One of the programs. Where there is no C compiler there is none, and nothing to test. */
  public static Path program(String name) {
    Path program = Path.of("target", "native", name).toAbsolutePath();
    Assumptions.assumeTrue(Files.exists(program), program + " was not built: no C compiler");
    return program;
  }

  /** Whether a program of the system is there; where it is not, the test is skipped. */
  public static void assumeInstalled(String command) {
    Assumptions.assumeTrue(InstalledPrograms.have(command), command + " is not installed");
  }

  public static Ended run(Map<String, String> environment, Path directory, List<String> command)
      throws IOException, InterruptedException {
    Process process = start(environment, directory, command);
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new AssertionError(command + " does not end; so far: " + output);
    }
    return new Ended(process.exitValue(), output);
  }

  public static Process start(Map<String, String> environment, Path directory, List<String> command)
      throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true);
    builder.environment().putAll(environment);
    builder.environment().put("LC_ALL", "C");
    return builder.start();
  }
}
