package dev.sluice.gateway.nfs3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.model.ClientAddress;
import dev.sluice.core.model.Network;
import dev.sluice.core.model.Operation;
import dev.sluice.gateway.export.Export;
import dev.sluice.gateway.export.Squash;
import dev.sluice.gateway.files.Caller;
import dev.sluice.gateway.files.FileException;
import dev.sluice.gateway.nfs3.Nfs3Caller.Change;
import dev.sluice.gateway.rpc.Work;
import dev.sluice.nfs.nfs3.AccessRights;
import dev.sluice.nfs.nfs3.CreateMode;
import dev.sluice.nfs.nfs3.Nfs3Procedure;
import dev.sluice.nfs.nfs3.Nfs3Status;
import dev.sluice.nfs.rpc.Credential;
import dev.sluice.nfs.xdr.XdrException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What holds for calls of every procedure: what they are for, and who may make them. */
abstract class Nfs3CallsContract extends Nfs3Fixture {
  @Test
  void nullDoesNothing() {
    ByteBuffer nothing = ByteBuffer.allocate(0);
    Work work = nfs.inspect(Nfs3Procedure.NULL, nothing);

    assertThat(work).isEqualTo(new Work(null, null, 0, 0, false));
    assertOk(nfs.serve(Nfs3Procedure.NULL, work, nothing));
  }

  @Test
  void inspectTellsWhatACallIsFor() {
    for (Nfs3Procedure procedure : Nfs3Procedure.values()) {
      Work work = nfs.inspect(procedure, Nfs3Caller.anyArguments(procedure, root));
      assertThat(work.operation()).isEqualTo(procedure.operation());
      assertThat(work.replayed()).isEqualTo(procedure.isReplayedFromMemory());
      if (procedure != Nfs3Procedure.NULL) {
        assertThat(work.handle()).isEqualTo(tree.root());
      }
    }
    Change truncation = new Change().mode(0).uid(1).size(3);
    assertThat(
            nfs.inspect(
                    Nfs3Procedure.SETATTR,
                    out -> Nfs3Caller.setattrArguments(root, truncation, null, out))
                .operation())
        .isEqualTo(Operation.TRUNCATE);
    assertThat(
            nfs.inspect(
                    Nfs3Procedure.READ, out -> out.writeOpaque(root).writeLong(0).writeInt(4_097))
                .bytes())
        .isEqualTo(4_097);
    for (int count : new int[] {1 << 20, (1 << 20) + 1, Integer.MAX_VALUE, -1}) {
      for (Nfs3Procedure procedure : List.of(Nfs3Procedure.READ, Nfs3Procedure.WRITE)) {
        Work work =
            nfs.inspect(procedure, out -> out.writeOpaque(root).writeLong(0).writeInt(count));
        assertThat(work.bytes()).isEqualTo(1 << 20);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NULL")
  void handlesThatAreNotOursAreBad(Nfs3Procedure procedure) {
    byte[] forged = root.clone();
    forged[forged.length - 1] ^= 1;

    for (byte[] handle : List.of(forged, new byte[0], new byte[64])) {
      ByteBuffer arguments = Nfs3Caller.anyArguments(procedure, handle);
      Work work = nfs.inspect(procedure, arguments);
      assertThat(work.handle()).isNull();
      assertThat(work.operation()).isNull();
      assertRefused(nfs.serve(procedure, work, arguments), Nfs3Status.BADHANDLE);
    }
    assertThatThrownBy(() -> nfs.call(procedure, Nfs3Caller.anyArguments(procedure, new byte[65])))
        .isInstanceOf(XdrException.class);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NULL")
  void handlesOfFilesOrExportsThatAreGoneAreStale(Nfs3Procedure procedure) {
    byte[] file = newFile("file", new byte[0]);
    assertOk(nfs.remove(root, "file"));

    assertRefused(nfs.call(procedure, Nfs3Caller.anyArguments(procedure, file)), Nfs3Status.STALE);
    exports.replace(List.of());
    assertRefused(nfs.call(procedure, Nfs3Caller.anyArguments(procedure, root)), Nfs3Status.STALE);
  }

  /** Whoever once got a handle has no right to use it from elsewhere. */
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NULL")
  void clientsAreCheckedWithEveryCall(Nfs3Procedure procedure) {
    exports.replace(
        List.of(
            new Export(
                "/data",
                tree,
                "disk",
                false,
                Squash.of(Squash.Who.NONE),
                List.of(Network.parse("10.0.0.0/24"), Network.parse("fd00::/8")),
                false)));

    nfs.client = ClientAddress.parse("10.0.1.1");
    ByteBuffer arguments = Nfs3Caller.anyArguments(procedure, root);
    Work work = nfs.inspect(procedure, arguments);
    assertThat(work.operation()).as("it waits in no queue").isNull();
    assertRefused(nfs.serve(procedure, work, arguments), Nfs3Status.ACCES);
    // Let in between the look and the serving: there is no room for more than a refusal by then.
    exports.replace(List.of(export("/data", tree)));
    assertRefused(
        nfs.serve(procedure, work, Nfs3Caller.anyArguments(procedure, root)), Nfs3Status.ACCES);
    nfs.client = ClientAddress.parse("fd00::1");
    assertThat(nfs.call(procedure, Nfs3Caller.anyArguments(procedure, root)).status)
        .isNotEqualTo(Nfs3Status.ACCES);
  }

  @Test
  void aPrivilegedPortIsRequiredWhereTheExportSaysSo() {
    exports.replace(
        List.of(
            new Export("/data", tree, "disk", false, Squash.of(Squash.Who.NONE), List.of(), true)));

    assertRefused(nfs.getattr(root), Nfs3Status.ACCES);
    nfs.privilegedPort = true;
    assertOk(nfs.getattr(root));
  }

  @ParameterizedTest
  @EnumSource(
      names = {
        "SETATTR", "WRITE", "CREATE", "MKDIR", "SYMLINK", "MKNOD", "REMOVE", "RMDIR", "RENAME",
        "LINK"
      })
  void readOnlyExportsRefuseChanges(Nfs3Procedure procedure) {
    exportReadOnly();

    assertRefused(nfs.call(procedure, Nfs3Caller.anyArguments(procedure, root)), Nfs3Status.ROFS);
  }

  @Test
  void readOnlyExportsAreRead() {
    byte[] file = newFile("file", pattern(9));
    exportReadOnly();

    assertThat(nfs.read(file, 0, 100).data).isEqualTo(pattern(9));
    assertOk(nfs.lookup(root, "file"));
    assertOk(nfs.commit(file));
  }

  @Test
  void squashedCallersAreNobody() {
    for (Squash.Who who : List.of(Squash.Who.ROOT, Squash.Who.ALL)) {
      exports.replace(
          List.of(new Export("/data", tree, "disk", false, Squash.of(who), List.of(), false)));
      Reply made = nfs.create(root, "by " + who, CreateMode.GUARDED, new Change());
      assertThat(present(made.object).uid()).isEqualTo(Squash.NOBODY);
    }
  }

  /** A call has room for sixteen groups, users are in more. */
  @Test
  void groupsAreLookedUpWhereTheExportSaysSo() {
    byte[] file = newFile("file", pattern(9));
    int seventeenth = 1_017;
    assertOk(nfs.setattr(file, new Change().mode(0640).gid(seventeenth), null));
    nfs.credential = new Credential.Sys("test", USER, USER, 7);
    assertRefused(nfs.read(file, 0, 100), Nfs3Status.ACCES);

    AtomicBoolean isKnown = new AtomicBoolean();
    Squash squash =
        new Squash(
            Squash.Who.ROOT,
            new Caller(Squash.NOBODY, Squash.NOBODY),
            _ -> {
              if (!isKnown.get()) {
                throw new FileException(Nfs3Status.JUKEBOX, "not yet");
              }
              return IntStream.rangeClosed(1_001, 1_040).toArray();
            });
    exports.replace(List.of(new Export("/data", tree, "disk", false, squash, List.of(), false)));
    assertRefused(nfs.read(file, 0, 100), Nfs3Status.JUKEBOX);
    assertRefused(nfs.remove(root, "file"), Nfs3Status.JUKEBOX);
    assertRefused(nfs.readdirplus(root, 0, 4_096, 4_096), Nfs3Status.JUKEBOX);
    isKnown.set(true);
    assertThat(nfs.read(file, 0, 100).data).isEqualTo(pattern(9));
    assertThat(nfs.access(file, AccessRights.ALL).access).isEqualTo(AccessRights.READ);
  }
}
