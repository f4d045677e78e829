package dev.sluice.gateway.identify;

import dev.sluice.gateway.target.TargetService;

/** Which target serves which export. Immutable. */
@FunctionalInterface
public interface ExportPlacements {
  /**
   * Where the export with this number is. One that is no longer there is somewhere too: calls that
   * were on their way wait for their turn there, and are then told that it is gone.
   */
  Placement placement(int exportId);

  /**
   * An export and its target.
   *
   * @param export its path, as clients name it
   */
  record Placement(String export, TargetService target, String targetName) {}
}
