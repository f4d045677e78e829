package dev.sluice.control.gateways;

import dev.sluice.command.LinkStatus;
import dev.sluice.control.access.KeyFiles;
import dev.sluice.control.config.Endpoint;
import dev.sluice.control.link.ControllerLink;
import dev.sluice.control.loop.NettyLoop;
import dev.sluice.gateway.ControllerConnection;
import dev.sluice.gateway.config.ControllerChoice;
import dev.sluice.gateway.config.GatewayConfiguration;
import dev.sluice.gateway.control.ControlLoop;
import dev.sluice.store.lease.LeaderFile;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** A gateway, connected to a controller for as long as this is open. */
public final class GatewayLink implements ControllerConnection {
  private static final System.Logger LOG = System.getLogger(GatewayLink.class.getName());

  /**
   * How long a gateway that begins waits for its first orders: many times what a controller takes
   * that is there, as long as a call waits for an answer, and little beside what a client waits
   * that has lost its server.
   */
  private static final Duration FIRST_ORDERS = Duration.ofSeconds(2);

  private final NettyLoop loop = new NettyLoop("gateway-link");
  private final ControllerLink link;
  private final GatewayRole role;

  /** Where a gateway with this state directory keeps whom it has obeyed. */
  private static final String OBEYED = "obeyed";

  /**
   * Connects a gateway and goes on trying, as {@link ControllerConnection.Maker#connect} says.
   *
   * @param host the name of this machine, for people
   */
  public static @Nullable GatewayLink of(
      GatewayConfiguration configuration, String host, ControlLoop control) throws IOException {
    ControllerChoice choice = configuration.controller();
    if (choice == null) {
      return null;
    }
    GatewayLink made = new GatewayLink(choice, host, control, configuration.state());
    made.role.awaitOrders(FIRST_ORDERS);
    return made;
  }

  /**
   * Reaches for the controllers of a gateway that stands by, and hangs up without a word: when its
   * turn comes it calls the sooner, and that none can be reached is known before.
   */
  public static void rehearse(ControllerChoice choice) {
    try (NettyLoop loop = new NettyLoop("gateway-rehearsal")) {
      if (!ControllerLink.reaches(addresses(choice), loop, FIRST_ORDERS)) {
        LOG.log(
            System.Logger.Level.WARNING,
            "none of the controllers {0} can be reached",
            String.join(", ", choice.addresses()));
      }
    } catch (IllegalArgumentException e) {
      LOG.log(System.Logger.Level.WARNING, "controllers: {0}", e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static ControllerLink.Addresses addresses(ControllerChoice choice) {
    List<InetSocketAddress> controllers = new ArrayList<>();
    choice.addresses().forEach(text -> controllers.add(Endpoint.named(text)));
    return new ControllerLink.Addresses(
        controllers, KeyFiles.of(choice.keys(), choice.name()), choice.tokenFile());
  }

  private GatewayLink(ControllerChoice choice, String host, ControlLoop control, Path state)
      throws IOException {
    // Read again at each call; that there is none is told now.
    KeyFiles.token(choice.tokenFile());
    this.role = new GatewayRole(choice.name(), host, choice.decides(), control, loop);
    this.link =
        new ControllerLink(
            addresses(choice), role, loop, new Random(), new LeaderFile(state.resolve(OBEYED)));
    role.playOn(link);
  }

  @Override
  public LinkStatus status() {
    return role.status();
  }

  @Override
  public void close() {
    link.close();
    loop.close();
  }
}
