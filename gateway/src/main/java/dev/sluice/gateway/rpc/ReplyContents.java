package dev.sluice.gateway.rpc;

import dev.sluice.gateway.files.Caller;
import dev.sluice.gateway.files.FileException;
import dev.sluice.gateway.files.FileNode;
import dev.sluice.gateway.files.FileTree;
import dev.sluice.gateway.memory.PipePool;
import dev.sluice.gateway.posix.Pipe;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The contents of a file in a reply. They are read to where they stand among the results or, once
 * in a reply where that is worth it, to a pipe, from which they are sent without ever having been
 * copied. For one thread at a time.
 */
public final class ReplyContents {
  /** Contents that all stand among the results. */
  public static final ReplyContents COPIED = new ReplyContents(null);

  /** Less is copied as quickly as it goes through a pipe, by measurement. */
  static final int PIPED_BYTES_MIN = 128 << 10;

  private final PipePool.@Nullable Share pipes;
  private @Nullable Pipe pipe;
  private int position;

  /**
   * @param pipes where a pipe comes from; null where everything is copied
   */
  ReplyContents(PipePool.@Nullable Share pipes) {
    this.pipes = pipes;
  }

  /**
   * Reads contents of a file for which there is room in a buffer from this position on. Afterwards
   * the buffer's position is behind those that are in it: what follows them in the reply is written
   * there.
   *
   * @return how many bytes
   */
  public int read(
      FileTree tree,
      FileNode file,
      long offset,
      int count,
      Caller caller,
      ByteBuffer buffer,
      int at)
      throws FileException {
    if (count >= PIPED_BYTES_MIN && pipe == null && pipes != null) {
      int piped = readToPipe(pipes, tree, file, offset, count, caller);
      if (piped != FileTree.NOT_PIPED) {
        position = at;
        buffer.position(at);
        return piped;
      }
    }
    int limit = buffer.limit();
    try {
      buffer.limit(at + count).position(at);
      return tree.read(file, offset, buffer, caller);
    } finally {
      buffer.limit(limit);
    }
  }

  private int readToPipe(
      PipePool.Share from, FileTree tree, FileNode file, long offset, int count, Caller caller)
      throws FileException {
    Pipe taken = from.take();
    if (taken == null) {
      return FileTree.NOT_PIPED;
    }
    int read = FileTree.NOT_PIPED;
    try {
      read = tree.read(file, offset, count, taken, caller);
    } finally {
      if (read > 0) {
        pipe = taken;
      } else {
        from.giveBack(taken);
      }
    }
    return read;
  }

  /** How many bytes of the reply are in a pipe. */
  public int pipedBytes() {
    return pipe == null ? 0 : pipe.bytes();
  }

  /** The pipe, which the caller gives back; null when everything is in the buffer. */
  @Nullable Pipe takePipe() {
    Pipe taken = pipe;
    pipe = null;
    return taken;
  }

  /** Where in the buffer the pipe's contents belong. */
  int position() {
    return position;
  }

  /** Forgets what belongs behind a position: the results there are written anew. */
  public void forgetFrom(int start) {
    Pipe dropped = pipe;
    if (dropped != null && pipes != null && position >= start) {
      pipe = null;
      pipes.giveBack(dropped);
    }
  }
}
