package dev.sluice.sim.scenario;

import dev.sluice.core.text.Suggestion;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The targets there are, for those who name them. */
final class TargetNames {
  /** How many a message lists; there may be thousands. */
  private static final int LISTED_MAX = 8;

  private final List<String> names;
  private final Map<String, String> known = new HashMap<>();

  TargetNames(List<String> names) {
    this.names = List.copyOf(names);
    names.forEach(name -> known.put(name, name));
  }

  int count() {
    return names.size();
  }

  /** The one instance of this name, so that a million requests do not hold a million copies. */
  @Nullable String known(String name) {
    return known.get(name);
  }

  /** The end of a message about a name that is none of these. */
  String expected(String wrong) {
    String listed = String.join(", ", names.subList(0, Math.min(LISTED_MAX, names.size())));
    String more = names.size() > LISTED_MAX ? ", … (" + names.size() + " in all)" : "";
    return "expected one of the targets " + listed + more + Suggestion.of(wrong, names);
  }
}
