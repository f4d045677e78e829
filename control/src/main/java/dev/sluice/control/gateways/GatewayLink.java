package dev.sluice.control.gateways;

import dev.sluice.command.LinkStatus;
import dev.sluice.control.access.KeyFiles;
import dev.sluice.control.config.Endpoint;
import dev.sluice.control.link.ControllerLink;
import dev.sluice.control.loop.NettyLoop;
import dev.sluice.gateway.config.ControllerChoice;
import dev.sluice.gateway.control.ControlLoop;
import dev.sluice.store.lease.LeaderFile;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A gateway, connected to a controller for as long as this is open. */
public final class GatewayLink implements AutoCloseable {
  private final NettyLoop loop = new NettyLoop("gateway-link");
  private final ControllerLink link;
  private final GatewayRole role;

  /** Where a gateway with this state directory keeps whom it has obeyed. */
  private static final String OBEYED = "obeyed";

  /**
   * Connects, and goes on trying.
   *
   * @param state the gateway's state directory
   */
  public GatewayLink(ControllerChoice choice, String host, ControlLoop control, Path state)
      throws IOException {
    List<InetSocketAddress> addresses = new ArrayList<>();
    choice.addresses().forEach(text -> addresses.add(Endpoint.named(text)));
    // Read again at each call; that there is none is told now.
    KeyFiles.token(choice.tokenFile());
    this.role = new GatewayRole(choice.name(), host, choice.decides(), control, loop);
    this.link =
        new ControllerLink(
            new ControllerLink.Addresses(
                addresses, KeyFiles.of(choice.keys(), choice.name()), choice.tokenFile()),
            role,
            loop,
            new Random(),
            new LeaderFile(state.resolve(OBEYED)));
    role.playOn(link);
  }

  /** How the connection is. */
  public LinkStatus status() {
    return role.status();
  }

  @Override
  public void close() {
    link.close();
    loop.close();
  }
}
