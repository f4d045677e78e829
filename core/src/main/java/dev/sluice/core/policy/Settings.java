package dev.sluice.core.policy;

import dev.sluice.core.model.Quantities;
import dev.sluice.core.text.Suggestion;
import java.util.List;
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

  private String text(String name) {
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
