package dev.sluice.core.policy;

import dev.sluice.core.model.Quantities;
import dev.sluice.core.text.Suggestion;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Values for a policy's parameters, as written by a person; what is not given has its default. */
public final class Settings {
  private final PolicyInfo info;
  private final Map<String, String> given;

  /** Refuses names that the policy does not have. */
  public Settings(PolicyInfo info, Map<String, String> given) {
    List<String> known = info.parameters().stream().map(PolicyInfo.Parameter::name).toList();
    for (String name : given.keySet()) {
      if (!known.contains(name)) {
        throw new IllegalArgumentException(
            "policy "
                + info.name()
                + " has no parameter \""
                + name
                + "\""
                + (known.isEmpty()
                    ? "; it has none"
                    : "; it has " + String.join(", ", known) + Suggestion.of(name, known)));
      }
    }
    this.info = info;
    this.given = Map.copyOf(given);
  }

  /** The duration in nanoseconds. */
  public long durationNanos(String name) {
    String text = text(name);
    try {
      return Quantities.parseDurationNanos(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(name + "=" + text + ": " + e.getMessage(), e);
    }
  }

  /** The number, which must be within these limits. */
  public double number(String name, double min, double max) {
    String text = text(name);
    double value = Double.NaN;
    try {
      value = new BigDecimal(text).doubleValue();
    } catch (NumberFormatException _) {
      // What is not a number is refused like one that is out of range.
    }
    if (!(value >= min && value <= max)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%s=%s: expected a number from %s to %s",
              name,
              text,
              plain(min),
              plain(max)));
    }
    return value;
  }

  /** The whole number, which must be within these limits. */
  public long whole(String name, long min, long max) {
    String text = text(name);
    try {
      long value = Long.parseLong(text);
      if (value >= min && value <= max) {
        return value;
      }
    } catch (NumberFormatException _) {
      // What is not a number is refused like one that is out of range.
    }
    throw new IllegalArgumentException(
        name + "=" + text + ": expected a whole number from " + min + " to " + max);
  }

  /** The one of these that was named; each is called by its name in small letters. */
  public <E extends Enum<E>> E choice(String name, Class<E> type) {
    String text = text(name);
    List<String> names = new ArrayList<>();
    for (E value : type.getEnumConstants()) {
      String known = value.name().toLowerCase(Locale.ROOT);
      if (known.equals(text)) {
        return value;
      }
      names.add(known);
    }
    throw new IllegalArgumentException(
        name
            + "="
            + text
            + ": expected one of "
            + String.join(", ", names)
            + Suggestion.of(text, names));
  }

  private static String plain(double value) {
    return new BigDecimal(Double.toString(value)).stripTrailingZeros().toPlainString();
  }

  /** The value as it was written. */
  public String text(String name) {
    String value = given.get(name);
    if (value != null) {
      return value;
    }
    return info.parameters().stream()
        .filter(parameter -> parameter.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("undeclared parameter " + name))
        .defaultValue();
  }
}
