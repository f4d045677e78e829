package dev.sluice.gateway.rpc;

import dev.sluice.core.model.ClientAddress;
import dev.sluice.nfs.rpc.CallHeader;
import dev.sluice.nfs.rpc.CredentialReader;
import dev.sluice.nfs.rpc.DecodedCall;
import dev.sluice.nfs.rpc.ReplyHeader;
import dev.sluice.nfs.xdr.XdrException;
import dev.sluice.nfs.xdr.XdrReader;
import dev.sluice.nfs.xdr.XdrWriter;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Answers calls that come as datagrams, each on its own. An address in a datagram proves nothing,
 * so that only clients of ours are answered, and none often; the others hear nothing at all.
 */
public final class DatagramServer implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(DatagramServer.class.getName());

  /** More than any call takes of the programs that are called in this way. */
  private static final int CALL_BYTES_MAX = 2_048;

  /** A client that mounts asks a portmapper some five times for each mount. */
  private static final int ANSWERS_PER_ADDRESS_MAX = 200;

  private static final int ANSWERS_MAX = 5_000;
  private static final int PRIVILEGED_PORTS_END = 1_024;
  private static final long AFTER_FAILURE_MILLIS = 100;

  private final DatagramSocket socket;
  private final Programs programs;
  private final Predicate<ClientAddress> admitted;
  private final AnswerAllowance allowance;
  private final CredentialReader credentials = new CredentialReader();
  private final Thread thread;

  /**
   * Listens. Answers nobody before {@link #start}.
   *
   * @param name of the thread that answers
   * @param port 0 is any that is free
   * @param admitted who is answered
   */
  public DatagramServer(
      String name,
      InetAddress address,
      int port,
      List<? extends RpcProgram> programs,
      Predicate<ClientAddress> admitted)
      throws IOException {
    this.socket = new DatagramSocket(null);
    this.programs = new Programs(List.copyOf(programs));
    this.admitted = admitted;
    this.allowance = new AnswerAllowance(ANSWERS_PER_ADDRESS_MAX, ANSWERS_MAX, System.nanoTime());
    try {
      socket.bind(new InetSocketAddress(address, port));
    } catch (IOException e) {
      socket.close();
      throw e;
    }
    thread = Thread.ofPlatform().name(name).daemon().unstarted(this::answerAll);
  }

  public void start() {
    thread.start();
  }

  /** Where it listens. */
  public int port() {
    return socket.getLocalPort();
  }

  private void answerAll() {
    byte[] bytes = new byte[CALL_BYTES_MAX];
    while (!socket.isClosed()) {
      try {
        DatagramPacket packet = new DatagramPacket(bytes, bytes.length);
        socket.receive(packet);
        answer(packet);
      } catch (RuntimeException e) {
        // Of this one alone: who comes next does not wait for it.
        LOG.log(Level.DEBUG, "a datagram was not answered", e);
      } catch (IOException e) {
        if (!socket.isClosed()) {
          LOG.log(Level.DEBUG, "a datagram was not answered", e);
          pause();
        }
      }
    }
  }

  /** Something is wrong with the socket, and may be for a while. */
  private static void pause() {
    try {
      Thread.sleep(AFTER_FAILURE_MILLIS);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private void answer(DatagramPacket packet) throws IOException {
    ClientAddress client = ClientAddress.of(packet.getAddress().getAddress());
    if (!admitted.test(client) || !allowance.take(client, System.nanoTime())) {
      return;
    }
    ByteBuffer reply =
        reply(
            client,
            packet.getPort() < PRIVILEGED_PORTS_END,
            ByteBuffer.wrap(packet.getData(), packet.getOffset(), packet.getLength()));
    if (reply != null) {
      socket.send(new DatagramPacket(reply.array(), reply.position(), packet.getSocketAddress()));
    }
  }

  /** The reply, up to the buffer's position; null for what is no call. */
  private @Nullable ByteBuffer reply(
      ClientAddress client, boolean privilegedPort, ByteBuffer call) {
    XdrReader in = new XdrReader(call);
    DecodedCall decoded;
    try {
      decoded = CallHeader.decode(in, credentials);
    } catch (XdrException _) {
      return null;
    }
    if (!(decoded instanceof CallHeader head)) {
      return encoded(((DecodedCall.Refused) decoded).reply());
    }
    RpcProgram program = programs.find(head);
    if (program == null) {
      return encoded(programs.refusal(head, client));
    }
    RpcCall asked =
        new RpcCall(
            client,
            privilegedPort,
            head.xid(),
            head.program(),
            head.version(),
            head.procedure(),
            head.credential());
    try {
      Work work = program.inspect(asked, in);
      ByteBuffer reply = ByteBuffer.allocate(ReplyHeader.BYTES_MAX + work.replyBytesMax());
      XdrWriter out = new XdrWriter(reply);
      ReplyHeader.encodeSuccess(head.xid(), out);
      program.serve(asked, work, in, out);
      return reply;
    } catch (XdrException _) {
      return encoded(new ReplyHeader.GarbageArguments(head.xid()));
    }
  }

  private static ByteBuffer encoded(ReplyHeader reply) {
    ByteBuffer bytes = ByteBuffer.allocate(ReplyHeader.BYTES_MAX);
    reply.encode(new XdrWriter(bytes));
    return bytes;
  }

  @Override
  public void close() {
    socket.close();
  }
}
