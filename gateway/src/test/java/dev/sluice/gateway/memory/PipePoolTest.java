package dev.sluice.gateway.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.gateway.posix.OpenFlags;
import dev.sluice.gateway.posix.Pipe;
import dev.sluice.gateway.posix.SystemCalls;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PipePoolTest {
  @TempDir private Path temporary;

  @Test
  void givesAConnectionItsPartAndAllTogetherNoMoreThanThereAre() {
    try (PipePool pool = new PipePool(3, 2, 3, Pipe.ROOMY_BYTES)) {
      PipePool.Share one = pool.share();
      PipePool.Share other = pool.share();
      Pipe first = taken(one);
      taken(one);
      assertThat(one.take()).isNull();
      taken(other);
      assertThat(other.take()).as("all are out").isNull();
      assertThat(pool.out()).isEqualTo(3);
      one.giveBack(first);
      assertThat(other.take()).as("the one that came back").isSameAs(first);
    }
  }

  @Test
  void keepsNoneThatSomethingIsLeftIn() throws Exception {
    Path file = Files.write(temporary.resolve("file"), new byte[100]);
    SystemCalls calls = SystemCalls.ofThisThread();
    try (PipePool pool = new PipePool(1, 1, 1, Pipe.ROOMY_BYTES)) {
      PipePool.Share share = pool.share();
      Pipe used = taken(share);
      int descriptor =
          calls.open(
              file.toString().getBytes(StandardCharsets.UTF_8),
              OpenFlags.READ_ONLY | OpenFlags.CLOSE_ON_EXEC);
      assertThat(used.fill(descriptor, 10, 200, calls)).isEqualTo(90);
      assertThat(used.fill(descriptor, 100, 200, calls)).as("at the end").isZero();
      calls.close(descriptor);
      share.giveBack(used);
      assertThat(taken(share)).isNotSameAs(used);
    }
  }

  @Test
  void complainsWhenOneComesBackTwice() {
    try (PipePool pool = new PipePool(2, 2, 2, Pipe.ROOMY_BYTES)) {
      PipePool.Share share = pool.share();
      Pipe pipe = taken(share);
      share.giveBack(pipe);
      assertThatThrownBy(() -> share.giveBack(pipe)).isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void leavesNothingBehind() throws Exception {
    int before = openDescriptors();
    PipePool pool = new PipePool(8, 4, 2, Pipe.ROOMY_BYTES);
    try (ExecutorService threads = Executors.newFixedThreadPool(6)) {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        PipePool.Share share = pool.share();
        running.add(threads.submit(() -> takeAndGiveBack(share)));
      }
      for (Future<?> each : running) {
        each.get();
      }
    }
    assertThat(pool.out()).isZero();
    PipePool.Share late = pool.share();
    Pipe out = taken(late);
    pool.close();
    assertThat(late.take()).isNull();
    late.giveBack(out);
    assertThat(openDescriptors()).isLessThanOrEqualTo(before);
  }

  private static void takeAndGiveBack(PipePool.Share share) {
    for (int i = 0; i < 200; i++) {
      List<Pipe> taken = new ArrayList<>();
      for (Pipe pipe = share.take(); pipe != null; pipe = share.take()) {
        taken.add(pipe);
      }
      assertThat(taken).hasSizeLessThanOrEqualTo(4);
      taken.forEach(share::giveBack);
    }
  }

  private static Pipe taken(PipePool.Share share) {
    return Objects.requireNonNull(share.take());
  }

  private static int openDescriptors() {
    return Objects.requireNonNull(Path.of("/proc/self/fd").toFile().list()).length;
  }
}
