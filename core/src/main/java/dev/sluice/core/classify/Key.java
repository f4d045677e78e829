package dev.sluice.core.classify;

import dev.sluice.core.model.Flow;
import dev.sluice.core.model.Operation;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What a rule may ask about a request, and what a job template may put in. */
enum Key {
  JOB,
  USER,
  GROUP,
  CLIENT,
  EXPORT,
  TARGET,
  OPERATION,
  CLASS;

  private static final List<Key> ALL = List.of(values());

  private final String text = name().toLowerCase(Locale.ROOT);

  /** As people write it. */
  String text() {
    return text;
  }

  static @Nullable Key named(String text) {
    for (Key key : ALL) {
      if (key.text.equals(text)) {
        return key;
      }
    }
    return null;
  }

  static List<String> texts() {
    return ALL.stream().map(Key::text).toList();
  }

  /** What this request has there, as text. */
  String textOf(Flow flow, Operation operation) {
    return switch (this) {
      case JOB -> flow.job().toString();
      case USER -> flow.user();
      case GROUP -> flow.group();
      case CLIENT -> flow.client().toString();
      case EXPORT -> flow.export();
      case TARGET -> flow.target();
      case OPERATION -> operation.text();
      case CLASS -> operation.operationClass().text();
    };
  }
}
