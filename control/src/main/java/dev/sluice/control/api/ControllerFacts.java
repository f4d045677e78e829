package dev.sluice.control.api;

import dev.sluice.store.documents.LimitInForce;
import dev.sluice.store.documents.PresentJob;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;

/**
 * What a controller's status shows besides what its loop knows.
 *
 * @param listen where members call
 * @param problems what somebody should look into, in words
 * @param documentVersion which document is in force; 0 before the first
 * @param limits what the document says of jobs at this moment
 */
public record ControllerFacts(
    String listen,
    long periodNanos,
    long upNanos,
    List<String> problems,
    long documentVersion,
    Function<Collection<PresentJob>, List<LimitInForce>> limits) {
  public ControllerFacts {
    problems = List.copyOf(problems);
  }
}
