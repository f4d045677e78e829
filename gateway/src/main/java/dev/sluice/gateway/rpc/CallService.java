package dev.sluice.gateway.rpc;

import dev.sluice.gateway.memory.NativeBuffer;
import dev.sluice.gateway.target.Served;
import dev.sluice.nfs.rpc.RecordMark;
import dev.sluice.nfs.rpc.ReplyHeader;
import dev.sluice.nfs.xdr.XdrException;
import dev.sluice.nfs.xdr.XdrReader;
import dev.sluice.nfs.xdr.XdrWriter;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Serves calls and writes the records of their replies. Safe for use by many threads. */
final class CallService {
  private final DuplicateRequestCache duplicates;
  private final RateLimitedLog log =
      new RateLimitedLog(System.getLogger(CallService.class.getName()));

  CallService(DuplicateRequestCache duplicates) {
    this.duplicates = duplicates;
  }

  /** Room that the whole record of a reply may need. */
  static int recordBytesMax(Work work) {
    return RecordMark.BYTES + ReplyHeader.BYTES_MAX + work.replyBytesMax();
  }

  /**
   * Serves a call and writes the record of its reply at the position of a buffer that has room for
   * {@link #recordBytesMax}. Never throws: a call that cannot be served is told so.
   *
   * @param contents takes what of the reply does not go to the buffer; what is to be remembered
   *     does
   */
  Served serve(
      RpcProgram program,
      RpcCall call,
      Work work,
      DuplicateRequestCache.@Nullable Entry replay,
      CallArguments given,
      NativeBuffer out,
      ReplyContents contents) {
    XdrReader arguments = given.buffer().reader();
    ByteBuffer bytes = out.bytes();
    int start = bytes.position();
    int limit = bytes.limit();
    // What is written beyond what was announced is a mistake of the program, and is caught here.
    bytes.limit(start + recordBytesMax(work)).position(start + RecordMark.BYTES);
    ReplyHeader.encodeSuccess(call.xid(), out.writer());
    Served served = null;
    try {
      served =
          program.serve(
              call,
              begun(program, call, work, replay, arguments),
              arguments,
              given.contents(),
              out.writer(),
              contents);
    } catch (XdrException _) {
      contents.forgetFrom(start);
      encode(new ReplyHeader.GarbageArguments(call.xid()), start, out);
    } catch (RuntimeException | Error e) {
      log(call, e);
      contents.forgetFrom(start);
      encode(new ReplyHeader.SystemError(call.xid()), start, out);
    }
    finish(start, limit, bytes, contents.pipedBytes());
    if (replay != null) {
      remember(replay, served != null, bytes.duplicate().limit(bytes.position()).position(start));
    }
    return served == null ? Served.ONE : served;
  }

  /** Notes that a call which must not be done twice will be done, where that outlives us. */
  private Work begun(
      RpcProgram program,
      RpcCall call,
      Work work,
      DuplicateRequestCache.@Nullable Entry replay,
      XdrReader arguments) {
    if (replay == null || !duplicates.isJournalled()) {
      return work;
    }
    int start = arguments.position();
    boolean mayTakeEffect = program.mayTakeEffect(call, work, arguments);
    arguments.buffer().position(start);
    if (mayTakeEffect) {
      duplicates.begins(replay);
    }
    return replay.isBegunBefore() ? work.begunByAnother() : work;
  }

  /** Refuses a large call whose arguments were not all read; else as {@link #serve}. */
  void refuseUnread(RpcProgram program, RpcCall call, Work work, NativeBuffer out) {
    answer(call, work, out, results -> program.refuse(call, work, results));
  }

  /** Tells the sender of a call to ask again later; else as {@link #serve}. */
  void postpone(RpcProgram program, RpcCall call, Work work, NativeBuffer out) {
    answer(call, work, out, results -> program.postpone(call, work, results));
  }

  private void answer(RpcCall call, Work work, NativeBuffer out, Consumer<XdrWriter> results) {
    ByteBuffer bytes = out.bytes();
    int start = bytes.position();
    int limit = bytes.limit();
    bytes.limit(start + recordBytesMax(work)).position(start + RecordMark.BYTES);
    ReplyHeader.encodeSuccess(call.xid(), out.writer());
    try {
      results.accept(out.writer());
    } catch (XdrException _) {
      encode(new ReplyHeader.GarbageArguments(call.xid()), start, out);
    } catch (RuntimeException e) {
      log(call, e);
      encode(new ReplyHeader.SystemError(call.xid()), start, out);
    }
    finish(start, limit, bytes, 0);
  }

  /** Writes the record of a reply without results; it always has room. */
  void refuse(ReplyHeader reply, NativeBuffer out) {
    ByteBuffer bytes = out.bytes();
    int start = bytes.position();
    encode(reply, start, out);
    finish(start, bytes.limit(), bytes, 0);
  }

  private static void encode(ReplyHeader reply, int start, NativeBuffer out) {
    out.bytes().position(start + RecordMark.BYTES);
    reply.encode(out.writer());
  }

  private static void finish(int start, int limit, ByteBuffer bytes, int pipedBytes) {
    bytes.limit(limit);
    bytes.putInt(start, RecordMark.last(bytes.position() - start - RecordMark.BYTES + pipedBytes));
  }

  private void remember(DuplicateRequestCache.Entry replay, boolean served, ByteBuffer record) {
    if (served) {
      duplicates.replied(replay, record, System.nanoTime());
    } else {
      duplicates.notServed(replay);
    }
  }

  /** Says that a call failed for a reason that is ours. */
  void log(RpcCall call, Throwable thrown) {
    log.log(
        Level.ERROR,
        "procedure "
            + call.procedure()
            + " of program "
            + call.program()
            + " failed for "
            + call.client(),
        thrown);
  }
}
