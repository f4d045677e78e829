package dev.sluice.gateway.nfs4;

import static dev.sluice.gateway.nfs4.Nfs4Caller.createSession;
import static dev.sluice.gateway.nfs4.Nfs4Caller.getattr;
import static dev.sluice.gateway.nfs4.Nfs4Caller.lookup;
import static dev.sluice.gateway.nfs4.Nfs4Caller.op;
import static dev.sluice.gateway.nfs4.Nfs4Caller.sequence;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.model.ClientAddress;
import dev.sluice.gateway.export.Export;
import dev.sluice.gateway.export.Exports;
import dev.sluice.gateway.export.Squash;
import dev.sluice.gateway.files.MemoryHandles;
import dev.sluice.gateway.files.MemoryTree;
import dev.sluice.gateway.files.Timestamp;
import dev.sluice.gateway.nfs4.Nfs4Caller.Channel;
import dev.sluice.gateway.nfs4.Nfs4Caller.Op;
import dev.sluice.gateway.nfs4.Nfs4Caller.Reply;
import dev.sluice.gateway.nfs4.state.ClientRecords;
import dev.sluice.gateway.nfs4.state.Nfs4States;
import dev.sluice.gateway.nfs4.state.StateBounds;
import dev.sluice.nfs.nfs4.Nfs4Attribute;
import dev.sluice.nfs.nfs4.Nfs4Operation;
import dev.sluice.nfs.nfs4.Nfs4Status;
import dev.sluice.nfs.nfs4.SessionId;
import dev.sluice.nfs.rpc.Credential;
import dev.sluice.nfs.xdr.XdrReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What clients are told who introduce themselves and use sessions in ways that RFC 8881 does not
 * allow: sections 2.10.6 and 18.34 to 18.37, 18.46 and 18.50.
 */
class SessionErrorsTest {
  private static final Duration LEASE = Duration.ofSeconds(45);
  private static final int UPDATE = 0x4000_0000;
  private static final int CONFIRMED = 0x8000_0000;

  private Nfs4Program program;
  private Nfs4Caller client;

  @BeforeEach
  void begin() {
    Export export =
        new Export(
            "/a", new MemoryTree(1), "disk", false, Squash.of(Squash.Who.NONE), List.of(), false);
    Nfs4States states =
        new Nfs4States(
            StateBounds.DEFAULTS, LEASE.toNanos(), ClientRecords.forgetful(), 7, System.nanoTime());
    program =
        new Nfs4Program(
            new Exports(List.of(export)), new MemoryHandles(), states, LEASE, new Timestamp(1, 2));
    client = new Nfs4Caller(program, "one");
  }

  private Nfs4Caller caller(String name, int uid) {
    Nfs4Caller caller = new Nfs4Caller(program, name);
    caller.credential = new Credential.Sys("test", uid, uid);
    caller.isPrivileged = false;
    return caller;
  }

  private static Nfs4Status status(Nfs4Caller caller, Op... operations) {
    return caller.raw(List.of(operations)).status;
  }

  // EXCHANGE_ID.

  @Test
  void flagsAreThoseOfTheMinorVersion() {
    for (int bit = 0; bit < Integer.SIZE; bit++) {
      int flag = 1 << bit;
      boolean isKnown = (flag & (UPDATE | 0x0007_0103)) != 0;
      Nfs4Status expected =
          flag == UPDATE ? Nfs4Status.NOENT : isKnown ? Nfs4Status.OK : Nfs4Status.INVAL;
      assertThat(status(client, client.exchangeId(1, flag))).as("bit %d", bit).isEqualTo(expected);
    }
    client.minorVersion = 2;
    assertThat(status(client, client.exchangeId(1, 4))).isEqualTo(Nfs4Status.OK);
    assertThat(status(client, client.exchangeId(1, 8))).isEqualTo(Nfs4Status.INVAL);
  }

  @Test
  void stateIsProtectedByNothingThatNeedsKerberos() {
    assertThat(status(client, Nfs4Caller.exchangeId("x", 1, 0, 1))).isEqualTo(Nfs4Status.INVAL);
    assertThat(status(client, Nfs4Caller.exchangeId("x", 1, 0, 2)))
        .isEqualTo(Nfs4Status.ENCR_ALG_UNSUPP);
    assertThat(status(client, Nfs4Caller.exchangeId("x", 1, 0, 3))).isEqualTo(Nfs4Status.BADXDR);
  }

  @Test
  void itComesAloneOrInASession() {
    assertThat(status(client, client.exchangeId(1, 0), op(Nfs4Operation.PUTROOTFH)))
        .isEqualTo(Nfs4Status.NOT_ONLY_OP);
    client.begin(1);
    Reply reply = client.call(Nfs4Caller.exchangeId("another", 1, 0, 0));
    assertThat(reply.status).isEqualTo(Nfs4Status.OK);
    XdrReader in = reply.sequence().next(Nfs4Operation.EXCHANGE_ID);
    in.skip(Long.BYTES + Integer.BYTES);
    assertThat(in.readInt() & 0x0007_0000).as("without pNFS").isEqualTo(0x0001_0000);
  }

  /** The cases of section 18.35.4 in which the name is known, by its number there. */
  @Test
  void whoMayTakeAKnownName() {
    Nfs4Caller owner = caller("name", 1);
    Nfs4Caller stranger = caller("name", 2);
    // 4: nobody has made a session yet.
    owner.introduce(1);
    long first = owner.clientId;
    stranger.introduce(1);
    assertThat(stranger.clientId).isNotEqualTo(first);
    assertThat(status(owner, createSession(first, 1, 0, Channel.USUAL, Channel.USUAL)))
        .isEqualTo(Nfs4Status.STALE_CLIENTID);
    // 7: nothing is there to be updated.
    assertThat(status(owner, owner.exchangeId(1, UPDATE))).isEqualTo(Nfs4Status.NOENT);
    owner.begin(1);
    // 2: the same once more.
    Reply again = owner.raw(List.of(owner.exchangeId(1, 0)));
    XdrReader in = again.next(Nfs4Operation.EXCHANGE_ID);
    assertThat(in.readLong()).isEqualTo(owner.clientId);
    in.readInt();
    assertThat(in.readInt() & CONFIRMED).isEqualTo(CONFIRMED);
    // 6, 8 and 9: updates.
    assertThat(status(owner, owner.exchangeId(1, UPDATE))).isEqualTo(Nfs4Status.OK);
    assertThat(status(owner, owner.exchangeId(2, UPDATE))).isEqualTo(Nfs4Status.NOT_SAME);
    assertThat(status(stranger, stranger.exchangeId(1, UPDATE))).isEqualTo(Nfs4Status.PERM);
    // 3: somebody else has it.
    assertThat(status(stranger, stranger.exchangeId(1, 0))).isEqualTo(Nfs4Status.CLID_INUSE);
    assertThat(status(stranger, stranger.exchangeId(2, 0))).isEqualTo(Nfs4Status.CLID_INUSE);
    // 5: the client was restarted; what it had is there until it makes a session.
    SessionId before = owner.session;
    int number = owner.introduce(2);
    assertThat(owner.call().status).isEqualTo(Nfs4Status.OK);
    assertThat(
            status(owner, createSession(owner.clientId, number, 0, Channel.USUAL, Channel.USUAL)))
        .isEqualTo(Nfs4Status.OK);
    assertThat(status(owner, sequence(before, 9, 0, 0, false))).isEqualTo(Nfs4Status.BADSESSION);
  }

  @Test
  void anUnusedNameIsTakenAtOnce() {
    Nfs4Caller owner = caller("name", 1).begin(1);
    assertThat(status(owner, destroySession(owner.session))).isEqualTo(Nfs4Status.OK);
    Nfs4Caller stranger = caller("name", 2);
    stranger.introduce(1);
    assertThat(status(owner, createSession(owner.clientId, 2, 0, Channel.USUAL, Channel.USUAL)))
        .isEqualTo(Nfs4Status.STALE_CLIENTID);
  }

  // Strangers.

  @Test
  void aStrangerNeitherEndsNorEntersWhatIsAnothers() {
    Nfs4Caller owner = caller("name", 1).begin(1);
    Nfs4Caller neighbour = caller("other", 2);
    Nfs4Caller elsewhere = caller("name", 1);
    elsewhere.client = ClientAddress.parse("10.0.0.2");
    for (Nfs4Caller stranger : List.of(neighbour, elsewhere)) {
      assertThat(status(stranger, destroySession(owner.session))).isEqualTo(Nfs4Status.WRONG_CRED);
      // Nor is it told the name of the session by a repetition.
      for (int number = 0; number < 3; number++) {
        assertThat(
                status(
                    stranger,
                    createSession(owner.clientId, number, 0, Channel.USUAL, Channel.USUAL)))
            .isEqualTo(stranger == elsewhere ? Nfs4Status.STALE_CLIENTID : Nfs4Status.CLID_INUSE);
      }
      assertThat(status(stranger, destroyClient(owner.clientId)))
          .isEqualTo(stranger == elsewhere ? Nfs4Status.STALE_CLIENTID : Nfs4Status.WRONG_CRED);
    }
    assertThat(owner.call().status).isEqualTo(Nfs4Status.OK);
    // The root of the node could pass for its users anyway.
    neighbour.isPrivileged = true;
    assertThat(status(neighbour, createSession(owner.clientId, 2, 0, Channel.USUAL, Channel.USUAL)))
        .isEqualTo(Nfs4Status.OK);
  }

  @Test
  void onlyWhoIntroducedAClientConfirmsIt() {
    Nfs4Caller owner = caller("name", 1);
    int number = owner.introduce(1);
    Nfs4Caller stranger = caller("name", 2);
    stranger.isPrivileged = true;
    Op create = createSession(owner.clientId, number, 0, Channel.USUAL, Channel.USUAL);
    assertThat(status(stranger, create)).isEqualTo(Nfs4Status.CLID_INUSE);
    assertThat(status(stranger, create)).isEqualTo(Nfs4Status.CLID_INUSE);
    assertThat(status(owner, create)).isEqualTo(Nfs4Status.OK);
  }

  // CREATE_SESSION.

  @Test
  void sessionsAreMadeOneAfterTheOther() {
    assertThat(status(client, createSession(4711, 1, 0, Channel.USUAL, Channel.USUAL)))
        .isEqualTo(Nfs4Status.STALE_CLIENTID);
    int number = client.introduce(1);
    assertThat(create(number - 1)).isEqualTo(Nfs4Status.SEQ_MISORDERED);
    assertThat(create(number + 1)).isEqualTo(Nfs4Status.SEQ_MISORDERED);
    Reply made = client.raw(List.of(createNumber(number)));
    Reply again = client.raw(List.of(createNumber(number)));
    assertThat(SessionId.read(again.next(Nfs4Operation.CREATE_SESSION)))
        .isEqualTo(SessionId.read(made.next(Nfs4Operation.CREATE_SESSION)));
    assertThat(create(number + 2)).isEqualTo(Nfs4Status.SEQ_MISORDERED);
    assertThat(create(number - 1)).isEqualTo(Nfs4Status.SEQ_MISORDERED);
    assertThat(status(client, createNumber(number + 1), op(Nfs4Operation.PUTROOTFH)))
        .isEqualTo(Nfs4Status.NOT_ONLY_OP);
    assertThat(create(number + 1)).isEqualTo(Nfs4Status.OK);
  }

  private Op createNumber(int number) {
    return createSession(client.clientId, number, 0, Channel.USUAL, Channel.USUAL);
  }

  private Nfs4Status create(int number) {
    return status(client, createNumber(number));
  }

  @Test
  void aSessionThatNothingFitsInIsRefusedAndCostsNoNumber() {
    int number = client.introduce(1);
    List<Channel> tooSmall =
        List.of(
            new Channel(20, 8_192, 8_192, 8, 8),
            new Channel(8_192, 0, 8_192, 8, 8),
            new Channel(8_192, 8_192, 8_192, 0, 8));
    for (Channel channel : tooSmall) {
      assertThat(status(client, createSession(client.clientId, number, 0, channel, Channel.USUAL)))
          .isEqualTo(Nfs4Status.TOOSMALL);
      assertThat(status(client, createSession(client.clientId, number, 0, Channel.USUAL, channel)))
          .isEqualTo(Nfs4Status.TOOSMALL);
    }
    assertThat(
            status(client, createSession(client.clientId, number, 8, Channel.USUAL, Channel.USUAL)))
        .isEqualTo(Nfs4Status.INVAL);
    assertThat(create(number)).isEqualTo(Nfs4Status.OK);
  }

  // SEQUENCE.

  @Test
  void slotsAndNumbersAreThoseOfTheSession() {
    client.begin(1, new Channel(1 << 20, 1 << 20, 2_048, 16, 8));
    SessionId session = client.session;
    assertThat(status(client, sequence(new SessionId(1, 2), 1, 0, 0, true)))
        .isEqualTo(Nfs4Status.BADSESSION);
    assertThat(status(client, sequence(session, 1, 8, 8, true))).isEqualTo(Nfs4Status.BADSLOT);
    assertThat(status(client, sequence(session, 1, -1, -1, true))).isEqualTo(Nfs4Status.BADSLOT);
    assertThat(status(client, sequence(session, 1, 2, 8, true)))
        .isEqualTo(Nfs4Status.BAD_HIGH_SLOT);
    assertThat(status(client, sequence(session, 1, 2, -1, true)))
        .isEqualTo(Nfs4Status.BAD_HIGH_SLOT);
    Reply reply = client.raw(List.of(sequence(session, 1, 2, 3, true)));
    XdrReader in = reply.next(Nfs4Operation.SEQUENCE);
    assertThat(SessionId.read(in)).isEqualTo(session);
    assertThat(List.of(in.readInt(), in.readInt())).containsExactly(1, 2);
    for (int wrong : new int[] {0, 3, -1, Integer.MAX_VALUE}) {
      assertThat(status(client, sequence(session, wrong, 2, 3, true)))
          .as("%d after 1", wrong)
          .isEqualTo(Nfs4Status.SEQ_MISORDERED);
    }
  }

  @Test
  void aReplyThatWasNotToBeKeptIsNotThere() {
    client.begin(1);
    Op first = sequence(client.session, 1, 1, 1, false);
    assertThat(status(client, first, op(Nfs4Operation.PUTROOTFH))).isEqualTo(Nfs4Status.OK);
    assertThat(status(client, first, op(Nfs4Operation.PUTROOTFH)))
        .isEqualTo(Nfs4Status.RETRY_UNCACHED_REP);
  }

  @Test
  void whatFailedIsAnsweredAlike() {
    client.begin(1);
    Op first = sequence(client.session, 1, 1, 1, true);
    List<Op> operations = List.of(first, op(Nfs4Operation.PUTROOTFH), lookup(""));
    for (int i = 0; i < 2; i++) {
      Reply reply = client.raw(operations);
      assertThat(reply.status).isEqualTo(Nfs4Status.INVAL);
      assertThat(reply.operations).isEqualTo(3);
    }
  }

  @Test
  void aRequestIsNoLargerThanWasAgreed() {
    client.begin(1, new Channel(512, 8_192, 2_048, 4, 8));
    assertThat(client.call(op(Nfs4Operation.PUTROOTFH), lookup("x".repeat(500))).status)
        .isEqualTo(Nfs4Status.REQ_TOO_BIG);
    client.sequence--;
    Op[] four = new Op[4];
    Arrays.fill(four, op(Nfs4Operation.PUTROOTFH));
    assertThat(client.call(four).status).isEqualTo(Nfs4Status.TOO_MANY_OPS);
    client.sequence--;
    assertThat(client.call(Arrays.copyOf(four, 3)).status).isEqualTo(Nfs4Status.OK);
  }

  @Test
  void aReplyIsNoLongerThanWasAgreed() {
    client.begin(1, new Channel(8_192, 400, 400, 16, 8));
    client.isCached = false;
    Op attributes =
        getattr(
            Nfs4Attribute.SUPPORTED_ATTRS,
            Nfs4Attribute.TYPE,
            Nfs4Attribute.CHANGE,
            Nfs4Attribute.SIZE,
            Nfs4Attribute.FSID,
            Nfs4Attribute.LEASE_TIME,
            Nfs4Attribute.FILEHANDLE);
    List<Op> many = new ArrayList<>(List.of(op(Nfs4Operation.PUTROOTFH)));
    for (int i = 0; i < 5; i++) {
      many.add(attributes);
    }
    assertThat(client.call(many.toArray(Op[]::new)).status).isEqualTo(Nfs4Status.REP_TOO_BIG);
    client.isCached = true;
    assertThat(client.call(many.toArray(Op[]::new)).status)
        .isEqualTo(Nfs4Status.REP_TOO_BIG_TO_CACHE);
    Reply again = client.raw(withSequence(many));
    assertThat(again.status).as("kept").isEqualTo(Nfs4Status.REP_TOO_BIG_TO_CACHE);
  }

  private List<Op> withSequence(List<Op> operations) {
    List<Op> all = new ArrayList<>(List.of(client.sequence(client.sequence)));
    all.addAll(operations);
    return all;
  }

  @Test
  void whatCannotBeKeptIsNotBegun() {
    int number = client.introduce(1);
    Channel channel = new Channel(8_192, 8_192, 10, 16, 8);
    Reply made =
        client.raw(List.of(createSession(client.clientId, number, 0, channel, Channel.USUAL)));
    SessionId session = SessionId.read(made.next(Nfs4Operation.CREATE_SESSION));
    assertThat(status(client, sequence(session, 1, 0, 0, true)))
        .isEqualTo(Nfs4Status.REP_TOO_BIG_TO_CACHE);
    assertThat(status(client, sequence(session, 1, 0, 0, false))).isEqualTo(Nfs4Status.OK);
  }

  // What has its place.

  @Test
  void operationsHaveTheirPlaces() {
    client.begin(1);
    assertThat(client.raw(List.of()).status).isEqualTo(Nfs4Status.OK);
    assertThat(client.call(bind(1)).status).isEqualTo(Nfs4Status.NOT_ONLY_OP);
    assertThat(status(client, bind(1))).isEqualTo(Nfs4Status.OK);
    assertThat(status(client, bind(3))).isEqualTo(Nfs4Status.OK);
    assertThat(status(client, bind(2))).as("a channel for callbacks").isEqualTo(Nfs4Status.INVAL);
    assertThat(status(client, bind(4))).isEqualTo(Nfs4Status.BADXDR);
    assertThat(client.call(destroySession(client.session), op(Nfs4Operation.PUTROOTFH)).status)
        .isEqualTo(Nfs4Status.NOT_ONLY_OP);
    assertThat(status(client, destroySession(client.session), op(Nfs4Operation.PUTROOTFH)))
        .isEqualTo(Nfs4Status.NOT_ONLY_OP);
    assertThat(client.call(destroySession(client.session)).status).isEqualTo(Nfs4Status.OK);
    assertThat(client.call().status).isEqualTo(Nfs4Status.BADSESSION);
  }

  @Test
  void aClientEndsWhenItHasNothing() {
    assertThat(status(client, destroyClient(0))).isEqualTo(Nfs4Status.STALE_CLIENTID);
    client.begin(1);
    assertThat(client.call(destroyClient(client.clientId)).status)
        .isEqualTo(Nfs4Status.CLIENTID_BUSY);
    assertThat(status(client, destroyClient(client.clientId))).isEqualTo(Nfs4Status.CLIENTID_BUSY);
    assertThat(status(client, destroyClient(0), op(Nfs4Operation.PUTROOTFH)))
        .isEqualTo(Nfs4Status.NOT_ONLY_OP);
    assertThat(status(client, destroySession(client.session))).isEqualTo(Nfs4Status.OK);
    assertThat(status(client, destroyClient(client.clientId))).isEqualTo(Nfs4Status.OK);
    assertThat(status(client, destroyClient(client.clientId))).isEqualTo(Nfs4Status.STALE_CLIENTID);
  }

  @Test
  void claimsAreCompletedOnce() {
    int number = client.introduce(1);
    Reply made = client.raw(List.of(createNumber(number)));
    client.session = SessionId.read(made.next(Nfs4Operation.CREATE_SESSION));
    byte[] root = client.handle("/a");
    Op open = client.open("owner", "file", 3, 0, true);
    assertThat(client.call(Nfs4Caller.putfh(root), open).status).isEqualTo(Nfs4Status.GRACE);
    assertThat(client.call(Nfs4Caller.putfh(root), lookup("file")).status)
        .as("nothing was made")
        .isEqualTo(Nfs4Status.NOENT);
    Op ofOne = op(Nfs4Operation.RECLAIM_COMPLETE, out -> out.writeBoolean(true));
    Op ofAll = op(Nfs4Operation.RECLAIM_COMPLETE, out -> out.writeBoolean(false));
    assertThat(client.call(ofOne).status).isEqualTo(Nfs4Status.NOFILEHANDLE);
    assertThat(client.call(op(Nfs4Operation.PUTROOTFH), ofOne).status).isEqualTo(Nfs4Status.OK);
    assertThat(client.call(ofAll).status).isEqualTo(Nfs4Status.OK);
    assertThat(client.call(ofAll).status).isEqualTo(Nfs4Status.COMPLETE_ALREADY);
    assertThat(client.call(Nfs4Caller.putfh(root), open).status).isEqualTo(Nfs4Status.OK);
  }

  @Test
  void whatIsNoCallbackOrDelegationIsNotSupported() {
    client.begin(1);
    for (Nfs4Operation operation :
        List.of(
            Nfs4Operation.OPEN_CONFIRM,
            Nfs4Operation.RENEW,
            Nfs4Operation.SETCLIENTID,
            Nfs4Operation.RELEASE_LOCKOWNER,
            Nfs4Operation.BACKCHANNEL_CTL,
            Nfs4Operation.DELEGPURGE,
            Nfs4Operation.GET_DIR_DELEGATION,
            Nfs4Operation.SET_SSV,
            Nfs4Operation.OPENATTR)) {
      assertThat(client.call(op(operation)).status)
          .as(operation.toString())
          .isEqualTo(Nfs4Status.NOTSUPP);
    }
  }

  private Op bind(int direction) {
    return op(
        Nfs4Operation.BIND_CONN_TO_SESSION,
        out -> {
          client.session.write(out);
          out.writeInt(direction).writeBoolean(false);
        });
  }

  private static Op destroySession(SessionId session) {
    return op(Nfs4Operation.DESTROY_SESSION, session::write);
  }

  private static Op destroyClient(long clientId) {
    return op(Nfs4Operation.DESTROY_CLIENTID, out -> out.writeLong(clientId));
  }
}
