package dev.sluice.app.neighbours;

import dev.sluice.app.endurance.RawCall;
import dev.sluice.nfs.nfs3.Nfs3Procedure;
import dev.sluice.nfs.nfs3.StableHow;
import dev.sluice.nfs.rpc.Credential;
import dev.sluice.nfs.xdr.XdrWriter;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * A client that does with a connection what a hostile or an unlucky one does: it comes from any
 * address of loopback, sends anything in any pieces, need not read, repeats and forges calls, and
 * goes without a farewell. Calls for one thread, replies for another.
 */
final class RawClient implements AutoCloseable {
  /** What an answer begins with before the results of the procedure: five words and the status. */
  private static final int STATUS_OFFSET = 24;

  private static final int LENGTH_MASK = 0x7fff_ffff;
  private static final int LAST_FRAGMENT = 0x8000_0000;

  private final SocketChannel channel;
  private final DataInputStream in;

  /**
   * An answer.
   *
   * @param status of NFS, or -1 where the call itself was refused
   * @param results the whole record, to look into
   */
  record Reply(int xid, int status, ByteBuffer results) {}

  private RawClient(SocketChannel channel) throws IOException {
    this.channel = channel;
    this.in = new DataInputStream(channel.socket().getInputStream());
  }

  /** Connects from an address of loopback, such as 127.0.0.9, and any port. */
  static RawClient connect(InetSocketAddress server, String from) throws IOException {
    SocketChannel channel = SocketChannel.open();
    try {
      channel.bind(new InetSocketAddress(InetAddress.ofLiteral(from), 0));
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      channel.connect(server);
      return new RawClient(channel);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  /** Sends anything; waits while the server takes nothing in. */
  void send(ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }

  /** Announces a record of so many bytes, of which nothing follows. */
  void sendMark(int length) throws IOException {
    send(ByteBuffer.allocate(Integer.BYTES).putInt(LAST_FRAGMENT | length).flip());
  }

  void call(int xid, Nfs3Procedure procedure, Credential.Sys caller, Consumer<XdrWriter> arguments)
      throws IOException {
    send(RawCall.record(xid, Nfs3Procedure.PROGRAM, procedure.number(), caller, arguments));
  }

  void getAttributes(int xid, Credential.Sys caller, byte[] file) throws IOException {
    call(xid, Nfs3Procedure.GETATTR, caller, out -> out.writeOpaque(file));
  }

  void remove(int xid, Credential.Sys caller, byte[] directory, byte[] name) throws IOException {
    call(xid, Nfs3Procedure.REMOVE, caller, out -> out.writeOpaque(directory).writeOpaque(name));
  }

  void write(
      int xid, Credential.Sys caller, byte[] file, long offset, byte[] data, StableHow stability)
      throws IOException {
    send(writeRecord(xid, caller, file, offset, data, stability));
  }

  /** A WRITE, ready to be sent. */
  static ByteBuffer writeRecord(
      int xid, Credential.Sys caller, byte[] file, long offset, byte[] data, StableHow stability) {
    return RawCall.record(
        xid,
        Nfs3Procedure.PROGRAM,
        Nfs3Procedure.WRITE.number(),
        caller,
        data.length + (1 << 10),
        out -> {
          out.writeOpaque(file).writeLong(offset).writeInt(data.length);
          out.writeInt(stability.code()).writeOpaque(data);
        });
  }

  /** The next answer; fails with a time-out where none comes. */
  Reply reply(Duration patience) throws IOException {
    channel.socket().setSoTimeout((int) patience.toMillis());
    byte[] record = new byte[in.readInt() & LENGTH_MASK];
    in.readFully(record);
    ByteBuffer bytes = ByteBuffer.wrap(record);
    boolean accepted = record.length >= STATUS_OFFSET + Integer.BYTES && bytes.getInt(20) == 0;
    return new Reply(bytes.getInt(0), accepted ? bytes.getInt(STATUS_OFFSET) : -1, bytes);
  }

  /** The next answer to the call with this number; others are passed over. */
  Reply replyTo(int xid, Duration patience) throws IOException {
    Reply reply = reply(patience);
    while (reply.xid() != xid) {
      reply = reply(patience);
    }
    return reply;
  }

  /** Goes without a farewell: the server is sent a reset. Does nothing once it is gone. */
  void reset() throws IOException {
    try {
      channel.setOption(StandardSocketOptions.SO_LINGER, 0);
    } catch (ClosedChannelException e) {
      return;
    }
    channel.close();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
