package dev.sluice.gateway.rquota;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.model.ClientAddress;
import dev.sluice.core.model.Network;
import dev.sluice.core.model.Operation;
import dev.sluice.gateway.export.Export;
import dev.sluice.gateway.export.Exports;
import dev.sluice.gateway.export.Squash;
import dev.sluice.gateway.files.Caller;
import dev.sluice.gateway.files.DiskQuota;
import dev.sluice.gateway.files.MemoryTree;
import dev.sluice.gateway.rpc.RpcCall;
import dev.sluice.gateway.rpc.RpcProgram;
import dev.sluice.gateway.rpc.Work;
import dev.sluice.nfs.rpc.Credential;
import dev.sluice.nfs.rquota.RquotaProcedure;
import dev.sluice.nfs.rquota.RquotaStatus;
import dev.sluice.nfs.xdr.XdrException;
import dev.sluice.nfs.xdr.XdrReader;
import dev.sluice.nfs.xdr.XdrWriter;
import dev.sluice.testkit.SeededCases;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;

class RquotaProgramTest {
  private static final long NOW = 1_800_000_000L;
  private static final int ALICE = 1_001;
  private static final int BOB = 1_002;
  private static final int TEAM = 2_001;
  private static final int USER = 0;
  private static final int GROUP = 1;
  private static final long MIB = 1L << 20;
  private static final DiskQuota QUOTA =
      new DiskQuota(10 * MIB, 20 * MIB, 5 * MIB + 1, 100, 200, 7, NOW + 60, 0);
  private static final DiskQuota OTHER = new DiskQuota(0, 0, MIB, 0, 0, 1, 0, 0);

  private final MemoryTree home = new MemoryTree(1);
  private final MemoryTree squashed = new MemoryTree(2);
  private final MemoryTree trusting = new MemoryTree(3);
  private final Exports exports =
      new Exports(
          List.of(
              export("/home", home, Squash.of(Squash.Who.ROOT)),
              export("/public", squashed, new Squash(Squash.Who.ALL, new Caller(777, 778))),
              export("/trusting", trusting, Squash.of(Squash.Who.NONE))));
  private final List<RpcProgram> programs =
      RquotaProgram.allVersions(exports, InstantSource.fixed(Instant.ofEpochSecond(NOW)));
  private ClientAddress client = ClientAddress.parse("10.1.0.5");
  private Credential credential = new Credential.Sys("test", ALICE, ALICE, TEAM);

  private static Export export(String path, MemoryTree tree, Squash squash) {
    for (DiskQuota.Kind kind : DiskQuota.Kind.values()) {
      tree.setQuota(kind, ALICE, QUOTA);
      tree.setQuota(kind, BOB, OTHER);
      tree.setQuota(kind, TEAM, OTHER);
      tree.setQuota(kind, 0, OTHER);
      tree.setQuota(kind, 777, OTHER);
      tree.setQuota(kind, 778, OTHER);
    }
    List<Network> clients = List.of(Network.parse("10.1.0.0/16"));
    return new Export(path, tree, "disk", false, squash, clients, true);
  }

  private RpcCall call(int version, RquotaProcedure procedure) {
    // Users have no port of root's.
    return new RpcCall(
        client, false, 1, RquotaProcedure.PROGRAM, version, procedure.number(), credential);
  }

  private XdrReader results(int version, RquotaProcedure procedure, ByteBuffer arguments) {
    RpcProgram program = programs.get(version - 1);
    RpcCall call = call(version, procedure);
    Work work = program.inspect(call, new XdrReader(arguments));
    ByteBuffer results = ByteBuffer.allocate(work.replyBytesMax());
    program.serve(call, work, new XdrReader(arguments), new XdrWriter(results));
    return new XdrReader(results.flip());
  }

  private static ByteBuffer users(String path, int uid) {
    ByteBuffer bytes = ByteBuffer.allocate(2_048);
    new XdrWriter(bytes).writeOpaque(path.getBytes(StandardCharsets.UTF_8)).writeInt(uid);
    return bytes.flip();
  }

  private static ByteBuffer of(String path, int type, int id) {
    ByteBuffer bytes = ByteBuffer.allocate(2_048);
    new XdrWriter(bytes)
        .writeOpaque(path.getBytes(StandardCharsets.UTF_8))
        .writeInt(type)
        .writeInt(id);
    return bytes.flip();
  }

  private RquotaStatus ask(String path, int type, int id) {
    XdrReader in = results(2, RquotaProcedure.GETQUOTA, of(path, type, id));
    int status = in.readInt();
    for (RquotaStatus known : RquotaStatus.values()) {
      if (known.code() == status) {
        assertThat(in.remaining()).isEqualTo(known == RquotaStatus.OK ? 40 : 0);
        return known;
      }
    }
    throw new AssertionError("status " + status);
  }

  @Test
  void theOwnQuotaIsToldInBothVersionsAndProcedures() {
    for (RquotaProcedure procedure :
        List.of(RquotaProcedure.GETQUOTA, RquotaProcedure.GETACTIVEQUOTA)) {
      for (XdrReader in :
          List.of(
              results(1, procedure, users("/home", ALICE)),
              results(2, procedure, of("/home", USER, ALICE)),
              results(2, procedure, of("/@4711/home", USER, ALICE)),
              results(2, procedure, of("home", USER, ALICE)))) {
        assertThat(in.readInt()).isEqualTo(RquotaStatus.OK.code());
        assertThat(in.readInt()).as("bytes in a block").isEqualTo(1_024);
        assertThat(in.readBoolean()).as("in force").isTrue();
        assertThat(in.readInt()).isEqualTo(20 * 1_024);
        assertThat(in.readInt()).isEqualTo(10 * 1_024);
        assertThat(in.readInt()).as("a block that is begun counts").isEqualTo(5 * 1_024 + 1);
        assertThat(in.readInt()).isEqualTo(200);
        assertThat(in.readInt()).isEqualTo(100);
        assertThat(in.readInt()).isEqualTo(7);
        assertThat(in.readInt()).as("seconds of grace").isEqualTo(60);
        assertThat(in.readInt()).isZero();
      }
    }
  }

  @Test
  void othersQuotasAreNobodysBusiness() {
    assertThat(ask("/home", USER, BOB)).isEqualTo(RquotaStatus.EPERM);
    assertThat(ask("/home", GROUP, TEAM)).isEqualTo(RquotaStatus.OK);
    assertThat(ask("/home", GROUP, ALICE)).isEqualTo(RquotaStatus.OK);
    assertThat(ask("/home", GROUP, BOB)).isEqualTo(RquotaStatus.EPERM);
    credential = Credential.NONE;
    assertThat(ask("/home", USER, ALICE)).isEqualTo(RquotaStatus.EPERM);
  }

  @Test
  void rootAsksForEverybodyWhereItIsRoot() {
    credential = new Credential.Sys("test", 0, 0);
    assertThat(ask("/trusting", USER, BOB)).isEqualTo(RquotaStatus.OK);
    assertThat(ask("/trusting", GROUP, BOB)).isEqualTo(RquotaStatus.OK);
    assertThat(ask("/home", USER, BOB)).isEqualTo(RquotaStatus.EPERM);
  }

  /** Files of whoever is squashed belong to another, and so does the quota that counts. */
  @Test
  void whoIsTakenForAnotherIsToldAnothers() {
    XdrReader in = results(2, RquotaProcedure.GETQUOTA, of("/public", USER, ALICE));
    assertThat(in.readInt()).isEqualTo(RquotaStatus.OK.code());
    in.skip(4 * 4);
    assertThat(in.readInt()).as("blocks of the anonymous user").isEqualTo(1_024);
    assertThat(ask("/public", GROUP, ALICE)).isEqualTo(RquotaStatus.OK);
    assertThat(ask("/public", USER, BOB)).isEqualTo(RquotaStatus.EPERM);
  }

  @Test
  void whereThereIsNoneThatIsSaid() {
    credential = new Credential.Sys("test", 5_555, 5_555);
    assertThat(ask("/home", USER, 5_555)).isEqualTo(RquotaStatus.NOQUOTA);
    assertThat(ask("/elsewhere", USER, 5_555)).isEqualTo(RquotaStatus.NOQUOTA);
    assertThat(ask("/home/../etc", USER, 5_555)).isEqualTo(RquotaStatus.NOQUOTA);
    assertThat(ask("/home/nothing/here", USER, 5_555)).isEqualTo(RquotaStatus.NOQUOTA);
    client = ClientAddress.parse("10.2.0.5");
    credential = new Credential.Sys("test", ALICE, ALICE);
    assertThat(ask("/home", USER, ALICE)).as("not its client").isEqualTo(RquotaStatus.NOQUOTA);
  }

  @Test
  void nobodySetsAnything() {
    credential = new Credential.Sys("test", 0, 0);
    for (RquotaProcedure procedure :
        List.of(RquotaProcedure.SETQUOTA, RquotaProcedure.SETACTIVEQUOTA)) {
      XdrReader in = results(2, procedure, of("/trusting", USER, ALICE));
      assertThat(in.readInt()).isEqualTo(RquotaStatus.EPERM.code());
      assertThat(in.remaining()).isZero();
    }
  }

  @Test
  void itWaitsForItsTurnAtTheTarget() {
    RpcCall call = call(2, RquotaProcedure.GETQUOTA);
    RpcProgram program = programs.get(1);
    Work work = program.inspect(call, new XdrReader(of("/home", USER, ALICE)));
    assertThat(work.operation()).isEqualTo(Operation.STATFS);
    assertThat(work.handle()).isEqualTo(home.root());
    Work refused = program.inspect(call, new XdrReader(of("/elsewhere", USER, ALICE)));
    assertThat(refused.operation()).isNull();
  }

  /** Numbers have 32 bits on the wire: they are never less than the truth by more than a block. */
  @Test
  void whateverTheNumbersTheyAreToldAsNearAsCanBe() {
    SeededCases.forAll(
        1_000,
        random -> {
          long hard = random.nextLong() >>> (1 + random.nextInt(60));
          long used = random.nextLong() >>> (1 + random.nextInt(60));
          long soft = hard / 2;
          long end = random.nextBoolean() ? 0 : random.nextLong() >>> random.nextInt(1, 60);
          home.setQuota(
              DiskQuota.Kind.USER,
              ALICE,
              new DiskQuota(soft, hard, used, soft, hard, used, end, 0));
          XdrReader in = results(1, RquotaProcedure.GETQUOTA, users("/home", ALICE));
          assertThat(in.readInt()).isEqualTo(RquotaStatus.OK.code());
          long block = in.readInt();
          assertThat(Long.bitCount(block)).isEqualTo(1);
          in.readBoolean();
          for (long bytes : new long[] {hard, soft, used}) {
            long told = Integer.toUnsignedLong(in.readInt()) * block;
            if (bytes <= 0xffff_ffffL << 30) {
              assertThat(told).isBetween(bytes, bytes + block - 1);
            } else {
              assertThat(told).isEqualTo(0xffff_ffffL << 30);
            }
          }
          for (long files : new long[] {hard, soft, used}) {
            assertThat(Integer.toUnsignedLong(in.readInt()))
                .isEqualTo(Math.min(files, 0xffff_ffffL));
          }
          int rest = in.readInt();
          assertThat(rest == 0).as("a grace that ends is never told as none").isEqualTo(end == 0);
          assertThat(rest > 0).isEqualTo(end > NOW);
        });
  }

  @Test
  void whatCannotBeReadIsRefused() {
    assertThatThrownBy(() -> ask("/home", 2, ALICE))
        .isInstanceOf(XdrException.class)
        .hasMessageContaining("not 2");
    assertThatThrownBy(() -> ask("/" + "x".repeat(1_024), USER, ALICE))
        .isInstanceOf(XdrException.class);
  }
}
