package dev.sluice.gateway.portmap;

import dev.sluice.core.model.ClientAddress;
import dev.sluice.gateway.config.PortmapperChoice;
import dev.sluice.gateway.nlm.NoLocksProgram;
import dev.sluice.gateway.rpc.DatagramServer;
import dev.sluice.gateway.rpc.RpcProgram;
import dev.sluice.gateway.rpc.RpcServer;
import dev.sluice.gateway.rquota.RquotaProgram;
import dev.sluice.nfs.nfs3.MountProcedure;
import dev.sluice.nfs.nfs3.Nfs3Procedure;
import dev.sluice.nfs.nfsacl.NfsAclProcedure;
import dev.sluice.nfs.rquota.RquotaProcedure;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Sees to it that clients which ask port 111 where NFS, MOUNT and NLM are get an answer. Its {@link
 * #programs} go into the server that serves these; {@link #open} is called once the ports are
 * known.
 */
public final class Portmapper implements AutoCloseable {
  /** Where every client asks. */
  static final int PORT = 111;

  private final PortmapperChoice choice;
  private final InetAddress listening;
  private final PortTable table = new PortTable();
  private final List<PortmapProgram> programs;
  private @Nullable DatagramServer datagrams;
  private @Nullable PortRegistration registration;
  private @Nullable String problem;

  public Portmapper(PortmapperChoice choice, InetAddress listening) {
    this.choice = choice;
    this.listening = listening;
    this.programs =
        PortmapProgram.VERSIONS.stream()
            .map(version -> new PortmapProgram(version, table, listening))
            .toList();
  }

  /** What the server is to answer as well. */
  public List<RpcProgram> programs() {
    return List.copyOf(programs);
  }

  /** The ports at which a gateway's programs are. */
  public record Ports(int nfs, int mount) {
    /** What is told to a portmapper of the machine. */
    List<Service> services() {
      List<Service> services = new ArrayList<>();
      services.add(tcp(Nfs3Procedure.PROGRAM, Nfs3Procedure.VERSION, nfs));
      services.add(tcp(MountProcedure.PROGRAM, MountProcedure.VERSION, mount));
      services.add(tcp(NfsAclProcedure.PROGRAM, NfsAclProcedure.VERSION, nfs));
      NoLocksProgram.VERSIONS.forEach(
          version -> services.add(tcp(NoLocksProgram.PROGRAM, version, nfs)));
      for (int version : RquotaProgram.VERSIONS) {
        services.add(tcp(RquotaProcedure.PROGRAM, version, nfs));
        services.add(new Service(RquotaProcedure.PROGRAM, version, Service.Transport.UDP, nfs));
      }
      return services;
    }

    private static Service tcp(int program, int version, int port) {
      return new Service(program, version, Service.Transport.TCP, port);
    }
  }

  /**
   * Opens it as was chosen; throws when that cannot be.
   *
   * @param server listens on the portmapper's port, too, where it is our own
   * @param admitted which addresses datagrams are answered to
   */
  public void open(RpcServer server, Ports ports, Predicate<ClientAddress> admitted)
      throws IOException {
    switch (choice) {
      case OFF -> {}
      case OWN -> listen(server, PORT, ports, admitted);
      case RPCBIND -> registration = new PortRegistration(PortRegistration.PORTMAPPER, ports);
      case AUTO -> {
        // Who listens to this machine alone has tests and demonstrations for clients, and two such
        // gateways would be in each other's way.
        if (!listening.isLoopbackAddress()) {
          openWhatCanBeHad(server, ports, admitted);
        }
      }
    }
  }

  private void openWhatCanBeHad(RpcServer server, Ports ports, Predicate<ClientAddress> admitted) {
    try {
      registration = new PortRegistration(PortRegistration.PORTMAPPER, ports);
    } catch (IOException notRegistered) {
      try {
        listen(server, PORT, ports, admitted);
      } catch (IOException notOurs) {
        problem =
            "no portmapper: clients must mount with vers=3,tcp,port=%d,mountport=%d,nolock (%s; %s)"
                .formatted(
                    ports.nfs(), ports.mount(), notRegistered.getMessage(), notOurs.getMessage());
      }
    }
  }

  /** Answers at this port itself; 0 is any that is free. Says where calls over TCP are answered. */
  InetSocketAddress listen(
      RpcServer server, int port, Ports ports, Predicate<ClientAddress> admitted)
      throws IOException {
    DatagramServer opened;
    try {
      opened = new DatagramServer("portmapper-udp", listening, port, programs, admitted);
    } catch (IOException e) {
      throw new IOException("cannot answer at UDP port " + port + ": " + e.getMessage(), e);
    }
    try {
      InetSocketAddress address = server.listen(listening, port);
      List<Service> services = new ArrayList<>();
      for (int version : PortmapProgram.VERSIONS) {
        services.add(own(version, Service.Transport.TCP, address.getPort()));
        services.add(own(version, Service.Transport.UDP, opened.port()));
      }
      services.addAll(ports.services());
      table.use(services);
      opened.start();
      datagrams = opened;
      return address;
    } catch (IOException e) {
      opened.close();
      throw e;
    }
  }

  private static Service own(int version, Service.Transport transport, int port) {
    return new Service(PortmapProgram.PROGRAM, version, transport, port);
  }

  /** Where datagrams are answered; 0 when they are not. */
  int datagramPort() {
    return datagrams == null ? 0 : datagrams.port();
  }

  /** Whether a client that names no ports finds them. */
  public boolean answers() {
    return datagrams != null || registration != null;
  }

  /** What keeps clients from finding the ports, in words; null when nothing does. */
  public @Nullable String problem() {
    return problem;
  }

  @Override
  public void close() {
    if (datagrams != null) {
      datagrams.close();
    }
    if (registration != null) {
      registration.close();
    }
  }
}
