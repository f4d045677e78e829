package dev.sluice.gateway.rpc;

import dev.sluice.core.model.JobId;

/**
 * The calls that one client can have under way, where its protocol bounds them, and which jobs have
 * them. Safe for use by many threads.
 */
public interface Slots {
  /**
   * Whether a call of this job may keep a slot while it waits. Where it may not, the client is to
   * be given more slots, if that can be.
   */
  boolean mayKeepOne(JobId job);

  /** A call keeps a slot from now on. */
  void keep(JobId job);

  /** A call keeps its slot no longer. */
  void release(JobId job);
}
