package dev.sluice.load.client;

import dev.sluice.nfs.nfs3.StableHow;
import java.util.List;

/**
 * Which bytes of a file a client has written and the server may still lose.
 *
 * <p>Theorem. When {@link #isSafe()} holds, every byte that a write reported here has reached
 * stable storage, or was written again later by a write that has: a server that stopped in between
 * shows another verifier, and all that was unstable then has to be written again.
 *
 * <p>Not thread-safe. Commits are asked for while no write is under way.
 */
public final class CommitLedger {
  private final ByteRanges unstable = new ByteRanges();
  private final ByteRanges toRewrite = new ByteRanges();
  private long verifier;

  /** A write was answered. */
  public void written(long offset, NfsClient.Written answer) {
    long end = offset + answer.count();
    suspect(answer.verifier());
    toRewrite.remove(offset, end);
    if (answer.stability() == StableHow.UNSTABLE) {
      unstable.add(offset, end);
    } else if (!unstable.isEmpty()) {
      unstable.remove(offset, end);
    }
  }

  /** A commit was answered that was sent after the last write had been answered. */
  public void committed(long verifierThen) {
    suspect(verifierThen);
    unstable.clear();
  }

  /** What was unstable under another verifier may be lost. */
  private void suspect(long verifierNow) {
    if (verifierNow != verifier) {
      toRewrite.addAll(unstable);
      unstable.clear();
      verifier = verifierNow;
    }
  }

  /** Whether there is something to commit. */
  public boolean hasUnstable() {
    return !unstable.isEmpty();
  }

  /** What has to be written again. */
  public List<ByteRanges.Range> toRewrite() {
    return toRewrite.list();
  }

  /** Whether the server can lose nothing any more. */
  public boolean isSafe() {
    return unstable.isEmpty() && toRewrite.isEmpty();
  }
}
