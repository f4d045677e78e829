package dev.sluice.gateway;

import dev.sluice.gateway.config.FailoverChoice;
import dev.sluice.gateway.config.GatewayConfiguration;
import dev.sluice.gateway.export.Exports;
import dev.sluice.gateway.failover.ClientLinks;
import dev.sluice.gateway.files.FileHandles;
import dev.sluice.gateway.identify.JobIdentity;
import dev.sluice.gateway.mount3.Mount3Program;
import dev.sluice.gateway.net.TcpListener;
import dev.sluice.gateway.nfs3.Nfs3Program;
import dev.sluice.gateway.nfs4.Nfs4Figures;
import dev.sluice.gateway.nfs4.Nfs4Service;
import dev.sluice.gateway.nfsacl.NfsAclProgram;
import dev.sluice.gateway.nlm.NoLocksProgram;
import dev.sluice.gateway.portmap.Portmapper;
import dev.sluice.gateway.rpc.DatagramServer;
import dev.sluice.gateway.rpc.ReplyJournal;
import dev.sluice.gateway.rpc.RpcProgram;
import dev.sluice.gateway.rpc.RpcServer;
import dev.sluice.gateway.rpc.RpcServerSettings;
import dev.sluice.gateway.rpc.RpcStatistics;
import dev.sluice.gateway.rquota.RquotaProgram;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What clients talk to: the programs, the ports where they are served, and how these are found. */
final class NetworkFront implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(NetworkFront.class.getName());

  /** Where in the shared directory the journal of replies is. */
  private static final String REPLIES = "replies";

  /** How long what is under way may take to end. */
  private static final Duration DRAIN = Duration.ofSeconds(10);

  /**
   * The same when another gateway goes on: what waits for its turn is sent there again, and what is
   * with the storage is waited for in any case.
   */
  private static final Duration DRAIN_FOR_ANOTHER = Duration.ofMillis(500);

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final @Nullable Nfs4Service nfs4;
  private final Portmapper portmapper;
  private final List<RpcProgram> quotas;
  private final RpcServer server;
  private final @Nullable ReplyJournal journal;
  private @Nullable ClientLinks links;
  private @Nullable DatagramServer datagrams;
  private volatile Duration drain = DRAIN;

  /** Serves nobody before {@link #open}. */
  NetworkFront(
      GatewayConfiguration configuration,
      Exports exports,
      FileHandles handles,
      JobIdentity identity,
      Path stateDirectory)
      throws IOException {
    portmapper = new Portmapper(configuration.portmapper(), configuration.listen());
    List<RpcProgram> programs = new ArrayList<>();
    programs.add(new Nfs3Program(exports, handles, configuration.transfers()));
    programs.add(new NfsAclProgram(exports, handles));
    programs.add(new Mount3Program(exports, handles));
    journal = journal(configuration.failover());
    nfs4 =
        configuration.nfs4().isServed()
            ? Nfs4Service.start(
                exports,
                handles,
                configuration.transfers(),
                stateDirectory,
                configuration.nfs4().domain(),
                journal,
                configuration.nfs4().lease())
            : null;
    if (nfs4 != null) {
      programs.add(nfs4.program());
    }
    programs.addAll(NoLocksProgram.allVersions());
    quotas = RquotaProgram.allVersions(exports, InstantSource.system());
    programs.addAll(quotas);
    programs.addAll(portmapper.programs());
    server =
        new RpcServer(
            programs,
            identity,
            new RpcServerSettings(
                exports::admitsAnyFrom,
                configuration.connections().inAll(),
                configuration.connections().perAddress(),
                configuration.memoryBytes(),
                PATIENCE,
                RpcServerSettings.IDLE,
                configuration.transfers().bytesMax(),
                configuration.failover() == null
                    ? TcpListener.Ending.IN_ORDER
                    : TcpListener.Ending.WITHOUT_TRACE),
            journal);
  }

  /** What outlives this gateway of its replies; null where nothing does. */
  private static @Nullable ReplyJournal journal(@Nullable FailoverChoice failover)
      throws IOException {
    if (failover == null || failover.replies() == FailoverChoice.Replies.MEMORY) {
      return null;
    }
    return ReplyJournal.open(
        failover.shared().resolve(REPLIES), failover.replies() == FailoverChoice.Replies.FORCED);
  }

  /**
   * Where it is served.
   *
   * @param mount may be the same as that of NFS
   */
  record Addresses(InetSocketAddress nfs, InetSocketAddress mount) {}

  /** Begins to serve. To be closed also where that fails. */
  Addresses open(GatewayConfiguration configuration, Exports exports) throws IOException {
    InetAddress listen = configuration.listen();
    InetSocketAddress nfs = server.listen(listen, configuration.nfsPort());
    boolean onePort =
        configuration.mountPort() != 0 && configuration.mountPort() == configuration.nfsPort();
    InetSocketAddress mount = onePort ? nfs : server.listen(listen, configuration.mountPort());
    answerDatagrams(listen, nfs.getPort(), exports);
    portmapper.open(
        server, new Portmapper.Ports(nfs.getPort(), mount.getPort()), exports::admitsAnyFrom);
    if (portmapper.problem() != null) {
      LOG.log(System.Logger.Level.WARNING, portmapper.problem());
    }
    FailoverChoice failover = configuration.failover();
    if (failover != null) {
      links = ClientLinks.begin(failover.shared(), server::links);
    }
    return new Addresses(nfs, mount);
  }

  /** Linux's {@code quota} asks by datagrams alone, at the port that NFS has over TCP. */
  private void answerDatagrams(InetAddress listen, int port, Exports exports) {
    try {
      DatagramServer opened =
          new DatagramServer("quota-udp", listen, port, quotas, exports::admitsAnyFrom);
      datagrams = opened;
      opened.start();
    } catch (IOException e) {
      LOG.log(
          System.Logger.Level.WARNING,
          "quota on clients shows nothing: UDP port %d cannot be had: %s"
              .formatted(port, e.getMessage()));
    }
  }

  /** Whether a client that names no ports finds them. */
  boolean tellsPorts() {
    return portmapper.answers();
  }

  /** Why clients do not find the ports; null where they do. */
  @Nullable String problem() {
    return portmapper.problem();
  }

  RpcStatistics statistics() {
    return server.statistics();
  }

  /** What clients of version 4 have; null where it is not served. */
  @Nullable Nfs4Figures version4() {
    return nfs4 == null ? null : nfs4.figures();
  }

  /** Forgets clients that are gone; to be called now and then. */
  void sweep() {
    if (nfs4 != null) {
      nfs4.sweep();
    }
  }

  /** Will not wait for long at the end: another goes on. */
  void endSoon() {
    drain = DRAIN_FOR_ANOTHER;
  }

  /** Whether nothing is served any more, once it was closed. */
  boolean hasEnded() {
    return server.hasEnded();
  }

  /** Lets go of what clients of version 4 have, and of the journal; when nothing is served. */
  void letGo() throws IOException {
    if (journal != null) {
      journal.close();
    }
    if (nfs4 != null) {
      nfs4.close();
    }
  }

  /** Tells nobody the ports any more, and lets what is under way end, for a while. */
  @Override
  public void close() {
    portmapper.close();
    if (datagrams != null) {
      datagrams.close();
    }
    if (links != null) {
      links.close();
    }
    server.stop(drain);
  }
}
