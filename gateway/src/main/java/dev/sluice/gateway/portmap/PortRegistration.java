package dev.sluice.gateway.portmap;

import dev.sluice.gateway.nlm.NoLocksProgram;
import dev.sluice.nfs.rpc.CallHeader;
import dev.sluice.nfs.rpc.Credential;
import dev.sluice.nfs.rquota.RquotaProcedure;
import dev.sluice.nfs.xdr.XdrException;
import dev.sluice.nfs.xdr.XdrReader;
import dev.sluice.nfs.xdr.XdrWriter;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Tells this machine's portmapper (rpcbind, RFC 1833, version 2 over UDP) on which ports NFS, MOUNT
 * and what goes with them are, for clients that ask it, and takes that back when closed.
 */
final class PortRegistration implements AutoCloseable {
  static final InetSocketAddress PORTMAPPER =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), Portmapper.PORT);

  private static final int SET = 1;
  private static final int UNSET = 2;

  private static final int ACCEPTED = 0;
  private static final int SUCCESS = 0;
  private static final int VERIFIER_BYTES_MAX = 400;

  /** A portmapper lets only root change what it knows, and knows root by the port. */
  private static final int ROOTS_FIRST_PORT = 600;

  private static final int ROOTS_LAST_PORT = 1_023;
  private static final int TIMEOUT_MILLIS = 1_000;
  private static final int ATTEMPTS = 3;
  private static final int DATAGRAM_BYTES = 512;

  private final InetSocketAddress portmapper;

  /** What the portmapper was told and is to forget. */
  private final List<Service> registered = new ArrayList<>();

  private int xid = 1;

  /** Registers all programs; throws when the portmapper is not there or will not. */
  PortRegistration(InetSocketAddress portmapper, Portmapper.Ports ports) throws IOException {
    this.portmapper = portmapper;
    try {
      for (Service service : ports.services()) {
        register(service);
      }
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  private void register(Service service) throws IOException {
    // A gateway that was killed has left its ports behind, which may be ours again.
    if (ask(SET, service, service.port()) == 0) {
      int known = ask(PortmapProgram.GET, service, 0);
      if (known != 0 && isFoundElsewhereToo(service)) {
        return;
      }
      if (known != service.port()) {
        throw new IOException(
            known == 0
                ? "rpcbind will not register program "
                    + service.program()
                    + "; it lets only root do so"
                : "rpcbind has program " + service.program() + " at port " + known + " already");
      }
    }
    registered.add(service);
  }

  /**
   * Whether another program of this machine may be found under this number, and clients are none
   * the worse: a kernel that has mounted something itself has no locks for our files either, and
   * the system's own server of quotas knows the same file systems.
   */
  private static boolean isFoundElsewhereToo(Service service) {
    return service.program() == NoLocksProgram.PROGRAM
        || service.program() == RquotaProcedure.PROGRAM;
  }

  private int ask(int procedure, Service service, int port) throws IOException {
    XdrWriter out = new XdrWriter(ByteBuffer.allocate(DATAGRAM_BYTES));
    int version = PortmapProgram.PORTS_VERSION;
    new CallHeader(++xid, PortmapProgram.PROGRAM, version, procedure, Credential.NONE).encode(out);
    out.writeInt(service.program())
        .writeInt(service.version())
        .writeInt(service.transport().number())
        .writeInt(port);
    DatagramPacket call = new DatagramPacket(out.buffer().array(), 0, out.position(), portmapper);
    try (DatagramSocket socket = socket()) {
      // Of a socket that is connected one learns at once that nobody listens there.
      socket.connect(portmapper);
      socket.setSoTimeout(TIMEOUT_MILLIS);
      IOException last = new IOException("no answer");
      for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        try {
          socket.send(call);
          DatagramPacket reply = new DatagramPacket(new byte[DATAGRAM_BYTES], DATAGRAM_BYTES);
          socket.receive(reply);
          return answer(ByteBuffer.wrap(reply.getData(), 0, reply.getLength()));
        } catch (PortUnreachableException e) {
          throw new IOException("there is no rpcbind at " + portmapper, e);
        } catch (IOException e) {
          last = e;
        }
      }
      throw new IOException("rpcbind at " + portmapper + ": " + last.getMessage(), last);
    }
  }

  private int answer(ByteBuffer reply) throws IOException {
    try {
      XdrReader in = new XdrReader(reply);
      boolean ours = in.readInt() == xid && in.readInt() == 1;
      boolean accepted = in.readInt() == ACCEPTED;
      in.readInt();
      in.skipOpaque(VERIFIER_BYTES_MAX);
      if (!ours || !accepted || in.readInt() != SUCCESS) {
        throw new IOException("the call was refused");
      }
      return in.readInt();
    } catch (XdrException e) {
      throw new IOException("the answer makes no sense: " + e.getMessage(), e);
    }
  }

  private static DatagramSocket socket() throws SocketException {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    for (int port = ROOTS_LAST_PORT; port >= ROOTS_FIRST_PORT; port--) {
      try {
        return new DatagramSocket(port, loopback);
      } catch (SocketException e) {
        // In use, or not ours to take: then an ordinary one must do in the end.
      }
    }
    return new DatagramSocket(0, loopback);
  }

  @Override
  public void close() {
    for (Service gone : registered) {
      try {
        ask(UNSET, gone, 0);
      } catch (IOException e) {
        // Without a portmapper nobody is told wrong.
      }
    }
    registered.clear();
  }
}
