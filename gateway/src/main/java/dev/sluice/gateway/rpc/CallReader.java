package dev.sluice.gateway.rpc;

import dev.sluice.core.model.Operation;
import dev.sluice.gateway.files.FileHandle;
import dev.sluice.gateway.memory.BufferPool;
import dev.sluice.gateway.memory.JobMemory;
import dev.sluice.gateway.memory.NativeBuffer;
import dev.sluice.gateway.net.Poller;
import dev.sluice.gateway.target.Served;
import dev.sluice.gateway.target.TargetService;
import dev.sluice.gateway.target.TargetService.Bringer;
import dev.sluice.nfs.rpc.CallHeader;
import dev.sluice.nfs.rpc.CredentialReader;
import dev.sluice.nfs.rpc.DecodedCall;
import dev.sluice.nfs.rpc.RecordMark;
import dev.sluice.nfs.rpc.ReplyHeader;
import dev.sluice.nfs.xdr.XdrException;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Reads the calls of one connection, on a thread of its own. Those that may be served at once are
 * served by this thread, and their replies gathered until no further call is here; the others are
 * left to their targets. Whatever the client does or does not do, only this thread ever waits for
 * it.
 *
 * <p>Reading never stops for one job. A call whose job has too much under way is told to come
 * later. A call that takes longer to serve than it seemed it would keeps this thread, but then
 * another reader takes over: see {@link #replaceIfStuck}.
 */
final class CallReader implements Runnable, RecordReader.Waiting {
  /** A call that is served here for longer than this holds up those behind it. */
  static final long STUCK_NANOS = 10_000_000L;

  private static final int GATHERED_BYTES = 64 << 10;

  /** Replies that may be larger are sent on their own. */
  private static final int GATHERED_REPLY_BYTES_MAX = 8 << 10;

  /** No reply waits for longer than this for others to be gathered with it, but for one call. */
  private static final long GATHERED_NANOS_MAX = 200_000;

  /** Nothing more is read from a client that has not taken so many bytes of replies. */
  private static final long OUTPUT_BYTES_MAX = 1 << 20;

  /** How long a client that has ended is given to take its last replies. */
  private static final long LAST_REPLIES_NANOS = 5_000_000_000L;

  /** What a call takes besides its arguments and its reply. */
  private static final long CALL_BYTES = 1 << 10;

  /**
   * What a client that has only one job may have under way whatever the job's speed: not every
   * client comes back that is told to come later.
   */
  private static final long OWN_BYTES_MAX = 32 << 20;

  /** How long a client that has only one job is kept from sending where there is no memory. */
  private static final long MEMORY_WAIT_NANOS = 1_000_000_000L;

  private static final long FIRST_PAUSE_NANOS = 1_000_000L;

  private static final long NOT_SERVING = 0;
  private static final long REPLACED = -1;

  private final Connection connection;
  private final RpcServerParts parts;
  private final OutputQueue output;
  private final RecordReader records;
  private final ArgumentsReader arguments;
  private final CredentialReader credentials = new CredentialReader();

  /** Since when it serves a call; or that it does not, or that another reads in its place. */
  private final AtomicLong servingSince = new AtomicLong(NOT_SERVING);

  /** Replies that wait for the next send. */
  private @Nullable NativeBuffer gathered;

  private long gatheredSinceNanos;

  /** What was in the gathered replies before the call that is being served. */
  private int gatheredBefore;

  CallReader(Connection connection) {
    this.connection = connection;
    parts = connection.parts();
    output = connection.output();
    records =
        new RecordReader(
            connection.socket(), parts.pool(), parts.counters(), parts.patience(), this);
    arguments = new ArgumentsReader(records, parts.pool(), connection.incomingPipes());
  }

  /** Goes on where another left off. */
  private CallReader(CallReader other) {
    connection = other.connection;
    parts = other.parts;
    output = other.output;
    records = new RecordReader(other.records, this);
    arguments = new ArgumentsReader(records, parts.pool(), connection.incomingPipes());
  }

  @Override
  public void run() {
    try {
      if (readAll()) {
        if (!connection.isStopping()) {
          connection.leave();
        }
        awaitLastReplies();
      }
    } catch (MalformedRecordException | XdrException _) {
      parts.counters().malformed.increment();
    } catch (IOException _) {
      // The client is gone, which is its right.
    } catch (OutOfMemoryError e) {
      parts.log().log(Level.ERROR, "no memory to read from " + connection, e);
    } finally {
      end(servingSince.get() != REPLACED);
    }
  }

  private void end(boolean isReader) {
    NativeBuffer unsent = gathered;
    if (unsent != null) {
      gathered = null;
      parts.pool().giveBack(unsent);
    }
    records.close();
    if (isReader) {
      connection.leave();
      connection.close();
      parts.whenClosed().accept(connection);
    } else {
      connection.replacedReaderEnded();
    }
  }

  /** Reads until the client ends; false when another reads in this one's place. */
  private boolean readAll() throws IOException {
    while (!connection.isStopping()) {
      RecordReader.Head record = records.next();
      if (record == null) {
        return true;
      }
      if (!process(record)) {
        return false;
      }
      if (output.pendingBytes() > OUTPUT_BYTES_MAX) {
        awaitRoom();
      }
    }
    return true;
  }

  /** Finds out what a call wants, and serves it or leaves it to its target; false as above. */
  private boolean process(RecordReader.Head record) throws IOException {
    parts.counters().calls.increment();
    ByteBuffer bytes = record.buffer().bytes();
    int recordStart = bytes.position();
    DecodedCall decoded = CallHeader.decode(record.buffer().reader(), credentials);
    if (!(decoded instanceof CallHeader head)) {
      return refuse(((DecodedCall.Refused) decoded).reply());
    }
    RpcProgram program = parts.programs().find(head);
    if (program == null) {
      return refuse(parts.programs().refusal(head, connection.client()));
    }
    RpcCall call =
        new RpcCall(
            connection.client(),
            connection.isFromPrivilegedPort(),
            head.xid(),
            head.program(),
            head.version(),
            head.procedure(),
            head.credential());
    int argumentsAt = bytes.position();
    Work work;
    try {
      work = program.inspect(call, record.buffer().reader());
    } catch (XdrException _) {
      return refuse(new ReplyHeader.GarbageArguments(call.xid()));
    } catch (RuntimeException e) {
      parts.calls().log(call, e);
      return refuse(new ReplyHeader.SystemError(call.xid()));
    }
    bytes.position(argumentsAt);
    Operation operation = work.operation();
    FileHandle handle = work.handle();
    if (operation == null || handle == null) {
      return serveAtOnce(program, call, work, record);
    }
    if (!record.isWhole()
        && (work.replayed() || CallService.recordBytesMax(work) > GATHERED_REPLY_BYTES_MAX)) {
      // No procedure that wants much, or changes names, has so much to say.
      return refuse(new ReplyHeader.GarbageArguments(call.xid()));
    }
    Admission admission;
    try {
      admission = parts.admissions().admit(call, handle, operation);
    } catch (RuntimeException e) {
      parts.calls().log(call, e);
      return refuse(new ReplyHeader.SystemError(call.xid()));
    }
    return takeOn(
        new Incoming(
            program,
            call,
            work,
            operation,
            admission,
            work.contentsAt() == Work.NO_CONTENTS
                ? record
                : records.expecting(record, work.bytes()),
            argumentsAt - recordStart));
  }

  /**
   * A call of which is known what it wants.
   *
   * @param argumentsAt where in the record its arguments begin
   */
  private record Incoming(
      RpcProgram program,
      RpcCall call,
      Work work,
      Operation operation,
      Admission admission,
      RecordReader.Head record,
      int argumentsAt) {}

  /** Takes a call on if its job has room for it, and brings it to its target; false as above. */
  private boolean takeOn(Incoming incoming) throws IOException {
    long nowNanos = System.nanoTime();
    RpcCall call = incoming.call;
    if (connection.isWaiting(call.xid())) {
      parts.counters().duplicates.increment();
      records.skipRest();
      return true;
    }
    DuplicateRequestCache.Entry replay = null;
    if (incoming.work.replayed()) {
      DuplicateRequestCache.Answer known =
          parts
              .duplicates()
              .begin(
                  DuplicateRequestCache.Key.of(call, incoming.record.buffer().bytes()),
                  connection,
                  nowNanos);
      if (!(known instanceof DuplicateRequestCache.Answer.First first)) {
        repeated(known);
        return true;
      }
      replay = first.entry();
    }
    Holding holding = hold(incoming, nowNanos);
    CallArguments given = holding == null ? null : read(incoming, holding);
    if (holding == null || given == null) {
      if (replay != null) {
        parts.duplicates().notServed(replay);
      }
      return true;
    }
    connection.begin(holding, nowNanos);
    return attend(
        new RpcRequest(
            connection,
            incoming.admission,
            incoming.operation,
            incoming.program,
            call,
            incoming.work,
            replay,
            holding,
            given),
        incoming.admission.target());
  }

  private void repeated(DuplicateRequestCache.Answer known) {
    parts.counters().duplicates.increment();
    if (known instanceof DuplicateRequestCache.Answer.Replied replied) {
      gather(replied.record());
    }
  }

  /** Takes the memory that a call and its reply may need; null when it is told to come later. */
  private @Nullable Holding hold(Incoming incoming, long nowNanos) throws IOException {
    Work work = incoming.work;
    TargetService target = incoming.admission.target();
    long bytes =
        CALL_BYTES
            + BufferPool.capacityFor(incoming.record.bytesMax())
            + BufferPool.capacityFor(CallService.recordBytesMax(work));
    JobMemory memory = parts.budget().of(incoming.admission.flow().job());
    connection.usedBy(memory.job(), nowNanos);
    boolean isShared = connection.isShared(nowNanos);
    Slots slots = incoming.program.slots(work);
    boolean mayKeepSlot = slots == null || slots.mayKeepOne(memory.job());
    if (isShared && !mayKeepSlot) {
      return tellToComeLater(incoming);
    }
    JobMemory.Verdict verdict =
        isShared || connection.heldBytes() + bytes > OWN_BYTES_MAX
            ? memory.take(bytes, target, nowNanos)
            : memory.takeAtAnySpeed(bytes, nowNanos);
    if (verdict == JobMemory.Verdict.NO_MEMORY && !isShared) {
      verdict = waitForMemory(memory, bytes, target);
    }
    if (verdict == JobMemory.Verdict.TAKEN) {
      parts.postponements().cameBack(memory.job());
      return new Holding(memory, bytes, slots);
    }
    if (!mayKeepSlot) {
      return tellToComeLater(incoming);
    }
    records.skipRest();
    if (slots != null) {
      slots.keep(memory.job());
    }
    parts
        .postponements()
        .add(
            new PostponedCall(
                connection, incoming.program, incoming.call, work, memory.job(), bytes, slots),
            memory,
            target,
            nowNanos);
    return null;
  }

  /** At once: while a call waits to be told, its slot is nobody else's of its client. */
  private @Nullable Holding tellToComeLater(Incoming incoming) throws IOException {
    records.skipRest();
    connection.postpone(incoming.program, incoming.call, incoming.work);
    return null;
  }

  /** Where nobody else is on the connection, not reading is the gentlest way to slow it down. */
  private JobMemory.Verdict waitForMemory(JobMemory memory, long bytes, TargetService target) {
    sendGathered();
    output.leaveToFlusher();
    long untilNanos = System.nanoTime() + MEMORY_WAIT_NANOS;
    long pauseNanos = FIRST_PAUSE_NANOS;
    JobMemory.Verdict verdict = JobMemory.Verdict.NO_MEMORY;
    while (verdict == JobMemory.Verdict.NO_MEMORY
        && System.nanoTime() - untilNanos < 0
        && !connection.isStopping()) {
      LockSupport.parkNanos(pauseNanos);
      pauseNanos *= 2;
      // Of a job that is known to be slow there is nothing to wait for.
      verdict = memory.take(bytes, target, System.nanoTime());
    }
    return verdict;
  }

  /** The arguments of a call; null when there was no buffer for them. */
  private @Nullable CallArguments read(Incoming incoming, Holding holding) throws IOException {
    CallArguments read = null;
    try {
      read = arguments.read(incoming.record, incoming.work, incoming.argumentsAt);
    } catch (OutOfMemoryError e) {
      parts.calls().log(incoming.call, e);
      records.skipRest();
      connection.postpone(incoming.program, incoming.call, incoming.work);
    } finally {
      if (read == null) {
        holding.giveUp();
      }
    }
    return read;
  }

  /** Brings a call to its target, and serves it if it is next; false as above. */
  private boolean attend(RpcRequest request, TargetService target) {
    int room = request.replyRecordBytesMax();
    boolean isGathered = room <= GATHERED_REPLY_BYTES_MAX;
    long nowNanos = System.nanoTime();
    if (!isGathered || (gathered != null && nowNanos - gatheredSinceNanos > GATHERED_NANOS_MAX)) {
      sendGathered();
    }
    if (output.isBlocked()) {
      // This thread may be gone for as long as the call takes.
      output.leaveToFlusher();
    }
    NativeBuffer out = isGathered ? gatheredWithRoomFor(room) : null;
    beginServing(nowNanos);
    NativeBuffer alone = null;
    ReplyContents contents = isGathered ? ReplyContents.COPIED : request.contents();
    boolean isAnswered = false;
    if (target.submit(request, bringer(), nowNanos)) {
      Served served = Served.NOTHING;
      if (!request.isWanted()) {
        request.abandon();
      } else {
        if (out == null) {
          alone = bufferFor(request, room);
          out = alone;
        }
        if (out != null) {
          served = request.serveInto(out, contents);
          isAnswered = isGathered;
        }
      }
      target.complete(request, served, System.nanoTime());
    }
    boolean isReader = endServing();
    if (isAnswered) {
      // Not before: whoever reads by now may end the connection once nothing is under way.
      request.answeredHere();
    }
    if (alone != null) {
      int end = alone.bytes().position();
      if (isReader) {
        output.addFromReader(alone, end, contents, request.holding());
      } else {
        output.addFromWorker(alone, end, contents, request.holding());
      }
    }
    return isReader;
  }

  /** A buffer for a large reply; null when there is none, and the client was told to come later. */
  private @Nullable NativeBuffer bufferFor(RpcRequest request, int room) {
    try {
      return parts.pool().take(room);
    } catch (OutOfMemoryError e) {
      parts.log().log(Level.ERROR, "no memory for a reply to " + connection, e);
      request.postpone();
      return null;
    }
  }

  private Bringer bringer() {
    if (connection.hasReplacedReader()) {
      return Bringer.MUST_NOT_SERVE;
    }
    return connection.underWay() > 1 || records.hasRecord()
        ? Bringer.HAS_MORE
        : Bringer.HAS_NO_MORE;
  }

  /** Serves a call that waits in nobody's queue; false as above. */
  private boolean serveAtOnce(RpcProgram program, RpcCall call, Work work, RecordReader.Head record)
      throws IOException {
    NativeBuffer out = gatheredWithRoomFor(CallService.recordBytesMax(work));
    if (!record.isWhole()) {
      records.skipRest();
      parts.calls().refuseUnread(program, call, work, out);
      return true;
    }
    beginServing(System.nanoTime());
    parts
        .calls()
        .serve(
            program,
            call,
            work,
            null,
            new CallArguments.Lent(record.buffer()),
            out,
            ReplyContents.COPIED);
    return endServing();
  }

  private void beginServing(long nowNanos) {
    NativeBuffer out = gathered;
    gatheredBefore = out == null ? 0 : out.bytes().position();
    servingSince.set(Math.max(1, nowNanos));
  }

  /** The call is served; false when another reads by now, and what is gathered was sent. */
  private boolean endServing() {
    long since = servingSince.get();
    if (since != REPLACED && servingSince.compareAndSet(since, NOT_SERVING)) {
      return true;
    }
    synchronized (this) { // Whoever replaces it may still be copying from its buffers.
      if (servingSince.get() != REPLACED) {
        servingSince.set(NOT_SERVING); // There was no memory for another.
        return true;
      }
      NativeBuffer out = gathered;
      if (out != null) {
        gathered = null;
        int end = out.bytes().position();
        if (end > gatheredBefore) {
          output.addFromWorker(out, gatheredBefore, end);
        } else {
          parts.pool().giveBack(out);
        }
      }
      return false;
    }
  }

  /**
   * Has another reader go on if this one has served one call for too long and there is more to
   * read. What was gathered before that call is sent.
   *
   * @return the other; null when there is no need
   */
  synchronized @Nullable CallReader replaceIfStuck(long nowNanos) throws IOException {
    long since = servingSince.get();
    if (since <= NOT_SERVING
        || nowNanos - since < STUCK_NANOS
        || connection.hasReplacedReader()
        || (gatheredBefore == 0 && !records.hasInput())
        || !servingSince.compareAndSet(since, REPLACED)) {
      return null;
    }
    try {
      CallReader another = new CallReader(this);
      NativeBuffer out = gathered;
      if (out != null && gatheredBefore > 0) {
        NativeBuffer before = parts.pool().take(gatheredBefore);
        before.bytes().put(0, out.bytes().duplicate().clear(), 0, gatheredBefore);
        output.addFromWorker(before, 0, gatheredBefore);
      }
      connection.readerReplaced();
      return another;
    } catch (OutOfMemoryError e) {
      servingSince.set(since);
      throw e;
    }
  }

  private boolean refuse(ReplyHeader reply) throws IOException {
    records.skipRest();
    parts.calls().refuse(reply, gatheredWithRoomFor(RecordMark.BYTES + ReplyHeader.BYTES_MAX));
    return true;
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
      buffer = parts.pool().take(Math.max(bytes, GATHERED_BYTES));
      gathered = buffer;
      gatheredSinceNanos = System.nanoTime();
    }
    return buffer;
  }

  private void sendGathered() {
    NativeBuffer buffer = gathered;
    if (buffer == null) {
      return;
    }
    gathered = null;
    int end = buffer.bytes().position();
    if (end > 0) {
      output.addFromReader(buffer, end);
    } else {
      parts.pool().giveBack(buffer);
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
  public boolean hasUnderWay() {
    return connection.underWay() > 0;
  }

  private void awaitRoom() throws IOException {
    while (output.isBlocked() && output.pendingBytes() > OUTPUT_BYTES_MAX) {
      awaitOutput(false);
    }
  }

  /** Waits until something can be sent, and sends it; false when there is input instead. */
  private boolean awaitOutput(boolean orInput) throws IOException {
    long stallNanosMax = parts.patience().recordNanos();
    if (Poller.awaitEither(connection.socket(), orInput, (int) (stallNanosMax / 1_000_000))) {
      output.resume();
      return true;
    }
    if (output.stalledNanos(System.nanoTime()) >= stallNanosMax) {
      throw new IOException(connection + " takes no replies");
    }
    return !orInput;
  }

  private void awaitLastReplies() throws IOException {
    sendGathered();
    output.leaveToFlusher();
    long deadline = System.nanoTime() + LAST_REPLIES_NANOS;
    connection.awaitNothingUnderWay(LAST_REPLIES_NANOS);
    while (output.isBlocked()) {
      long leftMillis = (deadline - System.nanoTime()) / 1_000_000;
      if (leftMillis <= 0) {
        return;
      }
      if (Poller.awaitEither(connection.socket(), false, (int) leftMillis)) {
        output.resume();
      }
    }
  }
}
