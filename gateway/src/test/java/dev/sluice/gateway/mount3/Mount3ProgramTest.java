package dev.sluice.gateway.mount3;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.model.ClientAddress;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Network;
import dev.sluice.gateway.export.Export;
import dev.sluice.gateway.export.Exports;
import dev.sluice.gateway.export.Squash;
import dev.sluice.gateway.files.AttributeChange;
import dev.sluice.gateway.files.Caller;
import dev.sluice.gateway.files.FileHandle;
import dev.sluice.gateway.files.FileNode;
import dev.sluice.gateway.files.FileTree;
import dev.sluice.gateway.files.MemoryHandles;
import dev.sluice.gateway.files.MemoryTree;
import dev.sluice.gateway.rpc.RpcCall;
import dev.sluice.gateway.rpc.Work;
import dev.sluice.gateway.target.Served;
import dev.sluice.nfs.nfs3.MountProcedure;
import dev.sluice.nfs.nfs3.MountStatus;
import dev.sluice.nfs.rpc.Credential;
import dev.sluice.nfs.xdr.XdrException;
import dev.sluice.nfs.xdr.XdrReader;
import dev.sluice.nfs.xdr.XdrWriter;
import dev.sluice.testkit.SeededCases;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class Mount3ProgramTest {
  private final MemoryHandles handles = new MemoryHandles();
  private final MemoryTree scratch = new MemoryTree(1);
  private final MemoryTree home = new MemoryTree(2);
  private final Exports exports =
      new Exports(
          List.of(
              export("/scratch", scratch),
              new Export(
                  "/home",
                  home,
                  "disk",
                  false,
                  Squash.of(Squash.Who.ROOT),
                  List.of(Network.parse("10.1.0.0/16"), Network.parse("fd00::/8")),
                  true)));
  private final Mount3Program program = new Mount3Program(exports, handles);
  private ClientAddress client = ClientAddress.parse("10.1.2.3");
  private boolean privilegedPort = true;

  private static Export export(String path, FileTree tree) {
    return new Export(path, tree, "disk", false, Squash.of(Squash.Who.ROOT), List.of(), false);
  }

  @BeforeEach
  void makeDirectories() throws Exception {
    try (FileNode root = scratch.open(scratch.root())) {
      FileTree.Child sub =
          scratch.makeDirectory(root, name("sub"), AttributeChange.NOTHING, Caller.ROOT);
      try (FileNode below = scratch.open(sub.handle())) {
        scratch.makeDirectory(below, name("dir"), AttributeChange.NOTHING, Caller.ROOT);
      }
      scratch.create(
          root, name("file"), new FileTree.Creation.Guarded(AttributeChange.NOTHING), Caller.ROOT);
    }
  }

  private static byte[] name(String text) {
    return text.getBytes(UTF_8);
  }

  private XdrReader call(MountProcedure procedure, ByteBuffer arguments) {
    RpcCall call =
        new RpcCall(
            client,
            privilegedPort,
            1,
            MountProcedure.PROGRAM,
            MountProcedure.VERSION,
            procedure.number(),
            Credential.NONE);
    Work work = program.inspect(call, new XdrReader(arguments));
    assertThat(work.operation()).as("served at once").isNull();
    ByteBuffer results = ByteBuffer.allocate(work.replyBytesMax());
    assertThat(program.serve(call, work, new XdrReader(arguments), new XdrWriter(results)))
        .isEqualTo(Served.ONE);
    return new XdrReader(results.flip());
  }

  private XdrReader call(MountProcedure procedure, String path) {
    ByteBuffer arguments = ByteBuffer.allocate(8 + 4 * path.length());
    new XdrWriter(arguments).writeOpaque(name(path));
    return call(procedure, arguments.flip());
  }

  /** The handle that a path gives; null after a refusal with this status. */
  private @Nullable FileHandle mount(String path, MountStatus expected) {
    XdrReader results = call(MountProcedure.MNT, path);
    assertThat(results.readInt()).as(path).isEqualTo(expected.code());
    FileHandle handle = null;
    if (expected == MountStatus.OK) {
      handle = Objects.requireNonNull(handles.read(results));
      assertThat(results.readInt()).as("flavors").isEqualTo(2);
      assertThat(results.readInt()).as("AUTH_SYS").isEqualTo(1);
      assertThat(results.readInt()).as("AUTH_NONE").isEqualTo(0);
    }
    assertThat(results.remaining()).isZero();
    return handle;
  }

  private FileHandle mounted(String path) {
    return Objects.requireNonNull(mount(path, MountStatus.OK));
  }

  private List<String> dump() {
    XdrReader results = call(MountProcedure.DUMP, ByteBuffer.allocate(0));
    List<String> mounts = new ArrayList<>();
    while (results.readBoolean()) {
      mounts.add(
          new String(results.readOpaque(255), UTF_8)
              + ":"
              + new String(results.readOpaque(1_024), UTF_8));
    }
    assertThat(results.remaining()).isZero();
    return mounts;
  }

  private List<String> exportList() {
    XdrReader results = call(MountProcedure.EXPORT, ByteBuffer.allocate(0));
    List<String> list = new ArrayList<>();
    while (results.readBoolean()) {
      StringBuilder line = new StringBuilder(new String(results.readOpaque(1_024), UTF_8));
      while (results.readBoolean()) {
        line.append(' ').append(new String(results.readOpaque(255), UTF_8));
      }
      list.add(line.toString());
    }
    assertThat(results.remaining()).isZero();
    return list;
  }

  @Test
  void pathsGiveHandles() throws Exception {
    assertThat(mounted("/scratch")).isEqualTo(scratch.root());
    assertThat(mounted("//scratch/./")).isEqualTo(scratch.root());
    assertThat(mounted("/home")).isEqualTo(home.root());
    assertThat(mounted("/scratch/sub/dir")).isEqualTo(scratch.directory("sub/dir"));
    assertThat(mounted("/scratch").claimedJob()).isNull();
  }

  @Test
  void claimsGoIntoTheHandle() {
    FileHandle handle = mounted("/@4711/scratch/sub");

    assertThat(handle.claimedJob()).isEqualTo(JobId.of("4711"));
    assertThat(handle.exportId()).isEqualTo(1);
    String longest = "x".repeat(MemoryHandles.CLAIM_BYTES_MAX);
    assertThat(mounted("/@" + longest + "/scratch").claimedJob()).isEqualTo(JobId.of(longest));
    mount("/@" + longest + "x/scratch", MountStatus.ACCES);
    mount("/@/scratch", MountStatus.ACCES);
    mount("/@a\nb/scratch", MountStatus.ACCES);
    mount("/@" + "x".repeat(256) + "/scratch", MountStatus.ACCES);
  }

  @Test
  void whatCannotBeMountedIsRefused() {
    mount("/other", MountStatus.NOENT);
    mount("/scratch/none", MountStatus.NOENT);
    mount("/scratch/file", MountStatus.NOTDIR);
    mount("/scratch/../home", MountStatus.ACCES);
    mount("scratch", MountStatus.ACCES);
    mount("", MountStatus.ACCES);
    assertThat(dump()).isEmpty();
    assertThatThrownBy(() -> call(MountProcedure.MNT, "/" + "x".repeat(1_024)))
        .isInstanceOf(XdrException.class);
  }

  @Test
  void clientsMountWhatIsExportedToThem() {
    privilegedPort = false;
    mount("/home", MountStatus.ACCES);
    mount("/scratch", MountStatus.OK);
    privilegedPort = true;
    client = ClientAddress.parse("10.2.0.1");
    mount("/home", MountStatus.ACCES);
    client = ClientAddress.parse("fd00::7");
    mount("/home", MountStatus.OK);
  }

  @Test
  void mountsAreListedUntilTheyEnd() {
    mounted("/scratch");
    mounted("/@4711/scratch");
    mounted("/scratch");
    client = ClientAddress.parse("10.1.2.4");
    mounted("/scratch");

    assertThat(dump())
        .containsExactlyInAnyOrder(
            "10.1.2.3:/scratch", "10.1.2.3:/@4711/scratch", "10.1.2.4:/scratch");
    assertThat(call(MountProcedure.UMNT, "/scratch").remaining()).isZero();
    assertThat(dump()).containsExactlyInAnyOrder("10.1.2.3:/scratch", "10.1.2.3:/@4711/scratch");
    client = ClientAddress.parse("10.1.2.3");
    assertThat(call(MountProcedure.UMNTALL, ByteBuffer.allocate(0)).remaining()).isZero();
    assertThat(dump()).isEmpty();
  }

  @Test
  void mountsThatAreRememberedAreBounded() {
    for (int i = 0; i <= Mount3Program.MOUNTS_MAX; i++) {
      client = new ClientAddress(1, i);
      mounted("/scratch" + "/".repeat(900));
    }

    assertThat(dump()).hasSizeBetween(50, Mount3Program.MOUNTS_MAX);
    MountTable table = new MountTable(2);
    IntStream.range(0, 5).forEach(i -> table.add(new ClientAddress(0, i), "/"));
    assertThat(table.entries()).extracting(entry -> entry.client().low()).containsExactly(3L, 4L);
  }

  @Test
  void exportsAreListedWithTheirClients() {
    assertThat(exportList()).containsExactly("/home 10.1.0.0/16 fd00:0:0:0:0:0:0:0/8", "/scratch");
    List<Network> many =
        IntStream.range(0, 10_000)
            .mapToObj(i -> new Network(new ClientAddress(1, i), 128))
            .toList();
    exports.replace(
        List.of(
            new Export("/big", home, "disk", false, Squash.of(Squash.Who.ROOT), many, false),
            export("/scratch", scratch)));
    assertThat(exportList())
        .as("the one that does not fit is left out")
        .containsExactly("/scratch");
  }

  @Test
  void nullDoesNothing() {
    assertThat(call(MountProcedure.NULL, ByteBuffer.allocate(0)).remaining()).isZero();
    assertThat(program.hasProcedure(5)).isTrue();
    assertThat(program.hasProcedure(6)).isFalse();
    assertThat(program.hasProcedure(-1)).isFalse();
  }

  /** Whatever comes, there is an answer that fits or the arguments are unreadable. */
  @Test
  void noArgumentsDoHarm() {
    MountProcedure[] procedures = MountProcedure.values();
    SeededCases.forAll(
        10_000,
        random -> {
          byte[] bytes = new byte[random.nextInt(64)];
          random.nextBytes(bytes);
          if (bytes.length >= 12 && random.nextBoolean()) {
            ByteBuffer.wrap(bytes).putInt(random.nextInt(bytes.length)).put(name("/scratch"));
          }
          try {
            call(procedures[random.nextInt(procedures.length)], ByteBuffer.wrap(bytes));
          } catch (XdrException _) {
            assertThat(scratch.openNodes()).isZero();
          }
        });
  }
}
