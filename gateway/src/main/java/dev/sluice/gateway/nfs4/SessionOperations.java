package dev.sluice.gateway.nfs4;

import dev.sluice.gateway.nfs4.state.Client;
import dev.sluice.gateway.nfs4.state.ClientOwner;
import dev.sluice.gateway.nfs4.state.Exchanged;
import dev.sluice.gateway.nfs4.state.Principal;
import dev.sluice.gateway.nfs4.state.Session;
import dev.sluice.gateway.nfs4.state.SessionCreated;
import dev.sluice.gateway.nfs4.state.StateException;
import dev.sluice.gateway.rpc.RpcCall;
import dev.sluice.gateway.rpc.RpcServer;
import dev.sluice.nfs.nfs3.Nfs3Sizes;
import dev.sluice.nfs.nfs4.Nfs4Sizes;
import dev.sluice.nfs.nfs4.Nfs4Status;
import dev.sluice.nfs.nfs4.SessionId;
import dev.sluice.nfs.nfs4.StateId;
import dev.sluice.nfs.rpc.Credential;
import dev.sluice.nfs.xdr.XdrException;
import dev.sluice.nfs.xdr.XdrReader;
import dev.sluice.nfs.xdr.XdrWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * What concerns clients and sessions: EXCHANGE_ID, CREATE_SESSION and so on (RFC 8881, sections
 * 18.33 to 18.37, 18.46, 18.48 and 18.50 to 18.51). SEQUENCE itself is the COMPOUND's.
 */
final class SessionOperations {
  /** Besides contents a request or reply has operations, handles and attributes. */
  static final int OVERHEAD_BYTES = 1 << 16;

  private static final int REPLY_BYTES_MAX = Nfs3Sizes.TRANSFER_BYTES_MAX + OVERHEAD_BYTES;

  /** A connection ends with a longer record, and the client would send it again and again. */
  private static final int REQUEST_BYTES_MAX = RpcServer.RECORD_BYTES_MAX;

  private static final int FLAG_UPDATE = 0x4000_0000;
  private static final int FLAG_CONFIRMED = 0x8000_0000;
  private static final int FLAG_NON_PNFS = 0x0001_0000;
  private static final int FLAGS_KNOWN = 0x4000_0000 | 0x0007_0000 | 0x0000_0103;
  private static final int FLAGS_KNOWN_2 = FLAGS_KNOWN | 0x0000_0004;

  private static final int STATE_PROTECTION_NONE = 0;
  private static final int STATE_PROTECTION_BY_MACHINE = 1;
  private static final int STATE_PROTECTION_BY_SECRET = 2;

  private static final int SESSION_FLAGS_KNOWN = 0x7;

  /** A call with a user and nothing but SEQUENCE, and the answer to it. */
  private static final int REQUEST_BYTES_MIN = 120;

  private static final int REPLY_BYTES_MIN = 80;

  private static final int STATE_IDS_MAX = 1_024;
  private static final byte[] SERVER_NAME = "sluice".getBytes(StandardCharsets.US_ASCII);

  private static final int CONNECTION_FORE = 1;
  private static final int CONNECTION_BACK = 2;
  private static final int CONNECTION_FORE_OR_BOTH = 3;
  private static final int CONNECTION_BACK_OR_BOTH = 7;

  /** So many stand in a credential (RFC 5531). */
  private static final int GROUPS_MAX = 16;

  private SessionOperations() {}

  static void exchangeId(Compound compound, XdrReader in, XdrWriter out)
      throws Refusal, StateException {
    long verifier = in.readLong();
    byte[] owner = in.readOpaque(Nfs4Sizes.OPAQUE_BYTES_MAX);
    int flags = in.readInt();
    int protection = in.readInt();
    switch (protection) {
      case STATE_PROTECTION_NONE -> {}
      case STATE_PROTECTION_BY_MACHINE ->
          throw new Refusal(Nfs4Status.INVAL, "a machine's credential that proves nothing");
      case STATE_PROTECTION_BY_SECRET ->
          throw new Refusal(Nfs4Status.ENCR_ALG_UNSUPP, "no algorithm for secrets is known");
      default -> throw new XdrException("expected a state_protect_how4, not " + protection);
    }
    int implementations = in.readInt();
    if (implementations < 0 || implementations > 1) {
      throw new XdrException("expected at most one implementation, not " + implementations);
    }
    if (implementations == 1) {
      in.skipOpaque(Nfs4Sizes.OPAQUE_BYTES_MAX);
      in.skipOpaque(Nfs4Sizes.OPAQUE_BYTES_MAX);
      in.skip(Long.BYTES + Integer.BYTES);
    }
    if ((flags & ~(compound.minorVersion() < 2 ? FLAGS_KNOWN : FLAGS_KNOWN_2)) != 0) {
      throw new Refusal(Nfs4Status.INVAL, "flags that nobody knows");
    }
    Exchanged exchanged =
        compound
            .parts()
            .states()
            .exchangeId(
                new ClientOwner(ownerThere(compound, owner), verifier),
                principal(compound),
                (flags & FLAG_UPDATE) != 0,
                compound.parts().nowNanos());
    out.writeLong(exchanged.clientId())
        .writeInt(exchanged.sequence())
        .writeInt(FLAG_NON_PNFS | (exchanged.isConfirmed() ? FLAG_CONFIRMED : 0))
        .writeInt(STATE_PROTECTION_NONE)
        .writeLong(0)
        .writeOpaque(SERVER_NAME)
        .writeOpaque(SERVER_NAME)
        .writeInt(0);
  }

  /**
   * Clients make their names of their host's, and nodes that were cloned have the same. So the
   * address is part of the name: then nobody elsewhere passes for a client that is there, and one
   * that comes back from another address is another.
   */
  private static byte[] ownerThere(Compound compound, byte[] owner) {
    byte[] address = (compound.call().client() + "/").getBytes(StandardCharsets.US_ASCII);
    byte[] there = Arrays.copyOf(address, address.length + owner.length);
    System.arraycopy(owner, 0, there, address.length, owner.length);
    return there;
  }

  private static Principal principal(Compound compound) {
    RpcCall call = compound.call();
    String user =
        call.credential() instanceof Credential.Sys sys
            ? Integer.toUnsignedString(sys.uid())
            : "nobody";
    return new Principal(call.client().toString(), user, call.privilegedPort());
  }

  /** What a channel of a session allows (channel_attrs4). */
  private record Channel(
      int requestBytes, int replyBytes, int cachedBytes, int operations, int requests) {
    static Channel read(XdrReader in) {
      in.readInt();
      Channel channel =
          new Channel(in.readInt(), in.readInt(), in.readInt(), in.readInt(), in.readInt());
      int devices = in.readInt();
      if (devices < 0 || devices > 1) {
        throw new XdrException("expected at most one way of RDMA, not " + devices);
      }
      in.skip(devices * Integer.BYTES);
      return channel;
    }

    /** Whether anything at all can be said through it. */
    void check() throws Refusal {
      if (positive(requestBytes) < REQUEST_BYTES_MIN
          || positive(replyBytes) < REPLY_BYTES_MIN
          || positive(operations) < 1) {
        throw new Refusal(Nfs4Status.TOOSMALL, "no SEQUENCE fits");
      }
    }

    void write(XdrWriter out) {
      out.writeInt(0)
          .writeInt(requestBytes)
          .writeInt(replyBytes)
          .writeInt(cachedBytes)
          .writeInt(operations)
          .writeInt(requests)
          .writeInt(0);
    }
  }

  static void createSession(Compound compound, XdrReader in, XdrWriter out)
      throws Refusal, StateException {
    long clientId = in.readLong();
    int sequence = in.readInt();
    int flags = in.readInt();
    Channel fore = Channel.read(in);
    Channel back = Channel.read(in);
    in.readInt();
    skipCallbackSecurity(in);
    if ((flags & ~SESSION_FLAGS_KNOWN) != 0) {
      throw new Refusal(Nfs4Status.INVAL, "flags that nobody knows");
    }
    fore.check();
    back.check();
    SessionCreated created =
        compound
            .parts()
            .states()
            .createSession(
                clientId,
                sequence,
                positive(fore.requests),
                Math.min(positive(fore.requestBytes), REQUEST_BYTES_MAX),
                Math.min(positive(fore.replyBytes), REPLY_BYTES_MAX),
                positive(fore.cachedBytes),
                Math.min(positive(fore.operations), Nfs4Sizes.OPERATIONS_MAX),
                principal(compound),
                compound.parts().nowNanos());
    Session session = created.session();
    session.id().write(out);
    out.writeInt(created.sequence()).writeInt(0);
    new Channel(
            session.maxRequestBytes(),
            session.maxReplyBytes(),
            session.maxCachedReplyBytes(),
            session.maxOperations(),
            session.slots())
        .write(out);
    back.write(out);
  }

  /** An unsigned number, as far as it fits. */
  private static int positive(int number) {
    return number < 0 ? Integer.MAX_VALUE : number;
  }

  /** What callbacks would be secured with: there are none. */
  private static void skipCallbackSecurity(XdrReader in) {
    int count = in.readInt();
    for (int i = 0; i < count; i++) {
      switch (in.readInt()) {
        case 0 -> {}
        case 1 -> {
          in.skip(Integer.BYTES);
          in.skipOpaque(Nfs4Sizes.OPAQUE_BYTES_MAX);
          in.skip(2 * Integer.BYTES);
          int groups = in.readInt();
          if (groups < 0 || groups > GROUPS_MAX) {
            throw new XdrException("expected a number of groups, not " + groups);
          }
          in.skip(groups * Integer.BYTES);
        }
        case 6 -> {
          in.skip(Integer.BYTES);
          in.skipOpaque(Nfs4Sizes.OPAQUE_BYTES_MAX);
          in.skipOpaque(Nfs4Sizes.OPAQUE_BYTES_MAX);
        }
        default -> throw new XdrException("expected a flavor of callbacks");
      }
    }
  }

  static void bindConnection(Compound compound, XdrReader in, XdrWriter out)
      throws Refusal, StateException {
    SessionId id = SessionId.read(in);
    int direction = in.readInt();
    in.readInt();
    Session session = compound.parts().states().session(id);
    switch (direction) {
      case CONNECTION_FORE, CONNECTION_FORE_OR_BOTH, CONNECTION_BACK_OR_BOTH -> {}
      case CONNECTION_BACK -> throw new Refusal(Nfs4Status.INVAL, "there are no callbacks");
      default -> throw new XdrException("expected a channel_dir_from_client4, not " + direction);
    }
    session.id().write(out);
    out.writeInt(CONNECTION_FORE).writeInt(0);
  }

  static void destroySession(Compound compound, XdrReader in) throws StateException {
    SessionId id = SessionId.read(in);
    compound.parts().states().destroySession(id, principal(compound));
  }

  static void destroyClient(Compound compound, XdrReader in) throws StateException {
    long clientId = in.readLong();
    compound.parts().states().destroyClient(clientId, principal(compound));
  }

  static void reclaimComplete(Compound compound, XdrReader in) throws Refusal, StateException {
    boolean isOneFileSystem = in.readBoolean();
    Client client = compound.client();
    if (isOneFileSystem) {
      compound.handle();
    } else {
      compound.parts().states().reclaimComplete(client);
    }
  }

  static void testStateIds(Compound compound, XdrReader in, XdrWriter out) throws Refusal {
    int count = in.readInt();
    if (count < 0 || count > STATE_IDS_MAX) {
      throw new XdrException("expected at most " + STATE_IDS_MAX + " states, not " + count);
    }
    if (out.remaining() < Integer.BYTES * (1 + count)) {
      throw new Refusal(Nfs4Status.REP_TOO_BIG, "no room for " + count + " answers");
    }
    Client client = compound.client();
    out.writeInt(count);
    for (int i = 0; i < count; i++) {
      out.writeInt(compound.parts().states().test(client, StateId.read(in)).code());
    }
  }

  static void freeStateId(Compound compound, XdrReader in) throws Refusal, StateException {
    StateId state = compound.state(StateId.read(in));
    compound.parts().states().free(compound.client(), state);
  }
}
