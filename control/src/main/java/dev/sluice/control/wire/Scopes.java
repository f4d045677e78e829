package dev.sluice.control.wire;

import dev.sluice.control.v1.Scope;
import dev.sluice.core.model.LimitKey;
import dev.sluice.core.model.Operation;
import dev.sluice.core.model.Quantities.Counted;
import dev.sluice.stage.layout.StageLayout;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The numbers that operations and limits have in messages. */
public final class Scopes {
  /** One more than the highest number of an operation; the numbers begin at 1. */
  public static final int OPERATION_NUMBERS = Scope.SCOPE_REMOVEXATTR_VALUE + 1;

  private static final Operation[] OPERATIONS = new Operation[OPERATION_NUMBERS];
  private static final Map<LimitKey, Integer> NUMBERS = new HashMap<>();
  private static final Map<Integer, LimitKey> KEYS = new HashMap<>();

  static {
    for (Operation operation : StageLayout.OPERATIONS) {
      OPERATIONS[scope(operation.text()).getNumber()] = operation;
    }
    for (LimitKey key : LimitKey.ALL) {
      int number = 2 * scope(key.scope()).getNumber() + (key.counted() == Counted.BYTES ? 1 : 0);
      NUMBERS.put(key, number);
      KEYS.put(number, key);
    }
  }

  private Scopes() {}

  private static Scope scope(String text) {
    return Scope.valueOf("SCOPE_" + text.toUpperCase(Locale.ROOT).replace('-', '_'));
  }

  /** The operations that nodes count, each with its number. */
  public static List<Operation> operations() {
    return StageLayout.OPERATIONS;
  }

  public static int number(Operation operation) {
    return scope(operation.text()).getNumber();
  }

  /** The operation with this number; null where there is none. */
  public static @Nullable Operation operation(long number) {
    return number > 0 && number < OPERATION_NUMBERS ? OPERATIONS[(int) number] : null;
  }

  public static int number(LimitKey key) {
    Integer number = NUMBERS.get(key);
    if (number == null) {
      throw new IllegalArgumentException("nothing can be limited by " + key);
    }
    return number;
  }

  /** What the limit with this number is about; null where there is none. */
  public static @Nullable LimitKey key(long number) {
    return number > 0 && number <= Integer.MAX_VALUE ? KEYS.get((int) number) : null;
  }

  /** A bit for each operation that a limit is about, by its number. */
  public static long operationBits(LimitKey key) {
    long bits = 0;
    for (Operation operation : key.operations()) {
      bits |= 1L << number(operation);
    }
    return bits;
  }
}
