package dev.sluice.history.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The name of a new segment is on disk before a sample in it counts as kept. */
@Timeout(120)
class SyncedNamesTest {
  @TempDir Path directory;

  @Test
  void aNewSegmentsNameIsOnDiskBeforeItsFirstRecord() throws Exception {
    Assumptions.assumeTrue(canTrace(), "skipped: strace is not there, or may not trace");
    Path history = directory.resolve("history");
    Path calls = directory.resolve("calls");
    Process process =
        new ProcessBuilder(
                "strace",
                "-f",
                "-y",
                "-qq",
                "-e",
                "trace=openat,fsync,fdatasync",
                "-o",
                calls.toString(),
                System.getProperty("java.home") + "/bin/java",
                "-cp",
                System.getProperty("java.class.path"),
                KilledWriter.class.getName(),
                history.toString(),
                "1800000000")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try {
      assertThat(process.inputReader().readLine()).isEqualTo("1800000001");
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly().waitFor();
    }
    List<String> ofHistory;
    try (Stream<String> lines = Files.lines(calls)) {
      ofHistory = lines.filter(line -> line.contains(history.toString())).toList();
    }
    int created = first(ofHistory, "O_EXCL");
    int named = first(ofHistory.subList(created, ofHistory.size()), "fsync(", history + ">");
    int recorded = first(ofHistory, "fdatasync(", "second-");
    assertThat(created + named).isBetween(created + 1, recorded - 1);
  }

  private static int first(List<String> lines, String... parts) {
    for (int i = 0; i < lines.size(); i++) {
      if (Stream.of(parts).allMatch(lines.get(i)::contains)) {
        return i;
      }
    }
    throw new AssertionError("no call has " + List.of(parts) + " among " + lines);
  }

  private static boolean canTrace() throws InterruptedException {
    try {
      Process process =
          new ProcessBuilder("strace", "-qq", "-o", "/dev/null", "true")
              .redirectErrorStream(true)
              .start();
      return process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0;
    } catch (IOException e) {
      return false;
    }
  }
}
