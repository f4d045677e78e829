package dev.sluice.store.keys;

import dev.sluice.core.model.Quantities;
import dev.sluice.core.model.Rate;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The targets of a gateway, as people write them: {@code disk=1GB/s,meta=20kops/s,archive}.
 *
 * @param text as it was written
 * @param capacities what each of them can serve in a second; {@link #NOT_SAID} where that is for
 *     the gateway to say
 */
public record TargetNames(String text, Map<String, Long> capacities) {
  /** What a target can serve is what its gateway says. */
  public static final long NOT_SAID = 0;

  /** As many as a gateway may have. */
  private static final int TARGETS_MAX = 10_000;

  public TargetNames {
    capacities = Collections.unmodifiableMap(new LinkedHashMap<>(capacities));
  }

  /**
   * Reads them.
   *
   * @throws IllegalArgumentException if they are not written so, with what was expected
   */
  public static TargetNames parse(String text) {
    Map<String, Long> capacities = new LinkedHashMap<>();
    for (String part : text.split(",", -1)) {
      int equals = part.indexOf('=');
      String name = (equals < 0 ? part : part.substring(0, equals)).strip();
      if (!name.matches("[^\\s\"\\p{Cntrl}\\\\]{1,255}")) {
        throw new IllegalArgumentException(
            "\"" + part + "\": expected targets such as disk=1GB/s,meta=20kops/s,archive");
      }
      long capacity = equals < 0 ? NOT_SAID : capacity(name, part.substring(equals + 1).strip());
      if (capacities.put(name, capacity) != null) {
        throw new IllegalArgumentException("\"" + name + "\": expected each target once");
      }
    }
    if (capacities.size() > TARGETS_MAX) {
      throw new IllegalArgumentException("expected at most " + TARGETS_MAX + " targets");
    }
    return new TargetNames(text, capacities);
  }

  private static long capacity(String target, String text) {
    long perSecond;
    try {
      perSecond = Quantities.parseRate(text).perSecond();
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(target + "=" + text + ": " + e.getMessage(), e);
    }
    if (perSecond < 1 || perSecond > Rate.TOKENS_PER_SECOND_MAX) {
      throw new IllegalArgumentException(
          target + "=" + text + ": expected 1 to " + Rate.TOKENS_PER_SECOND_MAX + " a second");
    }
    return perSecond;
  }
}
