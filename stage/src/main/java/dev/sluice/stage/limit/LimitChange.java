package dev.sluice.stage.limit;

import dev.sluice.core.model.LimitKey;
import dev.sluice.core.model.Quantities;
import dev.sluice.core.model.Quantities.Counted;
import dev.sluice.core.model.Quantities.CountedRate;
import dev.sluice.core.model.Rate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * One limit that is set or taken away.
 *
 * @param millionths of operations or bytes a second, 0 pauses; empty takes the limit away
 */
public record LimitChange(LimitKey key, OptionalLong millionths) {
  /** Into how many parts a token of a rate is divided: a limit may be below one a second. */
  public static final long MILLIONTHS = 1_000_000;

  /** What takes a limit away. */
  public static final String NONE = "none";

  /** {@code 50/s} and {@code 2k/s}: without a unit, operations are meant. */
  private static final Pattern BARE_RATE = Pattern.compile("(.*\\d\\s*[kMG]?)/s\\s*");

  /** A limit of so many a second. */
  public static LimitChange perSecond(LimitKey key, long perSecond) {
    return new LimitChange(key, OptionalLong.of(Math.multiplyExact(perSecond, MILLIONTHS)));
  }

  /** Takes a limit away. */
  public static LimitChange none(LimitKey key) {
    return new LimitChange(key, OptionalLong.empty());
  }

  /**
   * Reads {@code read=100MB/s,metadata=1kops/s,open=50/s,write=none}.
   *
   * @throws IllegalArgumentException if it cannot be read; the message names the part and says what
   *     was expected
   */
  public static List<LimitChange> parse(String text) {
    Map<LimitKey, LimitChange> changes = new LinkedHashMap<>();
    for (String part : text.split(",", -1)) {
      for (LimitChange change : parsePart(part)) {
        if (changes.put(change.key, change) != null) {
          throw new IllegalArgumentException(
              "\"" + text + "\": " + change.key + " is limited twice");
        }
      }
    }
    return List.copyOf(changes.values());
  }

  private static List<LimitChange> parsePart(String part) {
    int equals = part.indexOf('=');
    String scope = part.substring(0, Math.max(0, equals)).strip();
    if (equals < 0 || !LimitKey.scopes().contains(scope)) {
      throw new IllegalArgumentException(
          "\""
              + part
              + "\": expected SCOPE=RATE, as in open=50/s, where SCOPE is one of "
              + String.join(", ", LimitKey.scopes()));
    }
    String value = part.substring(equals + 1).strip();
    return value.equals(NONE) ? removals(scope) : List.of(limit(part, scope, value));
  }

  private static List<LimitChange> removals(String scope) {
    List<LimitChange> changes = new ArrayList<>();
    for (LimitKey key : LimitKey.ALL) {
      if (key.scope().equals(scope)) {
        changes.add(none(key));
      }
    }
    return changes;
  }

  private static LimitChange limit(String part, String scope, String value) {
    CountedRate rate;
    try {
      rate = Quantities.parseRateInMillionths(BARE_RATE.matcher(value).replaceFirst("$1ops/s"));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "\"" + part + "\": expected a rate such as 50/s, 0.5/s, 20 kops/s or 200 MB/s, or none",
          e);
    }
    Counted counted = rate.counted() == Counted.BYTES ? Counted.BYTES : Counted.OPERATIONS;
    LimitKey key = new LimitKey(scope, counted);
    if (!LimitKey.ALL.contains(key)) {
      throw new IllegalArgumentException(
          "\"" + part + "\": " + scope + " moves no bytes; expected a rate such as 50/s");
    }
    if (rate.perSecond() > Rate.TOKENS_PER_SECOND_MAX * MILLIONTHS) {
      throw new IllegalArgumentException(
          "\"" + part + "\": expected at most " + Rate.TOKENS_PER_SECOND_MAX + " a second");
    }
    return new LimitChange(key, OptionalLong.of(rate.perSecond()));
  }
}
