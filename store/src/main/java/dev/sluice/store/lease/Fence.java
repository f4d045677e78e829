package dev.sluice.store.lease;

import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Whom a member obeys. Not thread-safe.
 *
 * <p>Theorem. Whatever leaders say, in whatever order, and however often the member is started
 * again: the numbers of those whom it obeys never go down, and it obeys no two leaders with marks
 * of their own under one number. So once it has obeyed a leader, no orders of an earlier one, nor
 * of one that does not know of it, are in force again.
 *
 * <p>Proof. Orders are obeyed only after their leader was made durable, and only if it is the one
 * that was durable before, or has a higher number.
 */
public final class Fence {
  private static final System.Logger LOG = System.getLogger(Fence.class.getName());

  private final LeaderMemory memory;
  private Leader obeyed;
  private @Nullable String trouble;

  /** Goes on from what is remembered. */
  public Fence(LeaderMemory memory) {
    this.memory = memory;
    Leader kept = Leader.NOBODY;
    try {
      kept = memory.load();
    } catch (IOException e) {
      // It would be worse never to obey anybody again. The next leader is written over it.
      note("whom this member has obeyed is not known, and it obeys whoever comes first: " + e);
    }
    this.obeyed = kept;
  }

  /** Whom it has obeyed last. */
  public Leader obeyed() {
    return obeyed;
  }

  /** Why whom it obeys is not durable; null when all is well. */
  public @Nullable String trouble() {
    return trouble;
  }

  /**
   * Whether orders of this leader are obeyed. Where they are, that is durable before this returns,
   * unless the memory fails: then it is so until this process ends, and {@link #trouble} says why.
   *
   * @return why not, in words; null where they are
   */
  public @Nullable String refusal(Leader speaker) {
    if (speaker.epoch() < 0) {
      return "they are of leader "
          + Long.toUnsignedString(speaker.epoch())
          + ", and there is no such number";
    }
    if (speaker.epoch() < obeyed.epoch()) {
      return "they are of leader " + speaker.epoch() + ", whom " + obeyed.epoch() + " has replaced";
    }
    if (speaker.epoch() == obeyed.epoch() && !speaker.mayBe(obeyed)) {
      return "they are of another leader "
          + speaker.epoch()
          + " than the one that was obeyed here: the controllers' database has gone back";
    }
    if (speaker.epoch() > obeyed.epoch() || (obeyed.mark() == 0 && speaker.mark() != 0)) {
      obeyed = speaker;
      try {
        memory.save(speaker);
        trouble = null;
      } catch (IOException e) {
        note("that leader " + speaker.epoch() + " is obeyed cannot be kept: " + e);
      }
    }
    return null;
  }

  private void note(String what) {
    if (!Objects.equals(trouble, what)) {
      LOG.log(System.Logger.Level.WARNING, what);
    }
    trouble = what;
  }
}
