package dev.sluice.gateway.rpc;

import dev.sluice.gateway.memory.PipePool;
import dev.sluice.gateway.posix.Pipe;
import dev.sluice.gateway.target.Served;
import dev.sluice.nfs.xdr.XdrReader;
import dev.sluice.nfs.xdr.XdrWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Serves calls without a network as a connection does: large contents come through a pipe where
 * they can, and are then put where they belong in the reply.
 */
public final class PipedReplies {
  private final PipePool pool = new PipePool(1, 1, 0);
  private final PipePool.Share share = pool.share();

  /** Whether the last reply had contents that came through a pipe. */
  private boolean lastWasPiped;

  public Served serve(
      RpcProgram program, RpcCall call, Work work, ByteBuffer arguments, ByteBuffer results) {
    ReplyContents contents = new ReplyContents(share);
    Served served =
        program.serve(call, work, new XdrReader(arguments), new XdrWriter(results), contents);
    Pipe pipe = contents.takePipe();
    lastWasPiped = pipe != null;
    if (pipe != null) {
      insert(pipe, contents.position(), results);
      share.giveBack(pipe);
    }
    if (pool.out() > 0) {
      throw new AssertionError("a pipe was not given back");
    }
    return served;
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
