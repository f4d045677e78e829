package dev.sluice.app;

import dev.sluice.control.gateways.GatewayLink;
import dev.sluice.core.policy.registry.PolicyRegistry;
import dev.sluice.gateway.Gateway;
import dev.sluice.gateway.Surroundings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A gateway that takes orders from a controller. */
public final class ControlledGateway {
  private ControlledGateway() {}

  /**
   * Writes its configuration, and makes the directory that it exports as {@code /disk}, on a target
   * of that name that is not paced: what the controller decides holds its jobs back.
   *
   * @param home where it lives; made if need be
   * @param name what the controller knows it by
   * @param controllers their addresses, with commas between
   * @param more lines that are added
   */
  public static Path write(
      Path home, String name, int port, String controllers, String capacity, String more)
      throws IOException {
    Path exported = Files.createDirectories(home.resolve("files"));
    // Other users may make files there, each its own.
    Files.setAttribute(exported, "unix:mode", 0_1777);
    return Files.writeString(
        home.resolve("sluice.yaml"),
        """
        nfs-port: %d
        mount-port: %d
        state: state
        dashboard: off
        trust-claimed-jobs: true
        controller: {addresses: [%s], name: %s}
        targets: {disk: {capacity: %s, pace: false}}
        exports: {/disk: {directory: files, privileged-ports: false}}
        %s
        """
            .formatted(port, port, controllers, name, capacity, more));
  }

  /** Starts it with its link, as {@code ./sluice serve} does. */
  public static Gateway start(Path file) throws IOException {
    return Gateway.start(
        file,
        PolicyRegistry.standard(),
        Surroundings.reaching(
            (configuration, control) -> GatewayLink.of(configuration, "test", control)));
  }
}
