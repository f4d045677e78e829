package dev.sluice.core.model;

import dev.sluice.core.model.Quantities.Counted;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a limit on programs is about: the calls, or the bytes, of one operation, of a class of them,
 * or of all.
 *
 * @param scope as people write it: {@code open}, {@code metadata}, {@code all}
 * @param counted operations or bytes
 */
public record LimitKey(String scope, Counted counted) {
  public static final String EVERYTHING = "all";

  /** What programs call. Names are looked up, and files created, by what opens them. */
  public static final Set<Operation> CALLS =
      Collections.unmodifiableSet(
          EnumSet.complementOf(EnumSet.of(Operation.CREATE, Operation.LOOKUP)));

  /** Operations that move bytes; the others can only be limited by their number. */
  private static final Set<Operation> MOVERS =
      EnumSet.of(Operation.READ, Operation.WRITE, Operation.COPY);

  /** All that can be limited, in the order of their numbers. */
  public static final List<LimitKey> ALL = all();

  private static final Map<LimitKey, Integer> NUMBERS = numbers();

  /** The scopes, in the order in which they are explained. */
  public static List<String> scopes() {
    return ALL.stream().map(LimitKey::scope).distinct().toList();
  }

  /**
   * Its number, from 1 on; 0 where this cannot be limited. It is always the same, so that an agent
   * that starts anew knows from numbered buckets alone what is limited.
   */
  public int number() {
    return NUMBERS.getOrDefault(this, 0);
  }

  /** The calls that are limited. */
  public Set<Operation> operations() {
    Set<Operation> operations = EnumSet.noneOf(Operation.class);
    for (Operation operation : CALLS) {
      boolean meant =
          scope.equals(EVERYTHING)
              || scope.equals(operation.text())
              || scope.equals(operation.operationClass().text());
      if (meant && (counted == Counted.OPERATIONS || MOVERS.contains(operation))) {
        operations.add(operation);
      }
    }
    return operations;
  }

  private static Map<LimitKey, Integer> numbers() {
    Map<LimitKey, Integer> numbers = new HashMap<>();
    for (LimitKey key : ALL) {
      numbers.put(key, numbers.size() + 1);
    }
    return Map.copyOf(numbers);
  }

  private static List<LimitKey> all() {
    List<String> scopes = new ArrayList<>();
    CALLS.forEach(operation -> scopes.add(operation.text()));
    for (OperationClass operationClass : OperationClass.values()) {
      scopes.add(operationClass.text());
    }
    scopes.add(EVERYTHING);
    List<LimitKey> keys = new ArrayList<>();
    for (Counted counted : List.of(Counted.OPERATIONS, Counted.BYTES)) {
      for (String scope : scopes) {
        LimitKey key = new LimitKey(scope, counted);
        if (!key.operations().isEmpty()) {
          keys.add(key);
        }
      }
    }
    return List.copyOf(keys);
  }

  @Override
  public String toString() {
    return counted == Counted.BYTES ? scope + " bytes" : scope;
  }
}
