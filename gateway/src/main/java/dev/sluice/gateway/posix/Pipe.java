package dev.sluice.gateway.posix;

import org.jspecify.annotations.Nullable;

/**
 * A pipe that file contents go through on their way to a client: what is in it are the pages of the
 * file themselves, and nobody has copied them. For one thread at a time.
 */
public final class Pipe {
  /** What one holds at most, unless a file's contents begin within a page. */
  public static final int BYTES_MAX = 1 << 20;

  /** The smallest that there are: a pipe counts pages, also those of which it has a part. */
  private static final int PAGE_BYTES = 4096;

  private final int entrance;
  private final int exit;
  private int bytes;

  private Pipe(int entrance, int exit) {
    this.entrance = entrance;
    this.exit = exit;
  }

  /** One more; null when the system gives none, or none that is large enough. */
  public static @Nullable Pipe open(SystemCalls calls) {
    if (calls.openPipe() < 0) {
      return null;
    }
    Pipe pipe = new Pipe(calls.pipeEntrance(), calls.pipeExit());
    if (calls.resizePipe(pipe.entrance, BYTES_MAX) < BYTES_MAX) {
      pipe.close(calls);
      return null;
    }
    return pipe;
  }

  /** Whether so many bytes of a file fit into an empty one. */
  public static boolean hasRoomFor(long offset, int count) {
    return (offset & (PAGE_BYTES - 1)) + count <= BYTES_MAX;
  }

  /**
   * Puts contents of a file behind what is in it; never waits for room.
   *
   * @return how many bytes, which may be fewer; 0 at the end of the file; or a negated {@link
   *     Errno}: EINVAL where the file's contents cannot go this way, EAGAIN where there is no room
   */
  public int fill(int descriptor, long offset, int count, SystemCalls calls) {
    int moved = calls.moveToPipe(descriptor, offset, entrance, count);
    bytes += Math.max(0, moved);
    return moved;
  }

  /** How much is in it. */
  public int bytes() {
    return bytes;
  }

  /** Where its contents come out; who takes them says so by {@link #taken}. */
  public int exit() {
    return exit;
  }

  /** So many bytes were taken out. */
  public void taken(int count) {
    if (count > bytes) {
      throw new IllegalArgumentException(count + " bytes were taken of " + bytes);
    }
    bytes -= count;
  }

  /** Gives it back to the system with what is in it. */
  public void close(SystemCalls calls) {
    calls.close(entrance);
    calls.close(exit);
  }
}
