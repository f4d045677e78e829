package dev.sluice.stage.limit;

import static dev.sluice.stage.layout.StageLayout.OPERATIONS;

import dev.sluice.core.model.Operation;
import dev.sluice.core.model.OperationClass;
import dev.sluice.core.model.Quantities.Counted;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a limit is about: the calls, or the bytes, of one operation, of a class of them, or of all.
 * Each has a bucket of its own, always the same one, so that an agent that starts anew knows from
 * the files alone what is limited.
 *
 * @param scope as people write it: {@code open}, {@code metadata}, {@code all}
 * @param counted operations or bytes
 */
public record LimitKey(String scope, Counted counted) {
  public static final String EVERYTHING = "all";

  /** Operations that move bytes; the others can only be limited by their number. */
  private static final Set<Operation> MOVERS =
      EnumSet.of(Operation.READ, Operation.WRITE, Operation.COPY);

  /** All that can be limited, in the order of their buckets. Bucket 0 stands for none. */
  public static final List<LimitKey> ALL = all();

  private static final Map<LimitKey, Integer> BUCKETS = buckets();

  /** The scopes, in the order in which they are explained. */
  public static List<String> scopes() {
    return ALL.stream().map(LimitKey::scope).distinct().toList();
  }

  /** The bucket's number, 1 or more. */
  public int bucket() {
    return BUCKETS.getOrDefault(this, 0);
  }

  /** The operations that are limited, of those that the library sees. */
  public Set<Operation> operations() {
    Set<Operation> operations = EnumSet.noneOf(Operation.class);
    for (Operation operation : OPERATIONS) {
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

  private static Map<LimitKey, Integer> buckets() {
    Map<LimitKey, Integer> buckets = new HashMap<>();
    for (LimitKey key : ALL) {
      buckets.put(key, buckets.size() + 1);
    }
    return Map.copyOf(buckets);
  }

  private static List<LimitKey> all() {
    List<String> scopes = new ArrayList<>();
    OPERATIONS.forEach(operation -> scopes.add(operation.text()));
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
