package dev.sluice.gateway.memory;

import dev.sluice.gateway.posix.Pipe;
import dev.sluice.gateway.posix.SystemCalls;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Pipes, kept for the next who needs one. There are so many and no more, of which each connection
 * has its part at most: who gets none copies, which costs more and holds nobody up. Safe for use by
 * many threads.
 */
public final class PipePool implements AutoCloseable {
  private final int pipesMax;
  private final int perShareMax;
  private final int keptMax;
  private final int pipeBytes;
  private final ArrayDeque<Pipe> kept = new ArrayDeque<>();
  private int out;
  private boolean closed;

  /** What one connection has of the pipes. */
  public final class Share {
    private int held;

    private Share() {}

    /** An empty pipe; null when there is none for this one. */
    public @Nullable Pipe take() {
      synchronized (PipePool.this) {
        if (held == perShareMax || out == pipesMax || closed) {
          return null;
        }
        held++;
        out++;
        Pipe last = kept.pollLast();
        if (last != null) {
          return last;
        }
      }
      Pipe opened = Pipe.open(pipeBytes, SystemCalls.ofThisThread());
      if (opened == null) {
        returned();
      }
      return opened;
    }

    /** Takes a pipe back; what is left in it is nobody's. */
    public void giveBack(Pipe pipe) {
      synchronized (PipePool.this) {
        returned();
        if (pipe.bytes() == 0 && kept.size() < keptMax && !closed) {
          kept.addLast(pipe);
          return;
        }
      }
      pipe.close(SystemCalls.ofThisThread());
    }

    private void returned() {
      synchronized (PipePool.this) {
        held--;
        out--;
        if (held < 0 || out < 0) {
          throw new IllegalStateException("more pipes were given back than were taken");
        }
      }
    }
  }

  /**
   * @param pipesMax how many may be in use
   * @param perShareMax how many of them by one connection
   * @param keptMax how many are kept that are not in use
   * @param pipeBytes what each should hold, if the system gives so much
   */
  public PipePool(int pipesMax, int perShareMax, int keptMax, int pipeBytes) {
    this.pipesMax = pipesMax;
    this.perShareMax = perShareMax;
    this.keptMax = keptMax;
    this.pipeBytes = pipeBytes;
  }

  /** One connection's. */
  public Share share() {
    return new Share();
  }

  /** How many are in use. */
  public synchronized int out() {
    return out;
  }

  /** Gives back what is kept; from now on there are none. */
  @Override
  public synchronized void close() {
    closed = true;
    SystemCalls calls = SystemCalls.ofThisThread();
    for (Pipe pipe = kept.pollLast(); pipe != null; pipe = kept.pollLast()) {
      pipe.close(calls);
    }
  }
}
