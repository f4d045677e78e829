package dev.sluice.gateway;

import dev.sluice.nfs.nfs3.MountProcedure;
import dev.sluice.nfs.nfs3.Nfs3Procedure;
import dev.sluice.nfs.rpc.CallHeader;
import dev.sluice.nfs.rpc.Credential;
import dev.sluice.nfs.xdr.XdrException;
import dev.sluice.nfs.xdr.XdrReader;
import dev.sluice.nfs.xdr.XdrWriter;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Tells this machine's portmapper (rpcbind, RFC 1833, version 2 over UDP) on which ports NFS and
 * MOUNT are, for clients that ask it, and takes that back when closed.
 */
final class PortRegistration implements AutoCloseable {
  static final InetSocketAddress PORTMAPPER =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 111);

  private static final int PROGRAM = 100_000;
  private static final int VERSION = 2;
  private static final int SET = 1;
  private static final int UNSET = 2;
  private static final int GETPORT = 3;
  private static final int TCP = 6;

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
  private final List<Registered> registered = new ArrayList<>();
  private int xid = 1;

  /** What the portmapper was told and is to forget. */
  private record Registered(int program, int version) {}

  /** Registers both programs; throws when the portmapper is not there or will not. */
  PortRegistration(InetSocketAddress portmapper, int nfsPort, int mountPort) throws IOException {
    this.portmapper = portmapper;
    try {
      register(Nfs3Procedure.PROGRAM, Nfs3Procedure.VERSION, nfsPort);
      register(MountProcedure.PROGRAM, MountProcedure.VERSION, mountPort);
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  private void register(int program, int version, int port) throws IOException {
    // A gateway that was killed has left its ports behind, which may be ours again.
    if (ask(SET, program, version, port) == 0) {
      int known = ask(GETPORT, program, version, 0);
      if (known != port) {
        throw new IOException(
            known == 0
                ? "rpcbind will not register program " + program + "; it lets only root do so"
                : "rpcbind has program " + program + " at port " + known + " already");
      }
    }
    registered.add(new Registered(program, version));
  }

  private int ask(int procedure, int program, int version, int port) throws IOException {
    XdrWriter out = new XdrWriter(ByteBuffer.allocate(DATAGRAM_BYTES));
    new CallHeader(++xid, PROGRAM, VERSION, procedure, Credential.NONE).encode(out);
    out.writeInt(program).writeInt(version).writeInt(TCP).writeInt(port);
    DatagramPacket call = new DatagramPacket(out.buffer().array(), 0, out.position(), portmapper);
    try (DatagramSocket socket = socket()) {
      socket.setSoTimeout(TIMEOUT_MILLIS);
      IOException last = new IOException("no answer");
      for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        try {
          socket.send(call);
          DatagramPacket reply = new DatagramPacket(new byte[DATAGRAM_BYTES], DATAGRAM_BYTES);
          socket.receive(reply);
          return answer(ByteBuffer.wrap(reply.getData(), 0, reply.getLength()));
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
    for (Registered gone : registered) {
      try {
        ask(UNSET, gone.program, gone.version, 0);
      } catch (IOException e) {
        // Without a portmapper nobody is told wrong.
      }
    }
    registered.clear();
  }
}
