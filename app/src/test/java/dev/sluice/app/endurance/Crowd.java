package dev.sluice.app.endurance;

import dev.sluice.nfs.nfs3.Nfs3Procedure;
import dev.sluice.nfs.rpc.Credential;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Many connections on one thread, each with some calls in flight all the time, of one job after the
 * other. A client with a thread for each connection would need more of the machine than the server
 * that is tested.
 */
final class Crowd implements Runnable, AutoCloseable {
  private static final int DEPTH = 4;
  private static final int READ_BYTES = 4 << 10;
  private static final int MARK_BYTES = 4;
  private static final int LENGTH_MASK = 0x7fff_ffff;
  private static final int ACCEPT_STATUS_OFFSET = 20;

  private final Selector selector = Selector.open();
  private final List<Member> members = new ArrayList<>();
  private final List<byte[]> files;
  private final Credential.Sys caller;
  private int nextFile;
  private final AtomicLong answers = new AtomicLong();
  private volatile boolean stopped;

  /**
   * Connects.
   *
   * @param files handles of a file of 4 KiB or more, one for each job
   */
  Crowd(InetSocketAddress server, int connections, List<byte[]> files, Credential.Sys caller)
      throws IOException {
    this.files = files;
    this.caller = caller;
    for (int i = 0; i < connections; i++) {
      members.add(new Member(SocketChannel.open(server)));
    }
  }

  /** Calls until told to stop. */
  @Override
  public void run() {
    try {
      for (Member member : members) {
        for (int i = 0; i < DEPTH; i++) {
          member.call();
        }
      }
      while (!stopped) {
        selector.select(key -> ((Member) key.attachment()).serve(), 1_000);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void stop() {
    stopped = true;
    selector.wakeup();
  }

  /** How many calls have been answered. */
  long answers() {
    return answers.get();
  }

  @Override
  public void close() throws IOException {
    for (Member member : members) {
      member.channel.close();
    }
    selector.close();
  }

  /** Every other call reads 4 KiB, the others ask for attributes. */
  private ByteBuffer nextCall() {
    int index = nextFile++;
    byte[] file = files.get(index % files.size());
    boolean read = index % 2 == 0;
    int procedure = (read ? Nfs3Procedure.READ : Nfs3Procedure.GETATTR).number();
    return RawCall.record(
        index,
        Nfs3Procedure.PROGRAM,
        procedure,
        caller,
        out -> {
          out.writeOpaque(file);
          if (read) {
            out.writeLong(0).writeInt(READ_BYTES);
          }
        });
  }

  /** One of the connections. */
  private final class Member {
    final SocketChannel channel;
    private final ByteBuffer in = ByteBuffer.allocate(DEPTH * (READ_BYTES + 512));

    Member(SocketChannel channel) throws IOException {
      this.channel = channel;
      channel.configureBlocking(false);
      channel.register(selector, SelectionKey.OP_READ, this);
    }

    void call() throws IOException {
      ByteBuffer call = nextCall();
      int length = call.remaining();
      // A few small calls always fit into the socket's buffer.
      if (channel.write(call) != length) {
        throw new IOException("the server has stopped reading");
      }
    }

    void serve() {
      try {
        if (channel.read(in) < 0) {
          throw new EOFException("the server has closed the connection");
        }
        in.flip();
        while (in.remaining() >= MARK_BYTES) {
          int length = in.getInt(in.position()) & LENGTH_MASK;
          if (in.remaining() < MARK_BYTES + length) {
            break;
          }
          check(in.slice(in.position() + MARK_BYTES, length));
          in.position(in.position() + MARK_BYTES + length);
          answers.incrementAndGet();
          call();
        }
        in.compact();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    /** The call was accepted, and the status of NFS that follows is OK. */
    private void check(ByteBuffer reply) throws IOException {
      if (reply.getInt(ACCEPT_STATUS_OFFSET) != 0 || reply.getInt(ACCEPT_STATUS_OFFSET + 4) != 0) {
        throw new IOException(
            "refused with "
                + reply.getInt(ACCEPT_STATUS_OFFSET)
                + " and "
                + reply.getInt(ACCEPT_STATUS_OFFSET + 4));
      }
    }
  }
}
