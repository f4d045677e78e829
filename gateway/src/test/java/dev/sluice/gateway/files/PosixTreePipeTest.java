package dev.sluice.gateway.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.gateway.memory.PipePool;
import dev.sluice.gateway.posix.Pipe;
import dev.sluice.gateway.rpc.PipedReplies;
import dev.sluice.nfs.nfs3.Nfs3Status;
import dev.sluice.testkit.SeededCases;
import java.io.RandomAccessFile;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Contents that nobody copies are those that would have been copied. */
class PosixTreePipeTest {
  private static final int PAGE_BYTES = 4096;

  @ParameterizedTest
  @EnumSource(
      value = Ground.class,
      names = {"DISK", "MEMORY"})
  void whatComesThroughAPipeIsWhatIsRead(Ground ground) throws Exception {
    try (TreeOnGround on = new TreeOnGround(ground);
        PipePool pool = new PipePool(1, 1, 1, Pipe.ROOMY_BYTES)) {
      FileHandle file = on.create(on.tree().root(), "file");
      byte[] content = new byte[5_000_000];
      SeededCases.forAll(
          40,
          random -> {
            random.nextBytes(content);
            on.setAttributes(file, TreeOnGround.size(0), Caller.ROOT);
            int hole = random.nextInt(3) * PAGE_BYTES;
            on.write(file, hole, content);
            long offset = random.nextInt(hole + content.length + 10_000);
            offset = random.nextBoolean() ? offset : offset / PAGE_BYTES * PAGE_BYTES;
            int count = 1 + random.nextInt(random.nextBoolean() ? 2 * Pipe.ROOMY_BYTES : 5_000);
            byte[] copied = on.read(file, offset, count);
            byte[] piped = readByPipe(on, file, offset, count, pool.share());
            if (hasRoomFor(offset, count, pool.share())) {
              assertThat(piped).isEqualTo(copied);
            } else {
              assertThat(piped).isNull();
            }
          });
    }
  }

  /** A pipe is as large as the system gives it. */
  private static boolean hasRoomFor(long offset, int count, PipePool.Share pipes) {
    Pipe pipe = Objects.requireNonNull(pipes.take());
    boolean hasRoom = pipe.hasRoomFor(offset, count);
    assertThat(hasRoom || count > Pipe.BYTES_MIN - PAGE_BYTES).isTrue();
    pipes.giveBack(pipe);
    return hasRoom;
  }

  private static byte @Nullable [] readByPipe(
      TreeOnGround on, FileHandle file, long offset, int count, PipePool.Share pipes)
      throws FileException {
    Pipe pipe = Objects.requireNonNull(pipes.take());
    try (FileNode node = on.open(file)) {
      int read = on.tree().read(node, offset, count, pipe, Caller.ROOT);
      if (read == FileTree.NOT_PIPED) {
        return null;
      }
      assertThat(pipe.bytes()).isEqualTo(read);
      return read == 0 ? new byte[0] : PipedReplies.drain(pipe);
    } finally {
      pipes.giveBack(pipe);
    }
  }

  @Test
  void whoMayNotReadGetsNothing() throws Exception {
    assumeTrue(PosixTree.actsAsCaller(), "only root can act as others");
    try (TreeOnGround on = new TreeOnGround(Ground.DISK);
        PipePool pool = new PipePool(1, 1, 1, Pipe.ROOMY_BYTES)) {
      FileHandle file = on.create(on.tree().root(), "secret");
      on.write(file, 0, new byte[100_000]);
      on.setAttributes(file, TreeOnGround.mode(0600), Caller.ROOT);
      PipePool.Share pipes = pool.share();
      Pipe pipe = Objects.requireNonNull(pipes.take());
      Caller stranger = new Caller(4_711, 4_711, new int[0]);
      try (FileNode node = on.open(file)) {
        assertThat(TreeOnGround.statusOf(() -> on.tree().read(node, 0, 100_000, pipe, stranger)))
            .isEqualTo(Nfs3Status.ACCES);
      }
      assertThat(pipe.bytes()).isZero();
      pipes.giveBack(pipe);
    }
  }

  /** Where a file is cut off and grows again meanwhile, there is what was written, or nothing. */
  @ParameterizedTest
  @EnumSource(
      value = Ground.class,
      names = {"DISK", "MEMORY"})
  void filesMayBeCutOffMeanwhile(Ground ground) throws Exception {
    try (TreeOnGround on = new TreeOnGround(ground);
        PipePool pool = new PipePool(1, 1, 1, Pipe.ROOMY_BYTES);
        ExecutorService other = Executors.newSingleThreadExecutor()) {
      FileHandle file = on.create(on.tree().root(), "file");
      AtomicBoolean done = new AtomicBoolean();
      Future<?> cutting =
          other.submit(() -> {
            byte[] ones = new byte[300_000];
            Arrays.fill(ones, (byte) 1);
            RandomGenerator random = RandomGenerator.getDefault();
            try (RandomAccessFile local =
                new RandomAccessFile(on.exported().resolve("file").toFile(), "rw")) {
              while (!done.get()) {
                local.setLength(random.nextInt(ones.length));
                local.seek(0);
                local.write(ones, 0, 1 + random.nextInt(ones.length - 1));
              }
            }
            return null;
          });
      try {
        for (int i = 0; i < 300; i++) {
          byte[] read = Objects.requireNonNull(readByPipe(on, file, 0, 300_000, pool.share()));
          for (byte each : read) {
            if (each != 0 && each != 1) {
              throw new AssertionError("nobody ever wrote " + each);
            }
          }
        }
      } finally {
        done.set(true);
        cutting.get();
      }
    }
  }
}
