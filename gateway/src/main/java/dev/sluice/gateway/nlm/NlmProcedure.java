package dev.sluice.gateway.nlm;

import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The procedures of NLM that a client waits for the answer of. */
enum NlmProcedure {
  NULL(0),
  TEST(1),
  LOCK(2),
  CANCEL(3),
  UNLOCK(4),
  GRANTED(5),
  SHARE(20),
  UNSHARE(21),
  NM_LOCK(22),
  FREE_ALL(23);

  private static final Map<Integer, NlmProcedure> BY_NUMBER =
      Arrays.stream(values())
          .collect(Collectors.toUnmodifiableMap(NlmProcedure::number, Function.identity()));

  private final int number;

  NlmProcedure(int number) {
    this.number = number;
  }

  int number() {
    return number;
  }

  /** The procedure with this number; null when there is none. */
  static @Nullable NlmProcedure of(int number) {
    return BY_NUMBER.get(number);
  }

  /** Whether a version of the protocol has it: share modes came with version 3. */
  boolean isIn(int version) {
    return number <= GRANTED.number || version >= 3;
  }
}
