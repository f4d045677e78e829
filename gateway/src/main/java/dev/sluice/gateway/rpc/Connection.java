package dev.sluice.gateway.rpc;

import dev.sluice.core.model.ClientAddress;
import dev.sluice.core.model.Operation;
import dev.sluice.gateway.files.FileHandle;
import dev.sluice.gateway.memory.BufferPool;
import dev.sluice.gateway.memory.MemoryBudget;
import dev.sluice.gateway.memory.NativeBuffer;
import dev.sluice.gateway.net.Poller;
import dev.sluice.gateway.net.TcpSocket;
import dev.sluice.gateway.rpc.RpcRequest.PendingCall;
import dev.sluice.gateway.target.TargetService;
import dev.sluice.nfs.rpc.CallHeader;
import dev.sluice.nfs.rpc.CredentialReader;
import dev.sluice.nfs.rpc.DecodedCall;
import dev.sluice.nfs.rpc.RecordMark;
import dev.sluice.nfs.rpc.ReplyHeader;
import dev.sluice.nfs.xdr.XdrException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One client's connection, and the thread that reads from it. Calls that may be served at once are
 * served by this thread, and their replies gathered until no further call is here; the others are
 * left to their targets. Whatever the client does or does not do, only this thread ever waits for
 * it.
 */
final class Connection implements Runnable, RecordReader.Waiting {
  /** What a client can have under way, in requests and in the replies that they will need. */
  static final long HELD_BYTES_MAX = 32 << 20;

  /** How many calls a client can have under way. */
  static final int REQUESTS_MAX = 1_024;

  private static final int GATHERED_BYTES = 64 << 10;

  /** Replies that may be larger are sent on their own. */
  private static final int GATHERED_REPLY_BYTES_MAX = 8 << 10;

  /** No reply waits for longer than this for others to be gathered with it, but for one call. */
  private static final long GATHERED_NANOS_MAX = 200_000;

  /** Nothing more is read from a client that has not taken so many bytes of replies. */
  private static final long OUTPUT_BYTES_MAX = 1 << 20;

  /** How long a client that has ended is given to take its last replies. */
  private static final long LAST_REPLIES_NANOS = 5_000_000_000L;

  private static final int PRIVILEGED_PORTS_END = 1_024;

  private final RpcServerParts parts;
  private final TcpSocket socket;
  private final ClientAddress client;
  private final boolean privilegedPort;
  private final MemoryBudget.Account account;
  private final OutputQueue output;
  private final RecordReader records;
  private final CredentialReader credentials = new CredentialReader();
  private volatile boolean stopping;

  /** Replies that wait for the next send. */
  private @Nullable NativeBuffer gathered;

  private long gatheredSinceNanos;

  Connection(TcpSocket socket, RpcServerParts parts) {
    this.socket = socket;
    this.parts = parts;
    client = ClientAddress.of(socket.peer().getAddress().getAddress());
    privilegedPort = socket.peer().getPort() < PRIVILEGED_PORTS_END;
    account = parts.budget().open(HELD_BYTES_MAX, REQUESTS_MAX);
    output = new OutputQueue(socket, parts.pool(), account, parts.flusher(), parts.counters());
    records = new RecordReader(socket, parts.pool(), account, parts.counters(), this);
  }

  @Override
  public void run() {
    try {
      readAll();
      awaitLastReplies();
    } catch (MalformedRecordException | XdrException _) {
      parts.counters().malformed.increment();
    } catch (IOException _) {
      // The client is gone, which is its right.
    } finally {
      close();
    }
  }

  /** Reads no more; what is under way is served and replied to. */
  void stop() {
    stopping = true;
    socket.shutdownInput();
  }

  /** Ends at once. */
  void abort() {
    stopping = true;
    account.close();
    socket.shutdown();
  }

  long inFlight() {
    return account.requests();
  }

  private void readAll() throws IOException {
    while (!stopping) {
      NativeBuffer record = records.next();
      if (record == null) {
        return;
      }
      process(record, !records.isInput(record));
      if (output.pendingBytes() > OUTPUT_BYTES_MAX) {
        awaitRoom();
      }
    }
  }

  /** Serves a record, or leaves it to its target. */
  private void process(NativeBuffer record, boolean large) throws IOException {
    parts.counters().calls.increment();
    boolean understood = false;
    try {
      understood = understand(record, large);
    } finally {
      if (large && !understood) {
        account.end(record.capacity());
        giveBack(record);
      }
    }
  }

  /**
   * Finds out what a call wants.
   *
   * @return whether somebody has taken over the record and what is held for it
   */
  private boolean understand(NativeBuffer record, boolean large) throws IOException {
    DecodedCall decoded = CallHeader.decode(record.reader(), credentials);
    if (!(decoded instanceof CallHeader head)) {
      refuse(((DecodedCall.Refused) decoded).reply());
      return false;
    }
    RpcProgram program = parts.programs().find(head);
    if (program == null) {
      refuse(parts.programs().refusal(head, client));
      return false;
    }
    RpcCall call =
        new RpcCall(
            client,
            privilegedPort,
            head.xid(),
            head.program(),
            head.version(),
            head.procedure(),
            head.credential());
    ByteBuffer bytes = record.bytes();
    int arguments = bytes.position();
    Work work;
    try {
      work = program.inspect(call, record.reader());
    } catch (XdrException _) {
      refuse(new ReplyHeader.GarbageArguments(call.xid()));
      return false;
    } catch (RuntimeException e) {
      parts.calls().log(call, e);
      refuse(new ReplyHeader.SystemError(call.xid()));
      return false;
    }
    bytes.position(arguments);
    long held = hold(work, record, large);
    DuplicateRequestCache.Entry replay = null;
    if (work.replayed()) {
      DuplicateRequestCache.Answer known =
          parts.duplicates().begin(DuplicateRequestCache.Key.of(call, bytes));
      if (!(known instanceof DuplicateRequestCache.Answer.First first)) {
        repeated(known);
        account.end(held);
        if (large) {
          giveBack(record);
        }
        return true;
      }
      replay = first.entry();
    }
    schedule(new PendingCall(program, call, work, replay, held), record, large);
    return true;
  }

  private void repeated(DuplicateRequestCache.Answer known) {
    parts.counters().duplicates.increment();
    if (known instanceof DuplicateRequestCache.Answer.Replied replied) {
      gather(replied.record());
    }
  }

  private void schedule(PendingCall pending, NativeBuffer record, boolean large) {
    RpcCall call = pending.head();
    Operation operation = pending.work().operation();
    FileHandle handle = pending.work().handle();
    if (operation == null || handle == null) {
      serveHere(pending, record);
      if (large) {
        giveBack(record);
      }
      return;
    }
    Admission admission;
    try {
      admission = parts.admissions().admit(call, handle, operation);
    } catch (RuntimeException e) {
      parts.calls().log(call, e);
      refuse(new ReplyHeader.SystemError(call.xid()));
      abandon(pending, large ? record : null);
      return;
    }
    RpcRequest request = new RpcRequest(admission.flow(), operation, this, pending, record, large);
    boolean othersUnderWay = account.requests() > 1 || records.hasRecord();
    long now = System.nanoTime();
    if (gathered != null && now - gatheredSinceNanos > GATHERED_NANOS_MAX) {
      sendGathered();
    }
    if (output.isBlocked()) {
      // This thread may be gone for as long as the call takes.
      output.leaveToFlusher();
    }
    TargetService target = admission.target();
    if (target.submit(request, othersUnderWay, now)) {
      int moved = request.serveHere();
      target.complete(request, moved, System.nanoTime());
    }
  }

  /** Takes the memory that a call and its reply may need, and waits until there is some. */
  private long hold(Work work, NativeBuffer record, boolean large) throws IOException {
    int reply = BufferPool.capacityFor(CallService.recordBytesMax(work));
    if (large) {
      // No procedure has both; waiting for a second buffer while holding one could wait forever.
      if (reply > GATHERED_REPLY_BYTES_MAX) {
        throw new MalformedRecordException("a large call that wants a large reply");
      }
      return record.capacity();
    }
    long bytes = BufferPool.capacityFor(record.bytes().remaining()) + (long) reply;
    if (!account.tryTake(bytes)) {
      beforeWaitingForMemory();
      if (!account.take(bytes)) {
        throw new IOException("the server ends");
      }
    }
    return bytes;
  }

  /** Serves a call on the reader's thread, and sees to it that the reply goes out. */
  int serveHere(PendingCall pending, NativeBuffer arguments) {
    int room = CallService.recordBytesMax(pending.work());
    if (room <= GATHERED_REPLY_BYTES_MAX) {
      int moved = serve(pending, arguments, gatheredWithRoomFor(room));
      account.end(pending.heldBytes());
      return moved;
    }
    sendGathered();
    NativeBuffer out = parts.pool().take(room);
    int moved = serve(pending, arguments, out);
    output.addFromReader(out, out.bytes().position(), pending.heldBytes());
    return moved;
  }

  /** Serves a call on a worker's thread. */
  int serveForWorker(PendingCall pending, NativeBuffer arguments) {
    NativeBuffer out = parts.pool().take(CallService.recordBytesMax(pending.work()));
    int moved = serve(pending, arguments, out);
    giveBack(arguments);
    output.addFromWorker(out, out.bytes().position(), pending.heldBytes());
    return moved;
  }

  private int serve(PendingCall pending, NativeBuffer arguments, NativeBuffer out) {
    return parts
        .calls()
        .serve(
            pending.program(),
            pending.head(),
            pending.work(),
            pending.replay(),
            arguments.reader(),
            out);
  }

  /** Gives up a call that nobody will serve. */
  void abandon(PendingCall pending, @Nullable NativeBuffer arguments) {
    if (arguments != null) {
      giveBack(arguments);
    }
    if (pending.replay() != null) {
      parts.duplicates().notServed(pending.replay());
    }
    account.end(pending.heldBytes());
  }

  /** A copy of what is between a buffer's position and its limit. */
  NativeBuffer copyOf(NativeBuffer buffer) {
    ByteBuffer from = buffer.bytes();
    NativeBuffer copy = parts.pool().take(from.remaining());
    copy.bytes().put(0, from, from.position(), from.remaining()).limit(from.remaining());
    return copy;
  }

  void giveBack(NativeBuffer buffer) {
    parts.pool().giveBack(buffer);
  }

  private void refuse(ReplyHeader reply) {
    int room = RecordMark.BYTES + ReplyHeader.BYTES_MAX;
    parts.calls().refuse(reply, gatheredWithRoomFor(room));
  }

  private void gather(ByteBuffer record) {
    if (record.remaining() > GATHERED_BYTES) {
      sendGathered();
      NativeBuffer alone = parts.pool().take(record.remaining());
      alone.bytes().put(record);
      output.addFromReader(alone, alone.bytes().position());
    } else {
      gatheredWithRoomFor(record.remaining()).bytes().put(record);
    }
  }

  private NativeBuffer gatheredWithRoomFor(int bytes) {
    NativeBuffer buffer = gathered;
    if (buffer != null && buffer.bytes().remaining() < bytes) {
      sendGathered();
      buffer = null;
    }
    if (buffer == null) {
      buffer = parts.pool().take(GATHERED_BYTES);
      gathered = buffer;
      gatheredSinceNanos = System.nanoTime();
    }
    return buffer;
  }

  private void sendGathered() {
    NativeBuffer buffer = gathered;
    if (buffer != null) {
      gathered = null;
      output.addFromReader(buffer, buffer.bytes().position());
    }
  }

  @Override
  public void beforeReceive() throws IOException {
    sendGathered();
    while (output.isBlocked()) {
      if (!awaitOutput(true)) {
        return;
      }
    }
  }

  @Override
  public void beforeWaitingForMemory() {
    sendGathered();
    output.leaveToFlusher();
  }

  private void awaitRoom() throws IOException {
    while (output.isBlocked() && output.pendingBytes() > OUTPUT_BYTES_MAX) {
      awaitOutput(false);
    }
  }

  /** Waits until something can be sent, and sends it; false when there is input instead. */
  private boolean awaitOutput(boolean orInput) throws IOException {
    int timeoutMillis = (int) (parts.stallNanosMax() / 1_000_000);
    if (Poller.awaitEither(socket, orInput, timeoutMillis)) {
      output.resume();
      return true;
    }
    if (output.stalledNanos(System.nanoTime()) >= parts.stallNanosMax()) {
      throw new IOException(socket.peer() + " takes no replies");
    }
    return !orInput;
  }

  private void awaitLastReplies() throws IOException {
    sendGathered();
    output.leaveToFlusher();
    long deadline = System.nanoTime() + LAST_REPLIES_NANOS;
    account.awaitNothingHeld(LAST_REPLIES_NANOS);
    while (output.isBlocked()) {
      long leftMillis = (deadline - System.nanoTime()) / 1_000_000;
      if (leftMillis <= 0) {
        return;
      }
      if (Poller.awaitEither(socket, false, (int) leftMillis)) {
        output.resume();
      }
    }
  }

  private void close() {
    NativeBuffer unsent = gathered;
    if (unsent != null) {
      gathered = null;
      giveBack(unsent);
    }
    socket.shutdown();
    output.close();
    socket.close();
    records.close();
  }
}
