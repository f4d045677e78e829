package dev.sluice.load.client;

import dev.sluice.nfs.rpc.CallHeader;
import dev.sluice.nfs.rpc.Credential;
import dev.sluice.nfs.rpc.RecordMark;
import dev.sluice.nfs.rpc.ReplyHeader;
import dev.sluice.nfs.xdr.XdrException;
import dev.sluice.nfs.xdr.XdrReader;
import dev.sluice.nfs.xdr.XdrWriter;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Calls to one program of one server over TCP, many at a time. Callers send, on their own threads;
 * one thread takes the answers in.
 *
 * <p>When the connection breaks it is made anew, and every call without an answer is sent again
 * under its old number, by which a server knows a call that it has answered before. So is, on the
 * same connection, a call that has had no answer for long. Only when the server has been silent for
 * as long as the caller's patience lasts do calls fail.
 *
 * <p>Root calls from a privileged port, and keeps it when the connection is made anew.
 */
public final class RpcConnection implements AutoCloseable {
  /** How many calls may be without an answer at once; further callers wait. */
  public static final int PENDING_MAX = 4_096;

  private static final int FIRST_CAPACITY = 16 << 10;
  private static final long RETRY_NANOS_MIN = 10_000_000;
  private static final long RETRY_NANOS_MAX = 500_000_000;

  /** How many times the calls without an answer are looked through until one may be due. */
  private static final int LOOKS = 4;

  /**
   * Numbers no two calls of this program alike, on whatever connection: servers remember answers by
   * a client's address and number, and an address may well have several connections.
   */
  private static final AtomicInteger NEXT_XID =
      new AtomicInteger(ThreadLocalRandom.current().nextInt());

  /** A program at a version. */
  public record Program(int number, int version) {}

  private final InetSocketAddress server;
  private final Program program;
  private final ClientTimes times;

  private final Map<Integer, PendingCall<?>> pending = new ConcurrentHashMap<>();
  private final Semaphore room = new Semaphore(PENDING_MAX);
  private final LongAdder strayReplies = new LongAdder();
  private final LongAdder repeated = new LongAdder();
  private final Thread reader;
  private final Thread repeater;

  /** Whether there was no answer since the connection broke, and since when; the reader's own. */
  private boolean silent;

  private long silentSinceNanos;

  /** Where the connection comes from; the reader's own, once that runs. */
  private int sourcePort;

  private volatile boolean closed;
  private volatile @Nullable IOException failure;

  /** Closed by whoever wants to, also while somebody sends on it: that is how a sender is woken. */
  private volatile SocketChannel channel;

  /** Guards all that follows. */
  private final ReentrantLock sending = new ReentrantLock();

  private int connections = 1;
  private ByteBuffer out = ByteBuffer.allocateDirect(FIRST_CAPACITY);

  private RpcConnection(InetSocketAddress server, Program program, ClientTimes times)
      throws IOException {
    this.server = server;
    this.program = program;
    this.times = times;
    this.channel = connect(0);
    this.reader =
        Thread.ofPlatform().daemon().name("nfs-client " + server).unstarted(this::readUntilClosed);
    this.repeater = Thread.ofVirtual().unstarted(this::repeatUntilClosed);
  }

  /** Connects. */
  public static RpcConnection open(InetSocketAddress server, Program program, ClientTimes times)
      throws IOException {
    RpcConnection connection = new RpcConnection(server, program, times);
    connection.reader.start();
    connection.repeater.start();
    return connection;
  }

  /**
   * Connects.
   *
   * @param port the privileged port to come from where that is free; 0 for any
   */
  private SocketChannel connect(int port) throws IOException {
    try {
      SocketChannel opened =
          PrivilegedPorts.USABLE
              ? PrivilegedPorts.connect(server, port)
              : SocketChannel.open(server);
      opened.setOption(StandardSocketOptions.TCP_NODELAY, true);
      opened.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
      sourcePort = ((InetSocketAddress) opened.getLocalAddress()).getPort();
      return opened;
    } catch (UnresolvedAddressException e) {
      throw new RpcException("no such host: " + server.getHostString(), e);
    } catch (RpcException e) {
      throw e;
    } catch (IOException e) {
      throw new RpcException("cannot connect to " + server + ": " + e.getMessage(), e);
    }
  }

  /**
   * Sends a call; waits only while there are too many without an answer, or while the server takes
   * nothing in. What is done with the answer is done on the thread that takes all answers in, so it
   * must be quick and must not call.
   */
  <T> CompletableFuture<T> call(
      Credential caller,
      int procedure,
      PendingCall.Arguments arguments,
      @Nullable Payload payload,
      PendingCall.Results<T> results) {
    room.acquireUninterruptibly();
    PendingCall<T> call =
        new PendingCall<>(
            NEXT_XID.getAndIncrement(), caller, procedure, arguments, payload, results);
    pending.put(call.xid, call);
    IOException failed = failure;
    if (failed != null) {
      fail(call, failed);
    } else {
      sendUnlessSent(call);
    }
    return call.answer;
  }

  /** Sends a call on the connection that there is, if it was not sent there already. */
  private void sendUnlessSent(PendingCall<?> call) {
    sending.lock();
    try {
      if (call.sentOnConnection != connections && pending.containsKey(call.xid)) {
        call.sentOnConnection = connections;
        send(call);
      }
    } catch (IOException e) {
      // The thread that reads notices too, and sends it again on the next connection.
    } finally {
      sending.unlock();
    }
  }

  /** Looks now and then for calls that have waited too long, and sends them again. */
  private void repeatUntilClosed() {
    long lookNanos = times.repeatAfter().toNanos() / LOOKS;
    while (!closed) {
      LockSupport.parkNanos(lookNanos);
      for (PendingCall<?> call : pending.values()) {
        if (System.nanoTime() - call.dueNanos > 0) {
          repeat(call);
        }
      }
    }
  }

  private void repeat(PendingCall<?> call) {
    sending.lock();
    try {
      // One that was not sent on this connection yet will be, by whoever made it or connected.
      if (call.sentOnConnection == connections && pending.containsKey(call.xid)) {
        repeated.increment();
        send(call);
      }
    } catch (IOException e) {
      // The thread that reads notices too, and sends it again on the next connection.
    } finally {
      sending.unlock();
    }
  }

  private void send(PendingCall<?> call) throws IOException {
    call.times++;
    call.dueNanos = System.nanoTime() + call.times * times.repeatAfter().toNanos();
    int bytesMax = RecordMark.BYTES + CallHeader.BYTES_MAX + call.bytesMax();
    if (out.capacity() < bytesMax) {
      out = ByteBuffer.allocateDirect(bytesMax);
    }
    out.clear().position(RecordMark.BYTES);
    XdrWriter writer = new XdrWriter(out);
    new CallHeader(call.xid, program.number, program.version, call.procedure, call.caller)
        .encode(writer);
    call.writeTo(writer);
    out.putInt(0, RecordMark.last(out.position() - RecordMark.BYTES));
    out.flip();
    while (out.hasRemaining()) {
      channel.write(out);
    }
  }

  private void readUntilClosed() {
    while (!closed) {
      IOException reason;
      try {
        read(channel);
        reason = new EOFException("the server closed the connection");
      } catch (IOException e) {
        reason = e;
      } catch (XdrException e) {
        reason = new RpcException("the server sent what is not a reply: " + e.getMessage(), e);
      }
      if (!closed) {
        reconnect(reason);
      }
    }
    IOException failed = failure;
    failAll(
        failed == null ? new RpcException("the connection to " + server + " is closed") : failed);
  }

  private void read(SocketChannel from) throws IOException {
    RecordAssembler records = new RecordAssembler();
    while (records.receive(from)) {
      for (ByteBuffer record = records.next(); record != null; record = records.next()) {
        answer(new XdrReader(record));
        silent = false;
      }
    }
  }

  private void answer(XdrReader reply) {
    ReplyHeader header = ReplyHeader.decode(reply);
    PendingCall<?> call = pending.remove(header.xid());
    if (call == null) {
      // The answer to a call that was sent twice and answered twice.
      strayReplies.increment();
      return;
    }
    room.release();
    complete(call, header, reply);
  }

  private <T> void complete(PendingCall<T> call, ReplyHeader header, XdrReader reply) {
    T results;
    try {
      if (!(header instanceof ReplyHeader.Success)) {
        throw new RpcException(server + " refused a call: " + header);
      }
      results = call.results.readFrom(reply);
    } catch (IOException e) {
      call.answer.completeExceptionally(e);
      return;
    } catch (XdrException e) {
      call.answer.completeExceptionally(
          new RpcException(
              "the answer to procedure "
                  + call.procedure
                  + " of program "
                  + program.number
                  + " is malformed: "
                  + e.getMessage(),
              e));
      return;
    }
    call.answer.complete(results);
  }

  /** Tries until it works, it is closed or the patience is at its end. */
  private void reconnect(IOException reason) {
    close(channel);
    if (!silent || pending.isEmpty()) {
      silent = true;
      silentSinceNanos = System.nanoTime();
    }
    long pause = RETRY_NANOS_MIN;
    IOException last = reason;
    while (!closed) {
      if (System.nanoTime() - silentSinceNanos > times.patience().toNanos()) {
        giveUp(last);
        return;
      }
      try {
        resendOn(connect(sourcePort));
        return;
      } catch (IOException e) {
        last = e;
      }
      LockSupport.parkNanos(pause);
      pause = Math.min(2 * pause, RETRY_NANOS_MAX);
    }
  }

  private void resendOn(SocketChannel fresh) {
    sending.lock();
    try {
      channel = fresh;
      connections++;
    } finally {
      sending.unlock();
    }
    if (closed) {
      // Whoever closed did not see this one.
      close(fresh);
      return;
    }
    List<PendingCall<?>> unanswered =
        pending.values().stream()
            .sorted(Comparator.<PendingCall<?>>comparingInt(call -> call.xid))
            .toList();
    // Not on this thread: the server may stop taking calls in until somebody takes its answers.
    Thread.ofVirtual().start(() -> unanswered.forEach(this::sendUnlessSent));
  }

  private void giveUp(IOException last) {
    failure =
        new RpcException(server + " has not answered for too long: " + last.getMessage(), last);
    closed = true;
  }

  private void failAll(IOException reason) {
    failure = reason;
    // Whoever calls from here on sees the failure, before or after being put here.
    for (PendingCall<?> call : List.copyOf(pending.values())) {
      fail(call, reason);
    }
  }

  private void fail(PendingCall<?> call, IOException reason) {
    if (pending.remove(call.xid) != null) {
      room.release();
      call.answer.completeExceptionally(reason);
    }
  }

  /** How many times it has connected. */
  public int connections() {
    sending.lock();
    try {
      return connections;
    } finally {
      sending.unlock();
    }
  }

  /** How many replies came that nobody waited for. */
  public long strayReplies() {
    return strayReplies.sum();
  }

  /** How many calls were sent again on the same connection, because no answer came for long. */
  public long repeated() {
    return repeated.sum();
  }

  /** The port that it comes from. */
  public int sourcePort() {
    return sourcePort;
  }

  /** Ends it; calls without an answer fail. */
  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(reader);
    LockSupport.unpark(repeater);
    close(channel);
    try {
      reader.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void close(SocketChannel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      // It is of no use any more, in whatever state.
    }
  }
}
