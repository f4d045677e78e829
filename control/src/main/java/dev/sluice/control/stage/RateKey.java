package dev.sluice.control.stage;

import dev.sluice.control.v1.Scope;
import dev.sluice.control.wire.Scopes;
import dev.sluice.core.model.LimitKey;
import dev.sluice.core.model.Quantities.Counted;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a rate is about, with all that is asked of it every cycle worked out once.
 *
 * @param number its number in messages
 * @param operationBits a bit for each operation that it is about
 */
public record RateKey(LimitKey key, int number, long operationBits, boolean countsBytes) {
  private static final int NUMBER_MAX = 2 * Scope.SCOPE_ALL_VALUE + 1;
  private static final Map<LimitKey, RateKey> BY_KEY = new HashMap<>();
  private static final Map<Integer, RateKey> BY_NUMBER = new HashMap<>();

  static {
    for (LimitKey key : LimitKey.ALL) {
      RateKey made =
          new RateKey(
              key, Scopes.number(key), Scopes.operationBits(key), key.counted() == Counted.BYTES);
      BY_KEY.put(key, made);
      BY_NUMBER.put(made.number, made);
    }
  }

  public static RateKey of(LimitKey key) {
    RateKey known = BY_KEY.get(key);
    if (known == null) {
      throw new IllegalArgumentException("nothing can be limited by " + key);
    }
    return known;
  }

  /** The one with this number in messages; null where there is none. */
  public static @Nullable RateKey numbered(long number) {
    return number > 0 && number <= Integer.MAX_VALUE ? BY_NUMBER.get((int) number) : null;
  }

  /** A bit for each of these, by its number. */
  public static long[] bits(Collection<RateKey> keys) {
    long[] bits = new long[(NUMBER_MAX >> 6) + 1];
    for (RateKey key : keys) {
      bits[key.number >> 6] |= 1L << key.number;
    }
    return bits;
  }
}
