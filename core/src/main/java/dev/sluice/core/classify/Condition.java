package dev.sluice.core.classify;

import dev.sluice.core.model.Flow;
import dev.sluice.core.model.Operation;

/** One {@code key=value,value} or {@code key!=value,value} of a rule. */
record Condition(Key key, boolean negated, Alternatives alternatives) {
  boolean holds(Flow flow, Operation operation) {
    return alternatives.include(flow, operation) != negated;
  }

  @Override
  public String toString() {
    return key.text() + (negated ? "!=" : "=") + String.join(",", alternatives.texts());
  }
}
