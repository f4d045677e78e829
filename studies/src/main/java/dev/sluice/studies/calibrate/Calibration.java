package dev.sluice.studies.calibrate;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.DoubleConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Measures what the storage behind a directory can do, in a directory of its own below it that is
 * removed again.
 *
 * <p>Contents go past the page cache where the file system lets them, and are synced with every
 * write where not; what is read then would come from memory, so reading is not measured.
 */
public final class Calibration implements AutoCloseable {
  /**
   * Past the page cache. Found by name, because the compiler warns of everything in its package;
   * where there is no such option, nothing goes past the cache.
   */
  private static final @Nullable OpenOption DIRECT = directOption();

  private static final int BLOCK_BYTES = 1 << 20;
  private static final int ALIGNMENT = 4_096;
  private static final int STREAMS = 4;
  private static final int OPERATORS = 8;
  private static final long SPACE_MAX = 4L << 30;

  /** What is left to others of the free space. */
  private static final int SPACE_PART = 4;

  private static final int FILES_PER_OPERATOR = 64;
  private static final int OPERATIONS_PER_FILE = 4;

  private final Path directory;
  private final boolean direct;
  private final long fileBytes;
  private final ExecutorService threads =
      Executors.newCachedThreadPool(Thread.ofPlatform().name("calibrate-", 0).daemon().factory());

  /**
   * What was measured.
   *
   * @param readBytesPerSecond null where reading would only have shown how fast memory is
   */
  public record Result(
      double writtenBytesPerSecond,
      @Nullable Double readBytesPerSecond,
      double operationsPerSecond,
      boolean direct) {
    /** What both directions can have. */
    public double bytesPerSecond() {
      return readBytesPerSecond == null
          ? writtenBytesPerSecond
          : Math.min(writtenBytesPerSecond, readBytesPerSecond);
    }
  }

  /** Prepares to measure below this directory. */
  public Calibration(Path below) throws IOException {
    FileStore store = Files.getFileStore(below);
    long space = Math.min(SPACE_MAX, store.getUsableSpace() / SPACE_PART);
    fileBytes = space / STREAMS / BLOCK_BYTES * BLOCK_BYTES;
    if (fileBytes == 0) {
      throw new IOException(
          "expected at least "
              + (((long) SPACE_PART * STREAMS * BLOCK_BYTES) >> 20)
              + " MiB of free space");
    }
    directory = Files.createTempDirectory(below, ".sluice-calibrate-");
    direct = takesDirect();
  }

  private static @Nullable OpenOption directOption() {
    try {
      for (Object option :
          Class.forName("com.sun.nio.file.ExtendedOpenOption").getEnumConstants()) {
        if (option instanceof OpenOption open && option.toString().equals("DIRECT")) {
          return open;
        }
      }
    } catch (ClassNotFoundException e) {
      return null;
    }
    return null;
  }

  private boolean takesDirect() {
    if (DIRECT == null) {
      return false;
    }
    Path file = directory.resolve("direct");
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, DIRECT)) {
      channel.write(block(), 0);
      return true;
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }

  /**
   * Measures for about so long.
   *
   * @param progress told the part that is done
   */
  public Result run(long nanos, DoubleConsumer progress) throws IOException, InterruptedException {
    double write = phase(STREAMS, nanos * 2 / 5, 0, 0.4, progress, this::write);
    Double read = direct ? phase(STREAMS, nanos * 3 / 10, 0.4, 0.7, progress, this::read) : null;
    double operations =
        phase(OPERATORS, nanos * 3 / 10, direct ? 0.7 : 0.4, 1, progress, this::operate);
    return new Result(write, read, operations, direct);
  }

  /** Work that one thread does again and again until the time is over; how much it did. */
  private interface Work {
    long until(long deadlineNanos, int thread) throws IOException;
  }

  private double phase(
      int count, long nanos, double from, double to, DoubleConsumer progress, Work work)
      throws IOException, InterruptedException {
    long start = System.nanoTime();
    long deadline = start + nanos;
    List<Future<Long>> running = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int thread = i;
      Callable<Long> task = () -> work.until(deadline, thread);
      running.add(threads.submit(task));
    }
    while (System.nanoTime() < deadline && running.stream().anyMatch(task -> !task.isDone())) {
      double done = (double) (System.nanoTime() - start) / nanos;
      progress.accept(from + (to - from) * Math.min(1, done));
      Thread.sleep(50);
    }
    long sum = 0;
    for (Future<Long> task : running) {
      try {
        sum += task.get();
      } catch (ExecutionException e) {
        throw new IOException(String.valueOf(e.getCause() == null ? e : e.getCause()), e);
      }
    }
    progress.accept(to);
    return sum / ((System.nanoTime() - start) / 1e9);
  }

  /** What keeps the page cache from lying. */
  private OpenOption cachePassing() {
    return direct && DIRECT != null ? DIRECT : StandardOpenOption.DSYNC;
  }

  private Path file(int stream) {
    return directory.resolve("stream-" + stream);
  }

  private static ByteBuffer block() {
    return ByteBuffer.allocateDirect(BLOCK_BYTES + ALIGNMENT)
        .alignedSlice(ALIGNMENT)
        .limit(BLOCK_BYTES);
  }

  private long write(long deadlineNanos, int stream) throws IOException {
    Set<OpenOption> options =
        Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, cachePassing());
    long written = 0;
    ByteBuffer block = block();
    // Not zeros: some storage makes nothing of them.
    byte[] noise = new byte[BLOCK_BYTES];
    new SplittableRandom(stream).nextBytes(noise);
    block.put(noise);
    try (FileChannel channel = FileChannel.open(file(stream), options)) {
      do {
        block.position(0).limit(BLOCK_BYTES);
        written += channel.write(block, written % fileBytes);
      } while (System.nanoTime() < deadlineNanos);
      channel.force(true);
    }
    return written;
  }

  private long read(long deadlineNanos, int stream) throws IOException {
    long read = 0;
    ByteBuffer block = block();
    try (FileChannel channel =
        FileChannel.open(file(stream), StandardOpenOption.READ, cachePassing())) {
      long size = channel.size() / BLOCK_BYTES * BLOCK_BYTES;
      do {
        block.position(0).limit(BLOCK_BYTES);
        read += Math.max(0, channel.read(block, read % size));
      } while (System.nanoTime() < deadlineNanos);
    }
    return read;
  }

  /** Makes, looks at, renames and removes small files. */
  private long operate(long deadlineNanos, int thread) throws IOException {
    long operations = 0;
    do {
      for (int i = 0; i < FILES_PER_OPERATOR && System.nanoTime() < deadlineNanos; i++) {
        Path made = directory.resolve("file-" + thread + "-" + i);
        Path renamed = directory.resolve("renamed-" + thread + "-" + i);
        Files.createFile(made);
        Files.getLastModifiedTime(made);
        Files.move(made, renamed);
        Files.delete(renamed);
        operations += OPERATIONS_PER_FILE;
      }
    } while (System.nanoTime() < deadlineNanos);
    return operations;
  }

  /** Takes away all that was made, also while threads are still at work. */
  @Override
  public void close() {
    threads.shutdownNow();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        Files.deleteIfExists(file);
      }
      Files.deleteIfExists(directory);
    } catch (IOException e) {
      // It stays behind under a name that says what it is; there is nothing better to do.
    }
  }
}
