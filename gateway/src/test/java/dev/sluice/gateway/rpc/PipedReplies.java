package dev.sluice.gateway.rpc;

import dev.sluice.gateway.memory.BufferPool;
import dev.sluice.gateway.memory.PipePool;
import dev.sluice.gateway.posix.Pipe;
import dev.sluice.gateway.posix.SystemCalls;
import dev.sluice.gateway.target.Served;
import dev.sluice.nfs.nfs3.Nfs3Sizes;
import dev.sluice.nfs.xdr.XdrReader;
import dev.sluice.nfs.xdr.XdrWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Serves calls without a network as a connection does: large contents come and go through a pipe
 * where they can, and those of a reply are then put where they belong in it.
 */
public final class PipedReplies {
  private final PipePool pool = new PipePool(1, 1, 0, 8 << 20);
  private final PipePool.Share share = pool.share();
  private final PipePool incoming = new PipePool(1, 1, 0, 8 << 20);
  private final BufferPool buffers = new BufferPool(0);
  private boolean lastWasGivenByPipe;

  /** Whether the last reply had contents that came through a pipe. */
  private boolean lastWasPiped;

  public Served serve(
      RpcProgram program, RpcCall call, Work work, ByteBuffer arguments, ByteBuffer results) {
    ReplyContents contents = new ReplyContents(share);
    ByteBuffer around =
        ByteBuffer.allocateDirect(arguments.remaining()).put(arguments.slice()).flip();
    GivenContents given = givenOf(work, around);
    Served served;
    try {
      served =
          program.serve(call, work, new XdrReader(around), given, new XdrWriter(results), contents);
    } finally {
      given.release();
    }
    Pipe pipe = contents.takePipe();
    lastWasPiped = pipe != null;
    if (pipe != null) {
      insert(pipe, contents.position(), results);
      share.giveBack(pipe);
    }
    if (pool.out() > 0 || incoming.out() > 0) {
      throw new AssertionError("a pipe was not given back");
    }
    return served;
  }

  /** Cuts large contents out of the arguments, and has them in a pipe. */
  private GivenContents givenOf(Work work, ByteBuffer arguments) {
    lastWasGivenByPipe = false;
    int at = arguments.position() + work.contentsAt();
    if (work.contentsAt() == Work.NO_CONTENTS || at > arguments.limit()) {
      return GivenContents.AMONG_ARGUMENTS;
    }
    int count = arguments.getInt(at - Integer.BYTES);
    if (count < ArgumentsReader.PIPED_BYTES_MIN
        || count > Nfs3Sizes.TRANSFER_BYTES_MAX
        || XdrReader.padded(count) > arguments.limit() - at) {
      return GivenContents.AMONG_ARGUMENTS;
    }
    IncomingPipes pipes = new IncomingPipes(incoming.share());
    Pipe pipe = pipes.take(count);
    if (pipe == null) {
      // The system gives no pipe that is as large.
      return GivenContents.AMONG_ARGUMENTS;
    }
    ByteBuffer contents = ByteBuffer.allocateDirect(count).put(arguments.slice(at, count)).flip();
    while (contents.hasRemaining()) {
      if (pipe.put(contents, SystemCalls.ofThisThread()) <= 0) {
        throw new AssertionError("nothing can be put into a pipe");
      }
    }
    int behind = arguments.limit() - at - count;
    arguments.put(at, arguments, at + count, behind).limit(at + behind);
    lastWasGivenByPipe = true;
    return GivenContents.inPipe(pipes, buffers, pipe, at);
  }

  /** Whether the last call had contents that came through a pipe. */
  public boolean lastWasGivenByPipe() {
    return lastWasGivenByPipe;
  }

  public boolean lastWasPiped() {
    return lastWasPiped;
  }

  private static void insert(Pipe pipe, int at, ByteBuffer results) {
    byte[] piped = drain(pipe);
    byte[] behind = new byte[results.position() - at];
    results.get(at, behind);
    results.position(at).put(piped).put(behind);
  }

  /** Empties a pipe. */
  public static byte[] drain(Pipe pipe) {
    try (InputStream exit = Files.newInputStream(Path.of("/proc/self/fd/" + pipe.exit()))) {
      byte[] piped = exit.readNBytes(pipe.bytes());
      pipe.taken(piped.length);
      return piped;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
