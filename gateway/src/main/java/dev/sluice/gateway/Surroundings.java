package dev.sluice.gateway;

import dev.sluice.gateway.admin.FailoverControl;
import org.jspecify.annotations.Nullable;

/**
 * What the program brings along in which a gateway runs.
 *
 * @param web what its web server answers besides
 * @param failover by whose leave it serves; null where no other gateway serves the same
 * @param controllers how it reaches a controller
 */
public record Surroundings(
    WebAdditions web, @Nullable FailoverControl failover, ControllerConnection.Maker controllers) {
  /** Nothing. */
  public static final Surroundings NONE =
      new Surroundings(WebAdditions.NONE, null, ControllerConnection.Maker.NONE);

  /** A way to controllers, and nothing else. */
  public static Surroundings reaching(ControllerConnection.Maker controllers) {
    return new Surroundings(WebAdditions.NONE, null, controllers);
  }
}
