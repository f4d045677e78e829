package dev.sluice.app.endurance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * The time of day as one process sees it, which jumps when it is told to, as when somebody sets the
 * clock of its machine. Made by a library that is loaded before the C library; the clocks that
 * nobody can set go on.
 */
final class JumpingClock {
  private static final String SOURCE = "clock_jump.c";

  private final Path offset;
  private final Path library;

  /** Makes one; needs a C compiler. */
  JumpingClock(Path directory) throws IOException, InterruptedException {
    Path source = directory.resolve(SOURCE);
    try (InputStream in = JumpingClock.class.getResourceAsStream(SOURCE)) {
      Files.copy(Objects.requireNonNull(in, SOURCE), source, StandardCopyOption.REPLACE_EXISTING);
    }
    library = directory.resolve("clock_jump.so");
    offset = directory.resolve("clock-offset");
    Process compiler =
        new ProcessBuilder(
                "cc",
                "-O2",
                "-shared",
                "-fPIC",
                "-o",
                library.toString(),
                source.toString(),
                "-ldl")
            .redirectErrorStream(true)
            .start();
    String said = new String(compiler.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(compiler.waitFor()).as(said).isZero();
    jump(Duration.ZERO);
  }

  /** What runs a command with this clock. */
  List<String> within() {
    return List.of("env", "LD_PRELOAD=" + library, "CLOCK_OFFSET_FILE=" + offset);
  }

  /** From now on the clock is so far from the right time. */
  void jump(Duration by) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
    // In place: the process has the file in its memory.
    try (FileChannel file =
        FileChannel.open(offset, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      file.write(bytes.putLong(0, by.toSeconds()), 0);
    }
  }
}
