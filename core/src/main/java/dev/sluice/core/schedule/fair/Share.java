package dev.sluice.core.schedule.fair;

import dev.sluice.core.schedule.IndexedHeap;
import dev.sluice.core.schedule.ShareTree;
import org.jspecify.annotations.Nullable;

/**
 * A node of the tree of shares: a job, or a group of jobs and groups. It is in its group's heap
 * exactly while something is queued at or below it that no limit holds back.
 */
abstract sealed class Share extends IndexedHeap.Entry permits Group, Leaf {
  /**
   * Tags count 1/2^20 of a token at weight 1. Because no weight is larger than this factor and no
   * price smaller than 1, every request moves its share at least one step: nobody is served twice
   * at one tag while another waits there.
   */
  static final int TOKEN_SHIFT = ShareTree.WEIGHT_BITS;

  static final long WEIGHT_MAX = ShareTree.WEIGHT_MAX;

  /** The group it divides with others; null for the root alone. */
  @Nullable Group parent;

  long weight;

  /**
   * Where it stands in its group's virtual time: the start tag of what it has queued or, while it
   * has nothing queued, the finish tag of what it had served last.
   */
  long tag;

  /** What the tag's division by the weight left over: 0 to weight - 1. */
  long remainder;

  /** Orders shares with equal tags: who took the tag first. */
  long tieBreak;

  /** Its place in the list of all shares. */
  int listIndex;

  Share(@Nullable Group parent, long weight) {
    this.parent = parent;
    this.weight = weight;
  }

  /** Gives it another weight; what it owes stays what it is in tokens. */
  void setWeight(long other) {
    if (parent != null && weight != other) {
      parent.reweigh(this, other);
    }
  }

  /** Whether something is queued at or below it that no limit holds back. */
  public abstract boolean isBacklogged();
}
