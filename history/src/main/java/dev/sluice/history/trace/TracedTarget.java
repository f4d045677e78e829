package dev.sluice.history.trace;

/**
 * A target in a trace, with its capacity as it was told to the policy.
 *
 * @param tokensPerSecond 0 where nobody knew
 */
public record TracedTarget(
    String name, long tokensPerSecond, long tokensPerOperation, long tokensPerByte) {
  /** What operations and bytes cost here. */
  public long price(long operations, long bytes) {
    return operations * tokensPerOperation + bytes * tokensPerByte;
  }
}
