package dev.sluice.gateway.nfs4;

import static dev.sluice.gateway.nfs4.Nfs4Caller.bytes;
import static dev.sluice.gateway.nfs4.Nfs4Caller.createSession;
import static dev.sluice.gateway.nfs4.Nfs4Caller.exchangeId;
import static dev.sluice.gateway.nfs4.Nfs4Caller.op;
import static dev.sluice.gateway.nfs4.Nfs4Caller.putfh;
import static dev.sluice.gateway.nfs4.Nfs4Caller.sequence;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.core.model.ClientAddress;
import dev.sluice.gateway.export.Export;
import dev.sluice.gateway.export.Exports;
import dev.sluice.gateway.export.Squash;
import dev.sluice.gateway.files.FileHandles;
import dev.sluice.gateway.files.FileTree;
import dev.sluice.gateway.files.HandleCodec;
import dev.sluice.gateway.files.MemoryHandles;
import dev.sluice.gateway.files.MemoryTree;
import dev.sluice.gateway.files.PosixTree;
import dev.sluice.gateway.files.Timestamp;
import dev.sluice.gateway.nfs4.Nfs4Caller.Channel;
import dev.sluice.gateway.nfs4.Nfs4Caller.Op;
import dev.sluice.gateway.nfs4.Nfs4Caller.OpenFile;
import dev.sluice.gateway.nfs4.Nfs4Caller.Reply;
import dev.sluice.gateway.nfs4.state.ClientRecords;
import dev.sluice.gateway.nfs4.state.Figures;
import dev.sluice.gateway.nfs4.state.Nfs4States;
import dev.sluice.gateway.nfs4.state.StateBounds;
import dev.sluice.nfs.nfs4.Nfs4Operation;
import dev.sluice.nfs.nfs4.Nfs4Status;
import dev.sluice.nfs.nfs4.SessionId;
import dev.sluice.nfs.nfs4.StateId;
import dev.sluice.nfs.rpc.Credential;
import dev.sluice.nfs.xdr.XdrException;
import dev.sluice.nfs.xdr.XdrReader;
import dev.sluice.nfs.xdr.XdrWriter;
import dev.sluice.testkit.EnduranceScale;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clients that lie, on three nodes, and one on another node that does not. They share names, take
 * each other's numbers, never close what they open and never end what they begin, and say what the
 * protocol does not know; the one beside them notices nothing, and nothing is left of them.
 */
class HostileClientsTest {
  private static final int COMPOUNDS = EnduranceScale.of(10_000, 1_000_000);
  private static final int COMPOUNDS_ON_DISK = EnduranceScale.of(2_000, 100_000);
  private static final int COMPOUNDS_BETWEEN_LOOKS = 50;
  private static final Duration LEASE = Duration.ofSeconds(2);
  private static final long DAYS_NANOS = Duration.ofDays(2).toNanos();
  private static final StateBounds BOUNDS =
      new StateBounds(32, 4, 16, 512, 1 << 20, 16, 256, 16, 256, 4);

  private static final int[] TELLING = {0, 1, 2, 3, 16, 64, 1 << 20, -1, Integer.MAX_VALUE};
  private static final int KNOWN_MAX = 200;
  private static final int HONEST_UID = 77;
  private static final int HEAP_GROWTH_MAX_MEBIBYTES = 16;

  @Test
  void theyDoNoHarm() throws Exception {
    MemoryTree tree = new MemoryTree(1);
    Scene scene = new Scene(tree, new MemoryHandles());
    long heap = 0;
    for (int i = 1; i <= COMPOUNDS; i++) {
      scene.lie();
      if (i % COMPOUNDS_BETWEEN_LOOKS == 0) {
        scene.look();
        assertThat(tree.openNodes()).isEqualTo(scene.figures().opens());
      }
      if (i == COMPOUNDS / 10) {
        heap = usedMebibytes();
      }
    }
    System.out.println(scene.figures() + " after " + scene.answers);
    long growth = usedMebibytes() - heap;
    System.out.println("the heap has grown by " + growth + " MiB of " + heap);
    assertThat(growth).isLessThanOrEqualTo(HEAP_GROWTH_MAX_MEBIBYTES);
    assertThat(scene.answers)
        .containsKeys(
            Nfs4Status.OK,
            Nfs4Status.BADXDR,
            Nfs4Status.CLID_INUSE,
            Nfs4Status.WRONG_CRED,
            Nfs4Status.STALE_CLIENTID,
            Nfs4Status.BADSESSION,
            Nfs4Status.BADSLOT,
            Nfs4Status.BAD_HIGH_SLOT,
            Nfs4Status.SEQ_MISORDERED,
            Nfs4Status.TOO_MANY_OPS,
            Nfs4Status.BAD_STATEID,
            Nfs4Status.NOSPC,
            Nfs4Status.ACCESS);
    scene.leave();
    assertThat(tree.openNodes()).isZero();
  }

  @Test
  void theyLeaveNoDescriptorBehind(@TempDir Path directory) throws Exception {
    assumeTrue(PosixTree.actsAsCaller(), "only root can act as others");
    Path exported = Files.createDirectory(directory.resolve("exported"));
    Files.setPosixFilePermissions(exported, PosixFilePermissions.fromString("rwxrwxrwx"));
    Path state = Files.createDirectory(directory.resolve("state"));
    long before = descriptors();
    try (PosixTree tree = PosixTree.open(1, exported, state, 64)) {
      Scene scene = new Scene(tree, FileHandles.inDirectory(state));
      for (int i = 1; i <= COMPOUNDS_ON_DISK; i++) {
        scene.lie();
        if (i % COMPOUNDS_BETWEEN_LOOKS == 0) {
          scene.look();
        }
      }
      // An open has one, an owner of locks another, and the tree those it has just used.
      assertThat(descriptors()).isLessThan(before + BOUNDS.statesMax() + 200);
      scene.leave();
    }
    assertThat(descriptors()).isLessThanOrEqualTo(before + 5);
  }

  private static long descriptors() throws Exception {
    try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
      return open.count();
    }
  }

  private static long usedMebibytes() {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 3; i++) {
      System.gc();
      Runtime runtime = Runtime.getRuntime();
      least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
    }
    return least >> 20;
  }

  /** A client, and who introduced it from where. */
  private record Introduced(long id, ClientAddress node, Credential who) {}

  /** A server, the liars with all they know, and the honest one. */
  private static final class Scene {
    final Map<Nfs4Status, Integer> answers = new EnumMap<>(Nfs4Status.class);
    private final SplittableRandom random = new SplittableRandom(19);
    private final Nfs4States states;
    private final Nfs4Caller liar;
    private final Nfs4Caller honest;
    private final byte[] root;
    private final OpenFile kept;
    private final List<Introduced> clients = new ArrayList<>();
    private final List<SessionId> sessions = new ArrayList<>();
    private final List<StateId> stateIds = new ArrayList<>();
    private final List<byte[]> handles = new ArrayList<>();
    private final int[][] used = new int[KNOWN_MAX][BOUNDS.slotsPerSessionMax()];
    private int owners;

    Scene(FileTree tree, HandleCodec codec) {
      Export export =
          new Export("/a", tree, "disk", false, Squash.of(Squash.Who.ROOT), List.of(), false);
      states =
          new Nfs4States(BOUNDS, LEASE.toNanos(), ClientRecords.forgetful(), 7, System.nanoTime());
      Nfs4Program program =
          new Nfs4Program(new Exports(List.of(export)), codec, states, LEASE, new Timestamp(1, 2));
      honest = new Nfs4Caller(program, "honest");
      honest.client = ClientAddress.parse("10.0.9.9");
      honest.credential = new Credential.Sys("honest", HONEST_UID, HONEST_UID);
      honest.begin(1);
      root = honest.handle("/a");
      kept = honest.opened(root, "keeper", "kept", 3, true);
      assertThat(honest.call(putfh(kept.handle()), setMode(kept.state(), 0600)).status)
          .isEqualTo(Nfs4Status.OK);
      assertThat(honest.call(putfh(kept.handle()), lock(honest, kept.state(), "keeper")).status)
          .isEqualTo(Nfs4Status.OK);
      liar = new Nfs4Caller(program, "liar");
      clients.add(new Introduced(honest.clientId, honest.client, honest.credential));
      stateIds.add(kept.state());
      handles.add(kept.handle());
      handles.add(root);
    }

    Figures figures() {
      return states.figures(System.nanoTime());
    }

    /** The honest one has what it had, and gets what it wants; nothing is above its bounds. */
    void look() {
      assertThat(honest.call(putfh(kept.handle()), lockTest(honest, "other")).status)
          .as("its lock")
          .isEqualTo(Nfs4Status.DENIED);
      OpenFile file = honest.opened(root, "keeper", "mine", 3, true);
      assertThat(honest.call(putfh(file.handle()), lock(honest, file.state(), "l")).status)
          .isEqualTo(Nfs4Status.OK);
      assertThat(honest.call(putfh(file.handle()), close(file.state())).status)
          .isEqualTo(Nfs4Status.OK);
      Figures figures = figures();
      assertThat(figures.clients()).isLessThanOrEqualTo(BOUNDS.clientsMax());
      assertThat(figures.unconfirmed()).isLessThanOrEqualTo(BOUNDS.clientsMax());
      assertThat(figures.sessions())
          .isLessThanOrEqualTo(BOUNDS.clientsMax() * BOUNDS.sessionsPerClientMax());
      assertThat(figures.opens() + figures.locks()).isLessThanOrEqualTo(BOUNDS.statesMax());
      assertThat(figures.lockRanges()).isLessThanOrEqualTo(BOUNDS.lockRangesMax());
      assertThat(figures.files()).isLessThanOrEqualTo(figures.opens());
    }

    /** All fall silent. */
    void leave() {
      states.sweep(System.nanoTime() + DAYS_NANOS);
      assertThat(figures()).isEqualTo(new Figures(0, 0, 0, 0, 0, 0, 0, 0));
    }

    /** One COMPOUND. */
    void lie() {
      int node = random.nextInt(3);
      liar.client = ClientAddress.parse("10.0.0." + (1 + node));
      int uid = random.nextInt(3);
      liar.credential =
          random.nextInt(20) == 0 ? new Credential.None() : new Credential.Sys("x", uid, uid);
      liar.isPrivileged = random.nextInt(4) == 0;
      liar.minorVersion = random.nextInt(50) == 0 ? telling() : 1 + random.nextInt(2);
      try {
        switch (random.nextInt(16)) {
          case 0 -> introduce();
          case 1 -> makeSession();
          case 2 -> end();
          default -> inSession();
        }
      } catch (XdrException | BufferUnderflowException _) {
        // As the RPC layer says it; or of an answer that was shorter than expected.
      }
    }

    private void introduce() {
      String name = random.nextInt(8) == 0 ? "name " + random.nextInt(4) : "owner " + owners++;
      int flags = random.nextInt(4) == 0 ? 1 << random.nextInt(32) : 0;
      int protection = random.nextInt(20) == 0 ? random.nextInt(4) : 0;
      Reply reply = said(List.of(exchangeId(name, random.nextInt(3), flags, protection)));
      if (reply.status == Nfs4Status.OK) {
        long id = reply.next(Nfs4Operation.EXCHANGE_ID).readLong();
        remember(clients, new Introduced(id, liar.client, liar.credential));
      }
    }

    private void makeSession() {
      Channel channel =
          random.nextInt(4) == 0
              ? new Channel(telling(), telling(), telling(), telling(), telling())
              : Channel.USUAL;
      int number = random.nextInt(8) == 0 ? telling() : 1 + random.nextInt(3);
      Introduced client = clients.get(Math.max(0, clients.size() - 1 - random.nextInt(20)));
      if (random.nextInt(8) > 0 && !client.equals(clients.getFirst())) {
        liar.client = client.node;
        liar.credential = client.who;
      }
      Op create =
          createSession(
              client.id, number, random.nextInt(8) == 0 ? telling() : 0, channel, channel);
      Reply reply = said(List.of(create));
      if (reply.status == Nfs4Status.OK) {
        SessionId made = SessionId.read(reply.next(Nfs4Operation.CREATE_SESSION));
        if (!sessions.contains(made)) {
          int at = remember(sessions, made);
          used[at] = new int[BOUNDS.slotsPerSessionMax()];
          said(
              List.of(
                  next(at, 0), op(Nfs4Operation.RECLAIM_COMPLETE, out -> out.writeBoolean(false))));
          used[at][0] = 1;
        }
      }
    }

    private void end() {
      SessionId session =
          sessions.isEmpty() || random.nextInt(4) == 0 ? honest.session : some(sessions);
      long client = some(clients).id;
      Op end =
          switch (random.nextInt(16)) {
            case 0 -> op(Nfs4Operation.DESTROY_CLIENTID, out -> out.writeLong(client));
            case 1 -> op(Nfs4Operation.DESTROY_SESSION, session::write);
            default ->
                op(
                    Nfs4Operation.BIND_CONN_TO_SESSION,
                    out -> {
                      session.write(out);
                      out.writeInt(random.nextInt(9)).writeInt(random.nextInt(3));
                    });
          };
      said(List.of(end));
    }

    /** The SEQUENCE that is expected next on a slot of a known session. */
    private Op next(int session, int slot) {
      return sequence(
          sessions.get(session), used[session][slot] + 1, slot, slot, random.nextBoolean());
    }

    private void inSession() {
      if (sessions.isEmpty()) {
        return;
      }
      int session = random.nextInt(sessions.size());
      int slot = random.nextInt(4);
      List<Op> operations = new ArrayList<>();
      operations.add(
          switch (random.nextInt(16)) {
            case 0 -> sequence(sessions.get(session), telling(), slot, slot, true);
            case 1 -> sequence(sessions.get(session), 1, telling(), telling(), true);
            case 2 -> sequence(sessions.get(session), used[session][slot], slot, slot, true);
            case 3 -> sequence(sessions.get(session), 1, slot, telling(), false);
            case 4 -> sequence(new SessionId(some(clients).id, random.nextLong()), 1, 0, 0, true);
            default -> next(session, slot);
          });
      operations.add(putfh(random.nextInt(4) == 0 ? some(handles) : root));
      for (int i = random.nextInt(1, 4); i > 0; i--) {
        operations.add(operation());
      }
      if (random.nextInt(4) == 0) {
        operations.add(op(Nfs4Operation.GETFH));
      }
      boolean isLong = random.nextInt(20) == 0;
      ByteBuffer arguments =
          isLong
              ? liar.arguments(new byte[random.nextInt(1_100)], telling(), operations)
              : liar.arguments(operations);
      if (random.nextInt(8) == 0) {
        Nfs4FuzzTest.spoil(arguments, random);
      }
      Reply reply = said(arguments);
      learn(reply, operations, used[session], slot);
      if (reply.status == Nfs4Status.BADSESSION && sessions.size() > 1) {
        sessions.remove(session);
        System.arraycopy(used, session + 1, used, session, KNOWN_MAX - session - 1);
        used[KNOWN_MAX - 1] = new int[BOUNDS.slotsPerSessionMax()];
      }
    }

    private Op operation() {
      StateId state = some(stateIds);
      OpenFile file = new OpenFile(state, some(handles));
      return switch (random.nextInt(10)) {
        case 0, 1 -> open();
        case 2 ->
            lock(liar, random.nextBoolean() ? StateId.CURRENT : state, "o" + random.nextInt(1_000));
        case 3 -> close(state);
        case 4 -> op(Nfs4Operation.FREE_STATEID, state::write);
        case 5 -> op(Nfs4Operation.GETATTR, this::giantBitmap);
        case 6 -> setMode(state, random.nextInt(0777));
        default -> Nfs4FuzzTest.operation(liar, file, random);
      };
    }

    private Op open() {
      String owner = "o" + (random.nextBoolean() ? owners++ : random.nextInt(4));
      return liar.open(
          random.nextInt(10) == 0 ? owner + "x".repeat(900) : owner,
          random.nextInt(8) == 0 ? "kept" : "f" + random.nextInt(8),
          random.nextInt(4),
          random.nextInt(8) == 0 ? random.nextInt(5) : 0,
          random.nextBoolean());
    }

    private void giantBitmap(XdrWriter out) {
      int words = random.nextInt(4) == 0 ? telling() : random.nextInt(70);
      out.writeInt(words);
      for (int i = 0; i < Math.clamp(words, 0, 70); i++) {
        out.writeInt(random.nextInt());
      }
    }

    /** Takes what an answer tells: whether the slot was used, and which file was opened. */
    private void learn(Reply reply, List<Op> operations, int[] slots, int slot) {
      XdrReader in = reply.in();
      if (reply.operations == 0
          || in.readInt() != Nfs4Operation.SEQUENCE.code()
          || in.readInt() != Nfs4Status.OK.code()) {
        return;
      }
      in.skip(SessionId.BYTES);
      int number = in.readInt();
      if (in.readInt() == slot) {
        slots[slot] = number;
      }
      in.skip(3 * Integer.BYTES);
      if (reply.operations > 2 && operations.get(2).operation() == Nfs4Operation.OPEN) {
        in.skip(3 * Integer.BYTES);
        if (in.readInt() == Nfs4Status.OK.code()) {
          remember(stateIds, StateId.read(in));
        }
      }
    }

    private Reply said(List<Op> operations) {
      return said(liar.arguments(operations));
    }

    private Reply said(ByteBuffer arguments) {
      Reply reply = liar.raw(arguments);
      answers.merge(reply.status, 1, Integer::sum);
      return reply;
    }

    private int telling() {
      return TELLING[random.nextInt(TELLING.length)];
    }

    private <T> T some(List<T> known) {
      return known.get(random.nextInt(known.size()));
    }

    /** Adds what is known, in the place of something else when that is much; where it is. */
    private <T> int remember(List<T> known, T what) {
      if (known.size() < KNOWN_MAX) {
        known.add(what);
        return known.size() - 1;
      }
      int at = random.nextInt(1, known.size());
      known.set(at, what);
      return at;
    }
  }

  private static Op setMode(StateId state, int mode) {
    return op(
        Nfs4Operation.SETATTR,
        out -> {
          state.write(out);
          out.writeInt(2).writeInt(0).writeInt(1 << 1).writeInt(4).writeInt(mode);
        });
  }

  private static Op lock(Nfs4Caller caller, StateId open, String owner) {
    return op(
        Nfs4Operation.LOCK,
        out -> {
          out.writeInt(2).writeBoolean(false).writeLong(owner.hashCode() & 0xff).writeLong(2);
          out.writeBoolean(true).writeInt(0);
          open.write(out);
          out.writeInt(0).writeLong(caller.clientId).writeOpaque(bytes(owner));
        });
  }

  private static Op lockTest(Nfs4Caller caller, String owner) {
    return op(
        Nfs4Operation.LOCKT,
        out ->
            out.writeInt(2)
                .writeLong(0)
                .writeLong(1_000)
                .writeLong(caller.clientId)
                .writeOpaque(bytes(owner)));
  }

  private static Op close(StateId state) {
    return op(
        Nfs4Operation.CLOSE,
        out -> {
          out.writeInt(0);
          state.write(out);
        });
  }
}
