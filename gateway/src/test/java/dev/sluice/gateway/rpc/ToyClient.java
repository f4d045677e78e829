package dev.sluice.gateway.rpc;

import dev.sluice.nfs.rpc.CallHeader;
import dev.sluice.nfs.rpc.Credential;
import dev.sluice.nfs.rpc.RecordMark;
import dev.sluice.nfs.rpc.ReplyHeader;
import dev.sluice.nfs.xdr.XdrReader;
import dev.sluice.nfs.xdr.XdrWriter;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.function.Consumer;

/** A client of the toy program, which blocks. */
final class ToyClient implements AutoCloseable {
  private static final Credential SOMEBODY = new Credential.Sys("node1", 1000, 100, 4, 5);

  private static final ThreadLocal<ByteBuffer> SCRATCH =
      ThreadLocal.withInitial(() -> ByteBuffer.allocate((4 << 20) + (64 << 10)));

  final SocketChannel channel;
  private ByteBuffer in = ByteBuffer.allocate(4096);
  private int xid;

  ToyClient(InetSocketAddress server) throws IOException {
    channel = SocketChannel.open(server);
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
  }

  /** The record of a call. */
  static ByteBuffer call(int xid, int procedure, Consumer<XdrWriter> arguments) {
    return call(
        new CallHeader(xid, ToyProgram.PROGRAM, ToyProgram.VERSION, procedure, SOMEBODY),
        arguments);
  }

  static ByteBuffer call(CallHeader header, Consumer<XdrWriter> arguments) {
    ByteBuffer record = SCRATCH.get().clear();
    XdrWriter out = new XdrWriter(record.position(RecordMark.BYTES));
    header.encode(out);
    arguments.accept(out);
    record.putInt(0, RecordMark.last(record.position() - RecordMark.BYTES));
    return ByteBuffer.allocate(record.position()).put(record.flip()).flip();
  }

  /** Sends all of it. */
  void send(ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }

  /** The next reply, whichever it is: its head, and the reader at its results. */
  Reply receive() throws IOException {
    read(RecordMark.BYTES);
    int length = RecordMark.length(in.getInt());
    read(length);
    XdrReader reader = new XdrReader(in);
    return new Reply(ReplyHeader.decode(reader), reader);
  }

  record Reply(ReplyHeader header, XdrReader results) {}

  private void read(int bytes) throws IOException {
    if (in.capacity() < bytes) {
      in = ByteBuffer.allocate(bytes);
    }
    in.clear().limit(bytes);
    while (in.hasRemaining()) {
      if (channel.read(in) < 0) {
        throw new EOFException("the server closed the connection");
      }
    }
    in.flip();
  }

  /** Calls and waits for the reply. */
  Reply call(int procedure, Consumer<XdrWriter> arguments) throws IOException {
    send(call(++xid, procedure, arguments));
    return receive();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
