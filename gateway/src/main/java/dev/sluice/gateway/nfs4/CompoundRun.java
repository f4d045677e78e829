package dev.sluice.gateway.nfs4;

import dev.sluice.core.model.ClientAddress;
import dev.sluice.gateway.files.FileException;
import dev.sluice.gateway.files.FileHandle;
import dev.sluice.gateway.nfs4.state.Session;
import dev.sluice.gateway.nfs4.state.SlotUse;
import dev.sluice.gateway.nfs4.state.StateException;
import dev.sluice.gateway.rpc.CallName;
import dev.sluice.gateway.rpc.GivenContents;
import dev.sluice.gateway.rpc.ReplyContents;
import dev.sluice.gateway.rpc.RpcCall;
import dev.sluice.gateway.target.Served;
import dev.sluice.nfs.nfs4.AttributeSet;
import dev.sluice.nfs.nfs4.Nfs4Operation;
import dev.sluice.nfs.nfs4.Nfs4Sizes;
import dev.sluice.nfs.nfs4.Nfs4Status;
import dev.sluice.nfs.nfs4.SessionId;
import dev.sluice.nfs.xdr.XdrException;
import dev.sluice.nfs.xdr.XdrReader;
import dev.sluice.nfs.xdr.XdrWriter;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Serves one COMPOUND: its operations one after the other, until one of them fails. On a slot of a
 * session it is served just once, and a repetition answered with the reply of before; so is one of
 * a session of the server before, if that is known.
 */
final class CompoundRun {
  private static final int MINOR_VERSION_MIN = 1;
  private static final int MINOR_VERSION_MAX = 2;

  /** What stands before the results of a COMPOUND in a reply. */
  private static final int REPLY_HEADER_BYTES = 24;

  private static final int SEQUENCE_BYTES = SessionId.BYTES + 5 * Integer.BYTES;

  /** The longest results of an operation that cannot be undone. */
  private static final int CHANGE_BYTES_MAX = 80;

  /** What it takes to refuse an operation. */
  private static final int REFUSAL_BYTES = 3 * Integer.BYTES;

  /** No results of an operation but contents and listings are longer. */
  static final int RESULT_BYTES_MAX = 5 << 10;

  private final Nfs4Parts parts;
  private final RpcCall call;
  private final @Nullable FileHandle charged;
  private final XdrReader in;
  private final GivenContents given;
  private final XdrWriter out;
  private final ReplyContents contents;
  private final int start;
  private final int requestBytes;

  private int operations;
  private int bytesMax = Integer.MAX_VALUE;
  private int statusAt;
  private int countAt;
  private int done;
  private boolean isRepetition;
  private final Tally tally = new Tally();
  private final LongWork longWork = new LongWork(tally);
  private @Nullable Session session;
  private SlotUse.@Nullable First use;
  private @Nullable Opening opening;

  /** Whether something was done that the server after this one must know of. */
  private boolean isChangeBegun;

  /** What another server had begun, and is served again here; null for all others. */
  private KeptCompounds.Known.@Nullable Begun begunBefore;

  /**
   * @param charged a file of those that are charged; null where nobody is
   */
  CompoundRun(
      Nfs4Parts parts,
      RpcCall call,
      @Nullable FileHandle charged,
      XdrReader in,
      GivenContents given,
      XdrWriter out,
      ReplyContents contents) {
    this.parts = parts;
    this.charged = charged;
    this.call = call;
    this.in = in;
    this.given = given;
    this.out = out;
    this.contents = contents;
    this.start = out.position();
    this.requestBytes = in.remaining() + given.pipedBytes();
  }

  Served run() {
    byte[] tag = in.readOpaque(Nfs4Sizes.OPAQUE_BYTES_MAX);
    int minorVersion = in.readInt();
    int given = in.readInt();
    operations = given < 0 ? Integer.MAX_VALUE : given;
    statusAt = out.position();
    out.writeInt(0).writeOpaque(tag);
    countAt = out.position();
    out.writeInt(0);
    if (minorVersion < MINOR_VERSION_MIN || minorVersion > MINOR_VERSION_MAX) {
      finish(Nfs4Status.MINOR_VERS_MISMATCH);
      return Served.ONE;
    }
    boolean isFinished = false;
    try (Compound compound = new Compound(parts, call, minorVersion)) {
      Nfs4Status status = serveAll(compound);
      if (!isRepetition) {
        finish(status);
      }
      isFinished = true;
    } finally {
      endUse(isFinished);
    }
    return tally.served();
  }

  private void finish(Nfs4Status status) {
    out.buffer().putInt(statusAt, status.code());
    out.buffer().putInt(countAt, done);
  }

  /** Gives the slot back, with the reply where it is to be kept. */
  private void endUse(boolean isFinished) {
    KeptCompounds kept = parts.kept();
    if (begunBefore != null && kept != null) {
      kept.ended(name(), isFinished ? reply() : null);
    }
    SlotUse.First begun = use;
    Session of = session;
    if (begun == null || of == null) {
      return;
    }
    byte[] reply = null;
    int length = out.position() - start;
    if (isFinished && begun.isToBeCached() && length <= of.maxCachedReplyBytes()) {
      reply = reply();
      if (isChangeBegun && kept != null) {
        kept.replied(name(), reply);
      }
    }
    of.end(begun, reply);
  }

  private byte[] reply() {
    byte[] reply = new byte[out.position() - start];
    out.buffer().get(start, reply);
    return reply;
  }

  private CallName name() {
    return KeptCompounds.name(call.client(), Objects.requireNonNull(opening));
  }

  private Nfs4Status serveAll(Compound compound) {
    Nfs4Status status = Nfs4Status.OK;
    for (int i = 0; i < operations && status == Nfs4Status.OK; i++) {
      int code = in.readInt();
      Nfs4Operation operation = Nfs4Operation.of(code, compound.minorVersion());
      out.writeInt(operation == null ? Nfs4Operation.ILLEGAL_CODE : code);
      int operationStatusAt = out.position();
      out.writeInt(0);
      done++;
      status = serveOne(compound, operation, i);
      if (isRepetition) {
        // The reply of before has taken the place of this one.
        return status;
      }
      out.buffer().putInt(operationStatusAt, status.code());
    }
    return status;
  }

  private Nfs4Status serveOne(Compound compound, @Nullable Nfs4Operation operation, int index) {
    int resultsAt = out.position();
    Nfs4Status status;
    try {
      if (operation == null) {
        return Nfs4Status.OP_ILLEGAL;
      }
      requirePlace(operation, index);
      requireOneAccount(compound, operation);
      tally.count(operation);
      requireRoom(canBeUndone(operation) ? 0 : CHANGE_BYTES_MAX);
      status = serve(compound, operation, index);
      if (!isRepetition) {
        requireRoom(0);
      }
      return status;
    } catch (Refusal refusal) {
      status = refusal.status();
    } catch (FileException refusal) {
      status = Refusal.statusOf(refusal);
    } catch (StateException refusal) {
      status = refusal.status();
    } catch (XdrException | BufferUnderflowException _) {
      status = Nfs4Status.BADXDR;
    }
    contents.forgetFrom(resultsAt);
    out.position(resultsAt);
    if (operation == Nfs4Operation.SETATTR) {
      AttributeSet.NONE.write(out);
    }
    return status;
  }

  /** Whether the reply is not longer than the client takes, or wants kept. */
  private void requireRoom(int bytesMore) throws Refusal {
    int bytes = bytesWith(bytesMore);
    if (bytes > bytesMax) {
      SlotUse.First begun = use;
      boolean isToBeKept = begun != null && begun.isToBeCached();
      throw new Refusal(
          isToBeKept ? Nfs4Status.REP_TOO_BIG_TO_CACHE : Nfs4Status.REP_TOO_BIG,
          bytes + " bytes of " + bytesMax);
    }
  }

  /** How long the reply is with so much more, and with room to refuse what comes next. */
  private int bytesWith(int bytesMore) {
    return out.position()
        - start
        + contents.pipedBytes()
        + bytesMore
        + (done < operations ? REFUSAL_BYTES : 0);
  }

  /**
   * Whether an operation whose results do not fit may be refused after it was done, because nobody
   * will know: what only asks, and what moves nothing but the COMPOUND.
   */
  private static boolean canBeUndone(Nfs4Operation operation) {
    return switch (operation) {
      case SEQUENCE,
          ACCESS,
          GETATTR,
          GETFH,
          GETXATTR,
          LISTXATTRS,
          LOCKT,
          LOOKUP,
          LOOKUPP,
          NVERIFY,
          PUTFH,
          PUTPUBFH,
          PUTROOTFH,
          READ,
          READDIR,
          READLINK,
          RESTOREFH,
          SAVEFH,
          SECINFO,
          SECINFO_NO_NAME,
          SEEK,
          TEST_STATEID,
          VERIFY ->
          true;
      default -> false;
    };
  }

  /** A COMPOUND begins with SEQUENCE, or is one operation that needs no session. */
  private void requirePlace(Nfs4Operation operation, int index) throws Refusal {
    boolean isSequence = operation == Nfs4Operation.SEQUENCE;
    if (index > 0) {
      if (isSequence) {
        throw new Refusal(Nfs4Status.SEQUENCE_POS, "SEQUENCE comes first");
      }
      if (operation == Nfs4Operation.BIND_CONN_TO_SESSION
          || endsOwnSessionTooSoon(operation, index)) {
        throw new Refusal(Nfs4Status.NOT_ONLY_OP, operation + " in a session");
      }
      return;
    }
    switch (operation) {
      case SEQUENCE -> {}
      case EXCHANGE_ID, CREATE_SESSION, DESTROY_SESSION, BIND_CONN_TO_SESSION, DESTROY_CLIENTID -> {
        if (operations > 1) {
          throw new Refusal(Nfs4Status.NOT_ONLY_OP, operation + " comes alone");
        }
      }
      default -> throw new Refusal(Nfs4Status.OP_NOT_IN_SESSION, "SEQUENCE comes first");
    }
  }

  /**
   * A COMPOUND waits at one target and is on one account. What it wants elsewhere is for another
   * COMPOUND; everything before it was done.
   */
  private void requireOneAccount(Compound compound, Nfs4Operation operation) throws Refusal {
    FileHandle account = charged;
    if (account != null && Tally.costs(operation) && compound.isElsewhere(account)) {
      throw new Refusal(Nfs4Status.TOO_MANY_OPS, operation + " in another export");
    }
  }

  /** What comes after the end of a session would have none. */
  private boolean endsOwnSessionTooSoon(Nfs4Operation operation, int index) {
    Session of = session;
    if (operation != Nfs4Operation.DESTROY_SESSION || index == operations - 1 || of == null) {
      return false;
    }
    int position = in.position();
    boolean isOwn = SessionId.read(in).equals(of.id());
    in.buffer().position(position);
    return isOwn;
  }

  private Nfs4Status serve(Compound compound, Nfs4Operation operation, int index)
      throws Refusal, FileException, StateException {
    if (out.remaining() < roomFor(operation)) {
      throw new Refusal(Nfs4Status.REP_TOO_BIG, "no room for the results of " + operation);
    }
    switch (operation) {
      case SEQUENCE -> sequence(compound);
      case EXCHANGE_ID -> SessionOperations.exchangeId(compound, in, out);
      case CREATE_SESSION -> SessionOperations.createSession(compound, in, out);
      case BIND_CONN_TO_SESSION -> SessionOperations.bindConnection(compound, in, out);
      case DESTROY_SESSION -> SessionOperations.destroySession(compound, in);
      case DESTROY_CLIENTID -> SessionOperations.destroyClient(compound, in);
      case RECLAIM_COMPLETE -> SessionOperations.reclaimComplete(compound, in);
      case TEST_STATEID -> SessionOperations.testStateIds(compound, in, out);
      case FREE_STATEID -> SessionOperations.freeStateId(compound, in);
      case BACKCHANNEL_CTL -> throw new Refusal(Nfs4Status.NOTSUPP, "there are no callbacks");
      case PUTFH -> HandleOperations.putfh(compound, in);
      case PUTROOTFH, PUTPUBFH -> HandleOperations.putrootfh(compound);
      case GETFH -> HandleOperations.getfh(compound, out);
      case SAVEFH -> compound.save();
      case RESTOREFH -> compound.restore();
      case LOOKUP -> HandleOperations.lookup(compound, in);
      case LOOKUPP -> HandleOperations.lookupp(compound);
      case SECINFO -> SecurityOperations.secinfo(compound, in, out);
      case SECINFO_NO_NAME -> SecurityOperations.secinfoNoName(compound, in, out);
      case GETATTR -> AttributeOperations.getattr(compound, in, out);
      case SETATTR -> AttributeOperations.setattr(compound, in, out);
      case ACCESS -> AttributeOperations.access(compound, in, out);
      case VERIFY -> AttributeOperations.verify(compound, true, in, out);
      case NVERIFY -> AttributeOperations.verify(compound, false, in, out);
      case CREATE, REMOVE, RENAME, LINK, SETXATTR, REMOVEXATTR ->
          serveOnce(compound, operation, index);
      case READLINK -> DataOperations.readlink(compound, out);
      case READ -> tally.moved(DataOperations.read(compound, in, out, contentsOfRead()));
      case WRITE -> tally.moved(DataOperations.write(compound, in, given, out));
      case COMMIT -> DataOperations.commit(compound, in, out);
      case READDIR -> tally.add(DirectoryOperations.readdir(compound, in, out));
      case OPEN -> OpenOperations.open(compound, in, out);
      case CLOSE -> OpenOperations.close(compound, in, out);
      case OPEN_DOWNGRADE -> OpenOperations.downgrade(compound, in, out);
      case LOCK -> {
        return LockOperations.lock(compound, in, out);
      }
      case LOCKT -> {
        return LockOperations.test(compound, in, out);
      }
      case LOCKU -> LockOperations.unlock(compound, in, out);
      case SEEK -> ExtentOperations.seek(compound, in, out);
      case ALLOCATE -> ExtentOperations.reserve(compound, true, longWork, in);
      case DEALLOCATE -> ExtentOperations.reserve(compound, false, longWork, in);
      case COPY -> ExtentOperations.copy(compound, longWork, in, out);
      case CLONE -> ExtentOperations.share(compound, longWork, in);
      case IO_ADVISE -> ExtentOperations.advise(compound, in, out);
      case GETXATTR -> ExtendedAttributeOperations.get(compound, in, out);
      case LISTXATTRS -> ExtendedAttributeOperations.list(compound, in, out);
      default -> throw new Refusal(Nfs4Status.NOTSUPP, operation + " is not known here");
    }
    return Nfs4Status.OK;
  }

  /** What must not be done twice, not even by the server after this one. */
  private void serveOnce(Compound compound, Nfs4Operation operation, int index)
      throws Refusal, FileException {
    KeptCompounds kept = parts.kept();
    Opening opened = opening;
    if (kept == null || opened == null || !opened.isToBeCached()) {
      OnceOnlyOperations.serve(compound, operation, in, out);
      return;
    }
    KeptCompounds.Known.Begun before = begunBefore;
    if (before != null && index < before.place()) {
      // Something behind it was begun, so it was done.
      OnceOnlyOperations.answerDone(compound, operation, in, out);
      return;
    }
    int argumentsAt = in.position();
    int resultsAt = out.position();
    boolean mayTakeEffect = OnceOnlyOperations.mayTakeEffect(compound, operation, in);
    in.buffer().position(argumentsAt);
    if (mayTakeEffect) {
      kept.begins(name(), index);
      isChangeBegun = true;
    }
    try {
      OnceOnlyOperations.serve(compound, operation, in, out);
    } catch (FileException | Refusal refused) {
      Nfs4Status status =
          refused instanceof Refusal refusal
              ? refusal.status()
              : Refusal.statusOf((FileException) refused);
      boolean mayBeDone = before != null && index == before.place();
      if (!mayBeDone || !OnceOnlyOperations.isDoneBefore(operation, status)) {
        throw refused;
      }
      in.buffer().position(argumentsAt);
      out.position(resultsAt);
      OnceOnlyOperations.answerDone(compound, operation, in, out);
    }
  }

  /** A reply that is to be kept is all in one place. */
  private ReplyContents contentsOfRead() {
    SlotUse.First begun = use;
    return begun != null && begun.isToBeCached() ? ReplyContents.COPIED : contents;
  }

  private static int roomFor(Nfs4Operation operation) {
    return switch (operation) {
      case READ, READDIR, TEST_STATEID, GETXATTR, LISTXATTRS -> 0; // They look for themselves.
      case READLINK -> RESULT_BYTES_MAX;
      case GETATTR, VERIFY, NVERIFY, LOCK, LOCKT -> Nfs4Sizes.ATTRIBUTES_BYTES_MAX + 64;
      default -> 256;
    };
  }

  /** SEQUENCE (section 18.46). */
  private void sequence(Compound compound) throws StateException {
    Opening begins = Opening.read("", in);
    opening = begins;
    if (isKnownFromBefore(begins)) {
      return;
    }
    Session of = parts.states().session(begins.session());
    requireSizes(of, begins);
    switch (begin(parts, of, begins)) {
      case SlotUse.First first -> {
        session = of;
        use = first;
        bytesMax = replyBytesMax(of, begins);
        compound.begin(of);
        writeSequence(of.id(), begins, of.highestSlot(), statusFlags(parts, of), out);
      }
      case SlotUse.Replay replay -> repeat(ByteBuffer.wrap(replay.reply()));
    }
  }

  private void repeat(ByteBuffer reply) {
    out.position(start);
    out.buffer().put(reply);
    isRepetition = true;
  }

  /** Whether it is of a session of the server before, and was answered or begun there. */
  private boolean isKnownFromBefore(Opening begins) throws StateException {
    KeptCompounds kept = parts.kept();
    if (kept == null || parts.states().hasSession(begins.session())) {
      return false;
    }
    return switch (kept.take(name(), parts.nowNanos())) {
      case null -> false;
      case KeptCompounds.Known.Replied(ByteBuffer reply) -> {
        repeat(reply.duplicate());
        yield true;
      }
      case KeptCompounds.Known.Begun begun -> {
        begunBefore = begun;
        int highest = Math.max(begins.slot(), begins.highestSlot());
        writeSequence(begins.session(), begins, highest, 0, out);
        yield true;
      }
      case KeptCompounds.Known.UnderWay _ ->
          throw new StateException(Nfs4Status.DELAY, "the request is being served");
    };
  }

  /** What the session was made for; what is not is refused without a trace on its slot. */
  private void requireSizes(Session of, Opening opening) throws StateException {
    if (operations > of.maxOperations()) {
      throw new StateException(Nfs4Status.TOO_MANY_OPS, operations + " operations");
    }
    if (requestBytes > of.maxRequestBytes()) {
      throw new StateException(Nfs4Status.REQ_TOO_BIG, requestBytes + " bytes");
    }
    if (bytesWith(SEQUENCE_BYTES) > replyBytesMax(of, opening)) {
      throw new StateException(
          opening.isToBeCached() ? Nfs4Status.REP_TOO_BIG_TO_CACHE : Nfs4Status.REP_TOO_BIG,
          "the results of SEQUENCE are longer");
    }
  }

  private static int replyBytesMax(Session of, Opening opening) {
    int sent = of.maxReplyBytes() - REPLY_HEADER_BYTES;
    return opening.isToBeCached() ? Math.min(sent, of.maxCachedReplyBytes()) : sent;
  }

  private static SlotUse begin(Nfs4Parts parts, Session session, Opening opening)
      throws StateException {
    if (Integer.compareUnsigned(opening.slot(), session.highestSlot()) <= 0
        && Integer.compareUnsigned(opening.highestSlot(), session.highestSlot()) > 0) {
      throw new StateException(
          Nfs4Status.BAD_HIGH_SLOT, Integer.toUnsignedString(opening.highestSlot()));
    }
    return session.begin(
        opening.slot(), opening.sequence(), opening.isToBeCached(), parts.nowNanos());
  }

  private static void writeSequence(
      SessionId session, Opening opening, int highestSlot, int statusFlags, XdrWriter out) {
    session.write(out);
    out.writeInt(opening.sequence())
        .writeInt(opening.slot())
        .writeInt(highestSlot)
        .writeInt(highestSlot)
        .writeInt(statusFlags);
  }

  private static int statusFlags(Nfs4Parts parts, Session session) {
    return parts.states().statusFlags(session.client());
  }

  /**
   * Answers a COMPOUND of which only the beginning is known: it has its place in the session, and
   * the rest of it is refused.
   */
  static void refuse(
      Nfs4Parts parts, ClientAddress client, Opening opening, Nfs4Status status, XdrWriter out) {
    int start = out.position();
    Nfs4Operation second = opening.second();
    try {
      Session session = parts.states().session(opening.session());
      switch (begin(parts, session, opening)) {
        case SlotUse.First first -> {
          byte[] reply = null;
          try {
            out.writeInt(status.code())
                .writeOpaque(opening.tagBytes())
                .writeInt(second == null ? 1 : 2);
            out.writeInt(Nfs4Operation.SEQUENCE.code()).writeInt(Nfs4Status.OK.code());
            writeSequence(
                session.id(), opening, session.highestSlot(), statusFlags(parts, session), out);
            if (second != null) {
              out.writeInt(second.code()).writeInt(status.code());
            }
            reply = new byte[out.position() - start];
            out.buffer().get(start, reply);
          } finally {
            session.end(first, opening.isToBeCached() ? reply : null);
          }
        }
        case SlotUse.Replay replay -> out.writeFixedOpaque(replay.reply());
      }
    } catch (StateException refusal) {
      // One whose session is gone, and that may have been done, must come again as it is.
      KeptCompounds kept = parts.kept();
      boolean isKnown =
          refusal.status() == Nfs4Status.BADSESSION
              && kept != null
              && kept.find(KeptCompounds.name(client, opening), parts.nowNanos()) != null;
      int code = (isKnown ? Nfs4Status.DELAY : refusal.status()).code();
      out.position(start);
      out.writeInt(code).writeOpaque(opening.tagBytes()).writeInt(1);
      out.writeInt(Nfs4Operation.SEQUENCE.code()).writeInt(code);
    }
  }
}
