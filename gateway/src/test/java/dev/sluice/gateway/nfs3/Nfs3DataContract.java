package dev.sluice.gateway.nfs3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.gateway.nfs3.Nfs3Caller.Change;
import dev.sluice.nfs.nfs3.Nfs3Procedure;
import dev.sluice.nfs.nfs3.Nfs3Status;
import dev.sluice.nfs.nfs3.StableHow;
import dev.sluice.nfs.rpc.Credential;
import dev.sluice.nfs.xdr.XdrException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How data is read and written. */
abstract class Nfs3DataContract extends Nfs3Fixture {
  @Test
  void readTellsWhereAFileEnds() {
    byte[] content = pattern(10_001);
    byte[] file = newFile("file", content);

    assertRead(nfs.read(file, 0, 10_000), Arrays.copyOf(content, 10_000), false);
    assertRead(nfs.read(file, 0, 10_001), content, true);
    assertRead(nfs.read(file, 0, 20_000), content, true);
    assertRead(nfs.read(file, 9_999, 1), new byte[] {content[9_999]}, false);
    assertRead(nfs.read(file, 10_000, 1), new byte[] {content[10_000]}, true);
    assertRead(nfs.read(file, 10_001, 1), new byte[0], true);
    assertRead(nfs.read(file, 10_002, 1), new byte[0], true);
    assertRead(nfs.read(file, Long.MAX_VALUE, 100), new byte[0], true);
    assertRead(nfs.read(file, -1, 100), new byte[0], true);
    assertRead(nfs.read(file, 0, 0), new byte[0], false);
    assertRead(nfs.read(file, 10_001, 0), new byte[0], true);
    assertRead(nfs.read(newFile("empty", new byte[0]), 0, 100), new byte[0], true);
  }

  private static void assertRead(Reply reply, byte[] data, boolean eof) {
    assertOk(reply);
    assertThat(reply.data).isEqualTo(data);
    assertThat(reply.eof).isEqualTo(eof);
    assertThat(reply.object).isNotNull();
  }

  @Test
  void readMovesAMebibyteAtMost() {
    byte[] file = newFile("file", new byte[0]);
    byte[] content = pattern(1 << 20);
    assertOk(nfs.write(file, 0, StableHow.UNSTABLE, content));
    assertOk(nfs.write(file, 1 << 20, StableHow.UNSTABLE, content));

    assertRead(nfs.read(file, 0, 0xffff_ffff), content, false);
    assertRead(nfs.read(file, 1 << 20, 3 << 20), content, true);
  }

  @Test
  void readRefusesWhoMayNot() {
    byte[] file = newFile("file", pattern(10));
    assertOk(nfs.setattr(file, new Change().mode(0600), null));
    nfs.credential = new Credential.Sys("test", USER, USER);

    Reply refused = nfs.read(file, 0, 10);
    assertRefused(refused, Nfs3Status.ACCES);
    assertThat(refused.object).isNotNull();
    assertThat(nfs.read(root, 0, 10).status).isIn(Nfs3Status.INVAL, Nfs3Status.ISDIR);
  }

  @ParameterizedTest
  @EnumSource
  void writeIsAsStableAsAsked(StableHow stable) {
    byte[] file = newFile("file", new byte[0]);
    byte[] content = pattern(1_001);

    Reply written = nfs.write(file, 7, stable, content);
    assertOk(written);
    assertThat(written.count).isEqualTo(1_001);
    assertThat(written.committed).isEqualTo(stable);
    assertThat(written.verifier).isEqualTo(tree.writeVerifier());
    assertThat(present(written.object).size()).isEqualTo(1_008);
    byte[] read = nfs.read(file, 0, 2_000).data;
    assertThat(Arrays.copyOf(read, 7)).isEqualTo(new byte[7]);
    assertThat(Arrays.copyOfRange(read, 7, read.length)).isEqualTo(content);
    Reply committed = nfs.commit(file);
    assertOk(committed);
    assertThat(committed.verifier).isEqualTo(written.verifier);
    assertThat(present(committed.object).size()).isEqualTo(1_008);
  }

  @Test
  void writeOfNothingChangesNothing() {
    byte[] file = newFile("file", pattern(3));

    Reply written = nfs.write(file, 1_000, StableHow.FILE_SYNC, new byte[0]);
    assertOk(written);
    assertThat(written.count).isZero();
    assertThat(present(written.object).size()).isEqualTo(3);
  }

  @Test
  void writeTakesAMebibyteAndLeavesTheRestToAnotherCall() {
    byte[] file = newFile("file", new byte[0]);
    byte[] content = pattern((1 << 20) + 3);

    Reply written = nfs.write(file, 0, StableHow.UNSTABLE, content);
    assertThat(written.count).isEqualTo(1 << 20);
    assertThat(present(written.object).size()).isEqualTo(1 << 20);
  }

  @Test
  void writeRefusesWhatCannotBe() {
    byte[] file = newFile("file", pattern(3));

    assertRefused(nfs.write(file, -1, StableHow.UNSTABLE, pattern(1)), Nfs3Status.FBIG);
    assertRefused(nfs.write(file, Long.MAX_VALUE, StableHow.UNSTABLE, pattern(1)), Nfs3Status.FBIG);
    assertThat(nfs.write(root, 0, StableHow.UNSTABLE, pattern(1)).status)
        .isIn(Nfs3Status.INVAL, Nfs3Status.ISDIR);
    nfs.credential = new Credential.Sys("test", USER, USER);
    Reply refused = nfs.write(file, 0, StableHow.UNSTABLE, pattern(1));
    assertRefused(refused, Nfs3Status.ACCES);
    assertThat(present(refused.object).size()).isEqualTo(3);
  }

  @Test
  void writeWhoseCountIsNotThatOfItsDataIsUnreadable() {
    byte[] file = newFile("file", pattern(3));
    ByteBuffer arguments =
        Nfs3Caller.arguments(out ->
            out.writeOpaque(file).writeLong(0).writeInt(9).writeInt(0).writeOpaque(new byte[8]));

    assertThatThrownBy(() -> nfs.call(Nfs3Procedure.WRITE, arguments))
        .isInstanceOf(XdrException.class)
        .hasMessageContaining("expected 9 bytes");
    assertThat(nfs.read(file, 0, 10).data).isEqualTo(pattern(3));
  }
}
