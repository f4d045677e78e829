package dev.sluice.gateway;

import dev.sluice.command.LinkStatus;
import dev.sluice.gateway.config.GatewayConfiguration;
import dev.sluice.gateway.control.ControlLoop;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A gateway's connection to a controller, for as long as it is open. */
public interface ControllerConnection extends AutoCloseable {
  /** How it is. */
  LinkStatus status();

  @Override
  void close();

  /** Connects gateways to their controllers. */
  @FunctionalInterface
  interface Maker {
    /** Connects nobody. */
    Maker NONE = (_, _) -> null;

    /**
     * Connects a gateway that is about to serve, and returns when its first orders hold, or when
     * none are to be expected soon: who is served after that is held to them from the first
     * request, and nobody is kept waiting by a controller that is away.
     *
     * @param control what is to obey
     * @return null where the configuration names no controller
     */
    @Nullable ControllerConnection connect(GatewayConfiguration configuration, ControlLoop control)
        throws IOException;
  }
}
