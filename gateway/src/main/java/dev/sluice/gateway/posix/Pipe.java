package dev.sluice.gateway.posix;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A pipe that file contents go through on their way between a file and a socket. What is in it are
 * pages that another has: the file, or the network that they came by; nobody has copied them. For
 * one thread at a time.
 */
public final class Pipe {
  /** What each holds at least, unless a file's contents begin within a page. */
  public static final int BYTES_MIN = 1 << 20;

  /** The smallest that there are: a pipe counts pages, also those of which it has a part. */
  private static final int PAGE_BYTES = 4096;

  /**
   * What is good to have, and given to whoever has CAP_SYS_RESOURCE. The network brings contents in
   * pieces, each of which takes the place of a page: with this many places 1 MiB has room in
   * packets of 1,500 bytes.
   */
  public static final int ROOMY_BYTES = 4 << 20;

  private final int entrance;
  private final int exit;
  private final int capacity;
  private int bytes;

  private Pipe(int entrance, int exit, int capacity) {
    this.entrance = entrance;
    this.exit = exit;
    this.capacity = capacity;
  }

  /**
   * One more, as large as the system gives it: others than those who have CAP_SYS_RESOURCE get what
   * /proc/sys/fs/pipe-max-size says.
   *
   * @param wantedBytes how much it should hold
   * @return null when the system gives none, or none that is large enough
   */
  public static @Nullable Pipe open(int wantedBytes, SystemCalls calls) {
    if (calls.openPipe() < 0) {
      return null;
    }
    int entrance = calls.pipeEntrance();
    int exit = calls.pipeExit();
    for (int size : new int[] {wantedBytes, ROOMY_BYTES, BYTES_MIN}) {
      int given = calls.resizePipe(entrance, size);
      if (given >= BYTES_MIN) {
        return new Pipe(entrance, exit, given);
      }
    }
    calls.close(entrance);
    calls.close(exit);
    return null;
  }

  /** Whether so many bytes of a file fit into it while it is empty. */
  public boolean hasRoomFor(long offset, int count) {
    return (offset & (PAGE_BYTES - 1)) + count <= capacity;
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

  /**
   * Puts a copy of what a direct buffer has behind what is in it, whose position moves on. The
   * caller knows that there is room: else this waits for ever.
   *
   * @return how many bytes, or a negated {@link Errno}
   */
  public int put(ByteBuffer from, SystemCalls calls) {
    int moved = calls.writePipe(entrance, from);
    bytes += Math.max(0, moved);
    return moved;
  }

  /**
   * Writes what is in it to a file.
   *
   * @return how many bytes, which may be fewer; or a negated {@link Errno}: EINVAL where the file
   *     takes nothing that comes this way
   */
  public int pour(int descriptor, long offset, SystemCalls calls) {
    int moved = calls.moveFromPipe(exit, descriptor, offset, bytes);
    taken(Math.max(0, moved));
    return moved;
  }

  /**
   * Copies what is in it to a direct buffer that has room for all of it, and whose position moves
   * on.
   *
   * @return 0, or a negated {@link Errno}
   */
  public int pour(ByteBuffer into, SystemCalls calls) {
    int limit = into.limit();
    into.limit(into.position() + bytes);
    try {
      while (bytes > 0) {
        int moved = calls.readPipe(exit, into);
        if (moved <= 0) {
          return moved < 0 ? moved : -Errno.EIO;
        }
        taken(moved);
      }
      return 0;
    } finally {
      into.limit(limit);
    }
  }

  /** How much is in it. */
  public int bytes() {
    return bytes;
  }

  /** Where contents are put in; who puts some there says so by {@link #added}. */
  public int entrance() {
    return entrance;
  }

  /** So many bytes were put in. */
  public void added(int count) {
    bytes += count;
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
