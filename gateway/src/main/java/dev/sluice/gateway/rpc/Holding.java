package dev.sluice.gateway.rpc;

import dev.sluice.gateway.memory.JobMemory;
import org.jspecify.annotations.Nullable;

/**
 * What one request holds of its job's memory, until somebody ends that, once.
 *
 * @param slots of which it keeps one; null where its client can have any number of calls under way
 */
record Holding(JobMemory memory, long bytes, @Nullable Slots slots) {
  /** The request was served. */
  void end() {
    memory.end(bytes, System.nanoTime());
  }

  /** The request will not be served. */
  void giveUp() {
    memory.giveUp(bytes, System.nanoTime());
  }
}
