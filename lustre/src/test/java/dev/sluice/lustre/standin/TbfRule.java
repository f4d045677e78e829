package dev.sluice.lustre.standin;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A rule of one head. */
final class TbfRule {
  final String name;
  final String list;
  final List<String> patterns;

  /** What it asks about; nothing where it goes by job alone. */
  final Map<String, List<String>> fields;

  long rate;
  long generation;
  boolean stopped;
  int classes;

  TbfRule(String name, String list, long rate) {
    this(name, list, rate, Map.of());
  }

  TbfRule(String name, String list, long rate, Map<String, List<String>> fields) {
    this.fields = fields;
    this.name = name;
    this.list = list;
    this.patterns = List.of(list.split(" "));
    this.rate = rate;
  }

  /** Whether it holds for a class, which is a job, or what a filter by something else makes it. */
  boolean matches(String key) {
    if (fields.isEmpty()) {
      return patterns.stream().anyMatch(pattern -> KernelPattern.matches(pattern, key));
    }
    Map<String, String> has = new HashMap<>();
    for (String part : key.split(" ", -1)) {
      int equals = part.indexOf('=');
      if (equals > 0) {
        has.put(part.substring(0, equals), part.substring(equals + 1));
      }
    }
    return fields.entrySet().stream()
        .allMatch(asked ->
            asked.getValue().stream()
                .anyMatch(pattern ->
                    KernelPattern.matches(pattern, has.getOrDefault(asked.getKey(), ""))));
  }

  /** What an expression asks, by field, such as uid={1001}&opcode={ost_read}. */
  static Map<String, List<String>> fields(String expression) {
    Map<String, List<String>> fields = new LinkedHashMap<>();
    for (String part : expression.split("(?<=\\})&", -1)) {
      int equals = part.indexOf("={");
      fields.put(
          part.substring(0, equals),
          List.of(part.substring(equals + 2, part.length() - 1).split(" ", -1)));
    }
    return fields;
  }
}
