package dev.sluice.gateway.nfsacl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.core.model.ClientAddress;
import dev.sluice.core.model.Operation;
import dev.sluice.gateway.export.Export;
import dev.sluice.gateway.export.Exports;
import dev.sluice.gateway.export.Squash;
import dev.sluice.gateway.files.AttributeChange;
import dev.sluice.gateway.files.Caller;
import dev.sluice.gateway.files.FileHandle;
import dev.sluice.gateway.files.FileHandles;
import dev.sluice.gateway.files.FileNode;
import dev.sluice.gateway.files.FileTree;
import dev.sluice.gateway.files.MemoryHandles;
import dev.sluice.gateway.files.MemoryTree;
import dev.sluice.gateway.files.PosixTree;
import dev.sluice.gateway.rpc.RpcCall;
import dev.sluice.gateway.rpc.Work;
import dev.sluice.nfs.nfs3.Nfs3Sizes;
import dev.sluice.nfs.nfs3.Nfs3Status;
import dev.sluice.nfs.nfsacl.NfsAclParts;
import dev.sluice.nfs.nfsacl.NfsAclProcedure;
import dev.sluice.nfs.rpc.Credential;
import dev.sluice.nfs.xdr.XdrException;
import dev.sluice.nfs.xdr.XdrReader;
import dev.sluice.nfs.xdr.XdrWriter;
import dev.sluice.testkit.SeededCases;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Calls byte for byte, as Linux makes and reads them. */
class NfsAclProgramTest {
  private static final int OWNER = 4_001;
  private static final int FRIEND = 4_002;
  private static final int USER_OBJ = 1;
  private static final int USER = 2;
  private static final int GROUP_OBJ = 4;
  private static final int MASK = 0x10;
  private static final int OTHER = 0x20;

  @TempDir private Path temporary;
  private FileHandles handles;
  private PosixTree tree;
  private Exports exports;
  private NfsAclProgram program;
  private FileHandle file;
  private FileHandle directory;
  private int caller = OWNER;

  /** An entry on the wire. */
  private record Wire(int tag, int id, int permissions) {}

  /** What GETACL answers. */
  private record Lists(
      Nfs3Status status,
      int mask,
      int count,
      List<Wire> access,
      int defaults,
      List<Wire> byDefault) {}

  @BeforeEach
  void export() throws Exception {
    assumeTrue(PosixTree.actsAsCaller(), "only root can act as others");
    Path exported = Files.createDirectory(temporary.resolve("exported"));
    Path state = Files.createDirectory(temporary.resolve("state"));
    handles = FileHandles.inDirectory(state);
    tree = PosixTree.open(9, exported, state, 64);
    export(false);
    program = new NfsAclProgram(exports, handles);
    try (FileNode root = tree.open(tree.root())) {
      tree.setAttributes(root, mode(0777), Caller.ROOT);
      Caller owner = new Caller(OWNER, OWNER);
      file =
          tree.create(root, name("file"), new FileTree.Creation.Guarded(mode(0640)), owner)
              .handle();
      directory = tree.makeDirectory(root, name("directory"), mode(0750), owner).handle();
    }
  }

  @AfterEach
  void close() throws Exception {
    if (tree != null) {
      tree.close();
    }
  }

  private void export(boolean readOnly) {
    Export export =
        new Export("/data", tree, "disk", readOnly, Squash.of(Squash.Who.ROOT), List.of(), false);
    if (exports == null) {
      exports = new Exports(List.of(export));
    } else {
      exports.replace(List.of(export));
    }
  }

  private static AttributeChange mode(int mode) {
    return new AttributeChange(mode, null, null, null, null, null);
  }

  private static byte[] name(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static RpcCall call(NfsAclProcedure procedure, int uid) {
    return new RpcCall(
        ClientAddress.parse("10.0.0.1"),
        true,
        1,
        NfsAclProcedure.PROGRAM,
        NfsAclProcedure.VERSION,
        procedure.number(),
        new Credential.Sys("test", uid, uid));
  }

  private XdrReader results(NfsAclProcedure procedure, ByteBuffer arguments) {
    RpcCall call = call(procedure, caller);
    Work work = program.inspect(call, new XdrReader(arguments));
    ByteBuffer results = ByteBuffer.allocate(work.replyBytesMax());
    program.serve(call, work, new XdrReader(arguments), new XdrWriter(results));
    return new XdrReader(results.flip());
  }

  private Lists get(FileHandle of, int parts) {
    ByteBuffer arguments = ByteBuffer.allocate(128);
    XdrWriter out = new XdrWriter(arguments);
    handles.write(of, out);
    out.writeInt(parts);
    XdrReader in = results(NfsAclProcedure.GETACL, arguments.flip());
    Nfs3Status status = readStatus(in);
    if (status != Nfs3Status.OK) {
      assertThat(in.remaining()).isZero();
      return new Lists(status, 0, 0, List.of(), 0, List.of());
    }
    Lists lists =
        new Lists(
            status, in.readInt(), in.readInt(), readEntries(in), in.readInt(), readEntries(in));
    assertThat(in.remaining()).isZero();
    return lists;
  }

  private static Nfs3Status readStatus(XdrReader in) {
    Nfs3Status status = Nfs3Status.read(in);
    if (in.readBoolean()) {
      in.skip(Nfs3Sizes.ATTRIBUTES_BYTES);
    }
    return status;
  }

  private static List<Wire> readEntries(XdrReader in) {
    List<Wire> entries = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      entries.add(new Wire(in.readInt(), in.readInt(), in.readInt()));
    }
    return entries;
  }

  private Nfs3Status set(FileHandle of, int parts, List<Wire> access, List<Wire> byDefault) {
    XdrReader in = results(NfsAclProcedure.SETACL, setArguments(of, parts, access, byDefault));
    Nfs3Status status = readStatus(in);
    assertThat(in.remaining()).isZero();
    return status;
  }

  private ByteBuffer setArguments(
      FileHandle of, int parts, List<Wire> access, List<Wire> byDefault) {
    ByteBuffer arguments = ByteBuffer.allocate(1 << 16);
    XdrWriter out = new XdrWriter(arguments);
    handles.write(of, out);
    out.writeInt(parts);
    for (List<Wire> list : List.of(access, byDefault)) {
      out.writeInt(list.size()).writeInt(list.size());
      list.forEach(entry -> out.writeInt(entry.tag).writeInt(entry.id).writeInt(entry.permissions));
    }
    return arguments.flip();
  }

  private static List<Wire> friendMay(int permissions) {
    return List.of(
        new Wire(USER_OBJ, OWNER, 6),
        new Wire(USER, FRIEND, permissions),
        new Wire(GROUP_OBJ, OWNER, 4),
        new Wire(MASK, 0, 6),
        new Wire(OTHER, 0, 0));
  }

  @Test
  void aModeIsSentWithAMaskThatTakesNothingAway() {
    Lists lists = get(file, NfsAclParts.ALL);
    assertThat(lists.mask).isEqualTo(NfsAclParts.ALL);
    assertThat(lists.access)
        .containsExactly(
            new Wire(USER_OBJ, OWNER, 6),
            new Wire(GROUP_OBJ, OWNER, 4),
            new Wire(MASK, 0, 4),
            new Wire(OTHER, 0, 0));
    assertThat(lists.count).isEqualTo(4);
    assertThat(lists.defaults).isZero();
  }

  @Test
  void aMaskThatTakesNothingAwayIsNotTakenOver() throws Exception {
    List<Wire> asShown = get(file, NfsAclParts.ACCESS).access;
    assertThat(set(file, NfsAclParts.ACCESS, asShown, List.of())).isEqualTo(Nfs3Status.OK);
    try (FileNode node = tree.open(file)) {
      assertThat(tree.accessList(node).isLikeMode()).isTrue();
      assertThat(tree.attributes(node).mode()).isEqualTo(0640);
    }
  }

  @Test
  void listsComeBackAsTheyWereSet() {
    List<Wire> inherited =
        friendMay(7).stream().map(e -> new Wire(e.tag | 0x1000, e.id, e.permissions)).toList();

    assertThat(set(directory, NfsAclParts.ACCESS | NfsAclParts.DEFAULT, friendMay(6), inherited))
        .isEqualTo(Nfs3Status.OK);

    Lists lists = get(directory, NfsAclParts.ACCESS | NfsAclParts.DEFAULT);
    assertThat(lists.access).isEqualTo(friendMay(6));
    assertThat(lists.byDefault).isEqualTo(inherited);
    Lists counts = get(directory, NfsAclParts.ACCESS_COUNT | NfsAclParts.DEFAULT_COUNT);
    assertThat(counts.count).isEqualTo(5);
    assertThat(counts.defaults).isEqualTo(5);
    assertThat(counts.access).isEmpty();
    assertThat(counts.byDefault).isEmpty();
    assertThat(set(directory, NfsAclParts.DEFAULT, List.of(), List.of())).isEqualTo(Nfs3Status.OK);
    assertThat(get(directory, NfsAclParts.DEFAULT).byDefault).isEmpty();
    assertThat(get(directory, NfsAclParts.ACCESS).access).isEqualTo(friendMay(6));
  }

  @Test
  void itIsTheCallerWhoSetsThem() {
    for (int stranger : new int[] {FRIEND, 0}) {
      caller = stranger;
      assertThat(set(file, NfsAclParts.ACCESS, friendMay(6), List.of()))
          .as("user %d, root being nobody here", stranger)
          .isEqualTo(Nfs3Status.PERM);
    }
    assertThat(get(file, NfsAclParts.ACCESS).access).hasSize(4);
  }

  @Test
  void aReadOnlyExportShowsThemAndTakesNone() {
    export(true);
    assertThat(set(file, NfsAclParts.ACCESS, friendMay(6), List.of())).isEqualTo(Nfs3Status.ROFS);
    assertThat(get(file, NfsAclParts.ACCESS).status).isEqualTo(Nfs3Status.OK);
  }

  @Test
  void whatMakesNoSenseIsRefused() {
    assertThat(get(file, 0x10).status).isEqualTo(Nfs3Status.INVAL);
    assertThat(set(file, 0x20, List.of(), List.of())).isEqualTo(Nfs3Status.INVAL);
    assertThat(set(file, NfsAclParts.ACCESS, friendMay(6).subList(0, 3), List.of()))
        .isEqualTo(Nfs3Status.INVAL);
    List<Wire> many = new ArrayList<>(friendMay(6));
    while (many.size() <= NfsAclProcedure.ENTRIES_MAX) {
      many.add(new Wire(USER, 10_000 + many.size(), 4));
    }
    assertThatThrownBy(() -> set(file, NfsAclParts.ACCESS, many, List.of()))
        .isInstanceOf(XdrException.class)
        .hasMessageContaining("1024 entries, not 1025");
    assertThatThrownBy(() -> set(file, NfsAclParts.ACCESS, List.of(new Wire(3, 0, 7)), List.of()))
        .isInstanceOf(XdrException.class);
  }

  @Test
  void itCostsWhatAttributesCost() {
    ByteBuffer set = setArguments(file, NfsAclParts.ACCESS, friendMay(6), List.of());
    Work setting = program.inspect(call(NfsAclProcedure.SETACL, OWNER), new XdrReader(set));
    assertThat(setting.operation()).isEqualTo(Operation.SETATTR);
    assertThat(setting.replayed()).isTrue();
    Work getting = program.inspect(call(NfsAclProcedure.GETACL, OWNER), new XdrReader(set));
    assertThat(getting.operation()).isEqualTo(Operation.GETATTR);
    assertThat(getting.handle()).isEqualTo(file);
    Work nothing = program.inspect(call(NfsAclProcedure.NULL, OWNER), new XdrReader(set));
    assertThat(nothing.operation()).isNull();
  }

  @Test
  void whoIsHeldBackIsToldToComeLater() {
    ByteBuffer arguments = setArguments(file, NfsAclParts.ACCESS, friendMay(6), List.of());
    RpcCall call = call(NfsAclProcedure.SETACL, OWNER);
    Work work = program.inspect(call, new XdrReader(arguments));
    ByteBuffer results = ByteBuffer.allocate(work.replyBytesMax());
    program.postpone(call, work, new XdrWriter(results));
    assertThat(readStatus(new XdrReader(results.flip()))).isEqualTo(Nfs3Status.JUKEBOX);
  }

  /** Where the file system has no lists, what the mode says is shown, and nothing is taken. */
  @Test
  void aFileSystemWithoutListsShowsModes() {
    MemoryTree plain = new MemoryTree(3);
    MemoryHandles plainHandles = new MemoryHandles();
    NfsAclProgram over =
        new NfsAclProgram(
            new Exports(
                List.of(
                    new Export(
                        "/plain",
                        plain,
                        "disk",
                        false,
                        Squash.of(Squash.Who.NONE),
                        List.of(),
                        false))),
            plainHandles);
    for (NfsAclProcedure procedure : List.of(NfsAclProcedure.GETACL, NfsAclProcedure.SETACL)) {
      ByteBuffer arguments = ByteBuffer.allocate(256);
      XdrWriter out = new XdrWriter(arguments);
      plainHandles.write(plain.root(), out);
      out.writeInt(NfsAclParts.ACCESS).writeInt(0).writeInt(0).writeInt(0).writeInt(0);
      arguments.flip();
      RpcCall call = call(procedure, 0);
      Work work = over.inspect(call, new XdrReader(arguments));
      ByteBuffer results = ByteBuffer.allocate(work.replyBytesMax());
      over.serve(call, work, new XdrReader(arguments), new XdrWriter(results));
      assertThat(readStatus(new XdrReader(results.flip())))
          .isEqualTo(procedure == NfsAclProcedure.GETACL ? Nfs3Status.OK : Nfs3Status.NOTSUPP);
    }
  }

  /** Whatever strangers send: results that have room, or an {@link XdrException}. */
  @Test
  void noArgumentsDoHarm() {
    int[] unreadable = new int[1];
    int cases = 3_000;
    SeededCases.forAll(
        cases,
        random -> {
          ByteBuffer arguments =
              setArguments(
                  random.nextBoolean() ? file : directory,
                  random.nextInt(16),
                  friendMay(random.nextInt(8)),
                  friendMay(random.nextInt(8)));
          for (int changes = random.nextInt(4); changes > 0; changes--) {
            arguments.putInt(
                random.nextInt(arguments.limit() / 4) * 4,
                random.nextBoolean() ? random.nextInt() : random.nextInt(64));
          }
          arguments.limit(arguments.limit() - (random.nextInt(4) == 0 ? random.nextInt(64) : 0));
          NfsAclProcedure procedure =
              random.nextBoolean() ? NfsAclProcedure.GETACL : NfsAclProcedure.SETACL;
          try {
            readStatus(results(procedure, arguments));
          } catch (XdrException _) {
            unreadable[0]++;
          }
        });
    if (Long.getLong("sluice.seed") == null) {
      assertThat(unreadable[0]).isBetween(cases / 50, cases / 2);
    }
  }
}
