package dev.sluice.gateway.rpc;

import dev.sluice.gateway.memory.PipePool;
import dev.sluice.gateway.posix.Pipe;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Pipes for what comes in by one connection. Where they turn out to be of no use, because the
 * network brings pieces that are too small or the file system takes nothing from pipes, none is
 * used for a while: what has to be copied after all has cost more than if it had been copied at
 * once. Safe for use by many threads.
 */
final class IncomingPipes {
  /** So many times none is given after one was of no use. */
  static final int PASSED_OVER = 1_000;

  private final PipePool.Share pipes;
  private final AtomicInteger toPassOver = new AtomicInteger();

  IncomingPipes(PipePool.Share pipes) {
    this.pipes = pipes;
  }

  /** An empty pipe for so many bytes; null when there is none, or it would be of no use. */
  @Nullable Pipe take(int bytes) {
    if (toPassOver.get() > 0) {
      toPassOver.decrementAndGet();
      return null;
    }
    Pipe pipe = pipes.take();
    if (pipe != null && !pipe.hasRoomFor(0, bytes)) {
      pipes.giveBack(pipe);
      return null;
    }
    return pipe;
  }

  /** Takes a pipe back; what is left in it is nobody's. */
  void giveBack(Pipe pipe) {
    pipes.giveBack(pipe);
  }

  /** What was in a pipe had to be copied after all. */
  void wereOfNoUse() {
    toPassOver.set(PASSED_OVER);
  }
}
