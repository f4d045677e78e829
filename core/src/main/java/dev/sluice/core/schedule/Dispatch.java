package dev.sluice.core.schedule;

/**
 * A scheduler's answer to "what next?".
 *
 * <p>The request itself is the answer when there is one, so that the usual case allocates nothing.
 */
public sealed interface Dispatch permits Request, Dispatch.NotBefore, Dispatch.Empty {
  /** Nothing is queued. */
  Empty EMPTY = new Empty();

  /**
   * Something is queued, and none of it may be served before this instant. Asking again then is
   * worth it; asking earlier is not, unless something was enqueued, completed or reconfigured.
   * {@link Long#MAX_VALUE} when only a reconfiguration can free it.
   */
  record NotBefore(long nanos) implements Dispatch {}

  /** Nothing is queued. */
  record Empty() implements Dispatch {}
}
