package dev.sluice.lustre.tbf;

import dev.sluice.lustre.LustreVersion;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which requests a rule is about, in the filter's own words: for each field that it asks about, the
 * values of which one must fit.
 *
 * @param conditions by the name of a field, such as {@code uid}; at least one
 */
public record RequestMatch(Map<String, List<String>> conditions) {
  /** How long the argument of the policy may be. */
  private static final int ARGUMENT_LENGTH_MAX = 15;

  public RequestMatch {
    if (conditions.isEmpty()) {
      throw new IllegalArgumentException("a rule asks about something");
    }
    conditions = Collections.unmodifiableMap(new LinkedHashMap<>(conditions));
  }

  /** What it asks about. */
  public Set<String> fields() {
    return conditions.keySet();
  }

  /** As it is written: {@code uid={1001}&opcode={ost_write}}. */
  public String expression() {
    List<String> parts = new ArrayList<>();
    conditions.forEach((field, values) -> parts.add(field + "={" + String.join(" ", values) + "}"));
    return String.join("&", parts);
  }

  /** The policy that goes by what it asks about: {@code tbf uid+opcode}. */
  public String filter() {
    return "tbf " + String.join("+", fields());
  }

  /** Why a version's filter cannot go by this; null where it can. */
  public @Nullable String refused(LustreVersion version, boolean metadata) {
    for (String field : fields()) {
      if (!FilterKinds.fields(version).contains(field)) {
        return "Lustre "
            + version
            + " knows no rules by "
            + field
            + ": "
            + FilterKinds.since(field);
      }
    }
    if (fields().size() > 1 && !FilterKinds.combines(version)) {
      return "Lustre "
          + version
          + " filters by one of "
          + String.join(", ", fields())
          + " at a time: combinations came with "
          + FilterKinds.COMBINES_SINCE;
    }
    if (filter().length() - "tbf ".length() > ARGUMENT_LENGTH_MAX) {
      return filter() + ": Lustre takes at most " + ARGUMENT_LENGTH_MAX + " letters behind tbf";
    }
    return VersionHazards.againstFields(version, fields(), metadata);
  }
}
