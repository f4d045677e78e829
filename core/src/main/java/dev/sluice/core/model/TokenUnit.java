package dev.sluice.core.model;

/**
 * What one token stands for: the price of a request in tokens is {@code operations ×
 * tokensPerOperation + bytes × tokensPerByte}.
 *
 * <p>A device that does at most {@code B} bytes and {@code N} operations a second is described by
 * the unit {@code (B/N, 1)} at {@code B} tokens a second: a small request costs what its operation
 * costs, a large one what its bytes cost, and a mix of both adds up to the device's time.
 */
public record TokenUnit(long tokensPerOperation, long tokensPerByte) {
  /** Each request costs its operations; Lustre's TBF counts so. */
  public static final TokenUnit OPERATIONS = new TokenUnit(1, 0);

  /** Each request costs its bytes. */
  public static final TokenUnit BYTES = new TokenUnit(0, 1);

  /** Bound on either price, so that the price of a largest request still fits. */
  public static final long PRICE_MAX = 1L << 30;

  public TokenUnit {
    if (tokensPerOperation < 0 || tokensPerOperation > PRICE_MAX) {
      throw new IllegalArgumentException(
          "tokens per operation must be 0 to " + PRICE_MAX + ", not " + tokensPerOperation);
    }
    if (tokensPerByte < 0 || tokensPerByte > 1) {
      throw new IllegalArgumentException("tokens per byte must be 0 or 1, not " + tokensPerByte);
    }
    if (tokensPerOperation == 0 && tokensPerByte == 0) {
      throw new IllegalArgumentException("a token must stand for operations, bytes or both");
    }
  }

  public long price(long operations, long bytes) {
    return operations * tokensPerOperation + bytes * tokensPerByte;
  }
}
