package dev.sluice.gateway.files;

import dev.sluice.gateway.posix.Errno;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One call that has a file on stable storage, for all who ask for it while another is under way:
 * clients that write a file with many calls in flight ask for each of them.
 *
 * <p>Theorem. Whoever asks is answered with what a call gave that began after it had asked: so what
 * it had written before is on stable storage if that call says so, and a failure is told to all
 * whose writes it may concern. At most one call is under way, and nobody waits for more than two.
 */
final class SharedSync {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition ended = lock.newCondition();
  // Guarded by the lock.
  private boolean isUnderWay;

  /** Whoever asks now has part in it; null where nobody waits for the next call. */
  private @Nullable Turn next;

  private static final class Turn {
    boolean isOver;
    int result;
  }

  /**
   * Makes the call, or waits for one that another thread makes.
   *
   * @param call answers as the kernel does: negative where it failed
   */
  int ask(IntSupplier call) {
    Turn turn;
    lock.lock();
    try {
      turn = next == null ? new Turn() : next;
      next = turn;
      while (isUnderWay && !turn.isOver) {
        ended.awaitUninterruptibly();
      }
      if (turn.isOver) {
        return turn.result;
      }
      isUnderWay = true;
      next = null;
    } finally {
      lock.unlock();
    }
    int result = -Errno.EIO;
    try {
      result = call.getAsInt();
    } finally {
      end(turn, result);
    }
    return result;
  }

  private void end(Turn turn, int result) {
    lock.lock();
    try {
      turn.result = result;
      turn.isOver = true;
      isUnderWay = false;
      ended.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
