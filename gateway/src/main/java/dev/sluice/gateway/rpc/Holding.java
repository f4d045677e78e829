package dev.sluice.gateway.rpc;

import dev.sluice.gateway.memory.JobMemory;

/**
 * What one request holds of its job's memory, until somebody ends that, once.
 *
 * @param hasSlot whether it also holds one of the few calls that its client can have under way
 */
record Holding(JobMemory memory, long bytes, boolean hasSlot) {
  /** The request was served. */
  void end() {
    memory.end(bytes, System.nanoTime());
  }

  /** The request will not be served. */
  void giveUp() {
    memory.giveUp(bytes, System.nanoTime());
  }
}
