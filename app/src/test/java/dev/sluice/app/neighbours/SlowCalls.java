package dev.sluice.app.neighbours;

import dev.sluice.app.endurance.GatewayProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** Holds up some of a program's system calls, with strace, as storage does that is in trouble. */
final class SlowCalls implements AutoCloseable {
  private static final Path STRACE = Path.of("/usr/bin/strace");

  private final Process strace;
  private final Path traced;

  private SlowCalls(Process strace, Path traced) {
    this.strace = strace;
    this.traced = traced;
  }

  /** Begins, and returns once the program is traced, or cannot be. */
  static SlowCalls on(long pid, String calls, int millis) throws IOException {
    Path traced = Path.of("/proc", Long.toString(pid), "status");
    Process strace =
        new ProcessBuilder(
                Files.isExecutable(STRACE) ? STRACE.toString() : "false",
                "-f",
                "-qq",
                "-o",
                "/dev/null",
                "-e",
                "trace=" + calls,
                "-e",
                "inject=" + calls + ":delay_enter=" + millis * 1_000L,
                "-p",
                Long.toString(pid))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    SlowCalls slow = new SlowCalls(strace, traced);
    for (int i = 0; i < 500 && strace.isAlive() && !slow.work(); i++) {
      GatewayProcess.pauseMillis(10);
    }
    return slow;
  }

  /** Whether the program is traced. */
  boolean work() throws IOException {
    return strace.isAlive()
        && Files.readAllLines(traced).stream()
            .anyMatch(line -> line.equals("TracerPid:\t" + strace.pid()));
  }

  /** Politely: strace lets go of the program then. */
  @Override
  public void close() {
    strace.destroy();
    try {
      if (!strace.waitFor(10, TimeUnit.SECONDS)) {
        strace.destroyForcibly();
      }
    } catch (InterruptedException e) {
      strace.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
