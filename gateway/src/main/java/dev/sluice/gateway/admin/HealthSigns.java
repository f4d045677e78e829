package dev.sluice.gateway.admin;

import dev.sluice.gateway.target.TargetVitals;
import java.util.List;
import java.util.Map;

/**
 * What one look at a gateway found.
 *
 * @param controlLateNanos for how long the control loop should have looked and has not
 * @param lapsed the targets on which no decision is in force any more, and why
 * @param heldBytes memory that requests on their way hold, of so much that they may
 * @param further what others have found
 */
public record HealthSigns(
    List<TargetVitals> targets,
    long controlLateNanos,
    Map<String, String> lapsed,
    long heldBytes,
    long memoryBytes,
    List<HealthFinding> further) {
  public HealthSigns {
    targets = List.copyOf(targets);
    lapsed = Map.copyOf(lapsed);
    further = List.copyOf(further);
  }
}
