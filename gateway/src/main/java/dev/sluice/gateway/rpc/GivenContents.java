package dev.sluice.gateway.rpc;

import dev.sluice.gateway.files.Caller;
import dev.sluice.gateway.files.FileException;
import dev.sluice.gateway.files.FileNode;
import dev.sluice.gateway.files.FileTree;
import dev.sluice.gateway.files.FileTree.Stability;
import dev.sluice.gateway.memory.BufferPool;
import dev.sluice.gateway.memory.NativeBuffer;
import dev.sluice.gateway.posix.Pipe;
import dev.sluice.gateway.posix.SystemCalls;
import dev.sluice.nfs.nfs3.Nfs3Status;
import dev.sluice.nfs.xdr.XdrException;
import dev.sluice.nfs.xdr.XdrReader;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The contents of files in a call that has them written. They stand among the arguments, but for
 * one run of bytes in a call where that was worth it: that one is in a pipe, and from there it is
 * written without ever having been copied by us. For one thread at a time.
 */
public final class GivenContents {
  /** Contents that all stand among the arguments. */
  public static final GivenContents AMONG_ARGUMENTS = new GivenContents(null, null, null, -1);

  private final @Nullable IncomingPipes pipes;
  private final @Nullable BufferPool pool;
  private final @Nullable Pipe pipe;
  private final int position;

  private GivenContents(
      @Nullable IncomingPipes pipes, @Nullable BufferPool pool, @Nullable Pipe pipe, int position) {
    this.pipes = pipes;
    this.pool = pool;
    this.pipe = pipe;
    this.position = position;
  }

  /**
   * Contents of which one run is in a pipe.
   *
   * @param pipes where the pipe is from
   * @param pool where a buffer is from, should the file take nothing from a pipe
   * @param position where in the buffer of the arguments they would stand
   */
  static GivenContents inPipe(IncomingPipes pipes, BufferPool pool, Pipe pipe, int position) {
    return new GivenContents(pipes, pool, pipe, position);
  }

  /** How many bytes of the call do not stand among its arguments. */
  public int pipedBytes() {
    return pipe == null ? 0 : pipe.bytes();
  }

  /** A counted, padded run of bytes, which comes next among the arguments, or is in the pipe. */
  public Run next(XdrReader in) {
    Pipe from = pipe;
    if (from == null || in.position() + Integer.BYTES != position) {
      return new Run(in.readOpaqueInPlace(in.remaining()), null);
    }
    int count = in.readInt();
    if (count != from.bytes()) {
      throw new XdrException("expected " + count + " bytes, not " + from.bytes());
    }
    in.skip(XdrReader.padded(count) - count);
    return new Run(null, from);
  }

  /** Contents to be written, once. */
  public final class Run {
    private final @Nullable ByteBuffer here;
    private final @Nullable Pipe piped;

    private Run(@Nullable ByteBuffer here, @Nullable Pipe piped) {
      this.here = here;
      this.piped = piped;
    }

    /** How many bytes there are. */
    public int bytes() {
      if (piped != null) {
        return piped.bytes();
      }
      return here == null ? 0 : here.remaining();
    }

    /** Writes the first so many of them, which is all of them if they are in a pipe. */
    public void write(
        FileTree tree, FileNode file, long offset, int count, Stability stability, Caller caller)
        throws FileException {
      if (piped != null) {
        writeFromPipe(piped, tree, file, offset, stability, caller);
      } else if (here != null) {
        here.limit(here.position() + count);
        tree.write(file, offset, here, stability, caller);
      }
    }
  }

  private void writeFromPipe(
      Pipe from, FileTree tree, FileNode file, long offset, Stability stability, Caller caller)
      throws FileException {
    if (pool == null || pipes == null || tree.write(file, offset, from, stability, caller)) {
      return;
    }
    pipes.wereOfNoUse();
    NativeBuffer copy = pool.take(from.bytes());
    try {
      ByteBuffer bytes = copy.bytes();
      if (from.pour(bytes, SystemCalls.ofThisThread()) < 0) {
        throw new FileException(Nfs3Status.IO, "contents cannot be taken out of a pipe");
      }
      tree.write(file, offset, bytes.flip(), stability, caller);
    } finally {
      pool.giveBack(copy);
    }
  }

  /** Nobody needs them any more. */
  void release() {
    if (pipe != null && pipes != null) {
      pipes.giveBack(pipe);
    }
  }
}
