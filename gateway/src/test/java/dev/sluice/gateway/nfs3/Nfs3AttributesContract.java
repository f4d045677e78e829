package dev.sluice.gateway.nfs3;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.gateway.files.TransferSize;
import dev.sluice.gateway.nfs3.Nfs3Caller.Change;
import dev.sluice.nfs.nfs3.AccessRights;
import dev.sluice.nfs.nfs3.Nfs3Procedure;
import dev.sluice.nfs.nfs3.Nfs3Status;
import dev.sluice.nfs.nfs3.TimeHow;
import dev.sluice.nfs.rpc.Credential;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What files are, and who may do what to them. */
abstract class Nfs3AttributesContract extends Nfs3Fixture {
  @Test
  void getattrTellsWhatAFileIs() {
    byte[] file = newFile("file", pattern(100));

    Reply.Fattr attributes = present(nfs.getattr(file).object);
    assertThat(attributes.type()).isEqualTo(1);
    assertThat(attributes.mode()).isEqualTo(0644);
    assertThat(attributes.links()).isEqualTo(1);
    assertThat(attributes.uid()).isZero();
    assertThat(attributes.size()).isEqualTo(100);
    assertThat(present(nfs.getattr(root).object).type()).isEqualTo(2);
  }

  @Test
  void setattrSetsModeSizeAndTimes() {
    byte[] file = newFile("file", pattern(100));
    Change change =
        new Change().mode(0100600).size(40).modified(TimeHow.SET_TO_CLIENT_TIME, -2, 999_999_999);

    Reply.Fattr attributes = present(nfs.setattr(file, change, null).object);
    assertThat(attributes.mode()).isEqualTo(0600);
    assertThat(attributes.size()).isEqualTo(40);
    assertThat(attributes.modified()).isEqualTo(new Reply.Time(-2, 999_999_999));

    Reply touched =
        nfs.setattr(
            file,
            new Change()
                .accessed(TimeHow.SET_TO_SERVER_TIME, 0, 0)
                .modified(TimeHow.SET_TO_SERVER_TIME, 0, 0),
            null);
    assertThat(present(touched.object).modified()).isNotEqualTo(attributes.modified());
  }

  @Test
  void setattrRefusesWhatNoFileCanHave() {
    byte[] file = newFile("file", pattern(10));

    assertRefused(nfs.setattr(file, new Change().size(-1), null), Nfs3Status.FBIG);
    assertRefused(nfs.setattr(file, new Change().uid(-1), null), Nfs3Status.INVAL);
    Change time = new Change().accessed(TimeHow.SET_TO_CLIENT_TIME, 1, 1_000_000_000);
    assertRefused(nfs.setattr(file, time, null), Nfs3Status.INVAL);
    assertThat(present(nfs.getattr(file).object).size()).isEqualTo(10);
  }

  @Test
  void setattrIsGuardedByTheTimeOfTheLastChange() {
    byte[] file = newFile("file", pattern(10));
    Reply.Time changed = present(nfs.getattr(file).object).changed();
    Reply.Time other = new Reply.Time(changed.seconds(), (changed.nanos() + 1) % 1_000_000_000);

    Reply refused = nfs.setattr(file, new Change().size(5), other);
    assertRefused(refused, Nfs3Status.NOT_SYNC);
    assertThat(present(refused.object).size()).isEqualTo(10);
    Reply done = nfs.setattr(file, new Change().size(5), changed);
    assertOk(done);
    assertThat(present(done.object).size()).isEqualTo(5);
  }

  @Test
  void accessAsksAsTheCaller() {
    byte[] file = newFile("file", new byte[0]);
    assertOk(nfs.setattr(file, new Change().mode(0640), null));

    assertThat(nfs.access(file, 0xffff_ffff).access)
        .isEqualTo(AccessRights.READ | AccessRights.MODIFY | AccessRights.EXTEND);
    nfs.credential = new Credential.Sys("test", USER, USER);
    Reply asOther = nfs.access(file, AccessRights.ALL);
    assertOk(asOther);
    assertThat(asOther.access).isZero();
    assertThat(asOther.object).isNotNull();
    nfs.credential = new Credential.Sys("test", USER, USER, 7, 0);
    assertThat(nfs.access(file, AccessRights.ALL).access).isEqualTo(AccessRights.READ);
    assertThat(nfs.access(root, AccessRights.LOOKUP | AccessRights.DELETE).access)
        .isEqualTo(AccessRights.LOOKUP | AccessRights.DELETE);
  }

  @Test
  void accessOfReadOnlyExportsHasNothingThatChanges() {
    byte[] file = newFile("file", new byte[0]);
    exportReadOnly();

    assertThat(nfs.access(file, AccessRights.ALL).access).isEqualTo(AccessRights.READ);
    assertThat(nfs.access(root, AccessRights.ALL).access)
        .isEqualTo(AccessRights.READ | AccessRights.LOOKUP);
  }

  /** Where more is moved for who asks, the usual is still what clients are advised to ask for. */
  @ParameterizedTest
  @CsvSource({"65536, 65536", "1048576, 1048576", "2097152, 1048576", "4194304, 1048576"})
  void whoAsksMayMoveMoreThanIsUsual(int most, int preferred) {
    nfs = new Nfs3Caller(new Nfs3Program(exports, handles, new TransferSize(most)), handles);
    assertThat(nfs.onFile(Nfs3Procedure.FSINFO, root).numbers.subList(0, 6))
        .containsExactly(
            (long) most, (long) preferred, 4_096L, (long) most, (long) preferred, 4_096L);
  }

  @Test
  void fileSystemProceduresTellWhatThereIs() {
    Reply space = nfs.onFile(Nfs3Procedure.FSSTAT, root);
    assertOk(space);
    assertThat(space.object).isNotNull();
    assertThat(space.numbers.get(0)).isPositive().isGreaterThanOrEqualTo(space.numbers.get(1));
    assertThat(space.numbers.get(1)).isGreaterThanOrEqualTo(space.numbers.get(2));

    Reply information = nfs.onFile(Nfs3Procedure.FSINFO, root);
    assertThat(information.object).isNotNull();
    long mebibyte = 1 << 20;
    assertThat(information.numbers)
        .containsExactly(
            mebibyte,
            mebibyte,
            4_096L,
            mebibyte,
            mebibyte,
            4_096L,
            65_536L,
            Long.MAX_VALUE,
            0L,
            1L,
            0x1bL);

    Reply configuration = nfs.onFile(Nfs3Procedure.PATHCONF, root);
    assertThat(configuration.numbers.get(0)).isPositive();
    assertThat(configuration.numbers.subList(1, 6)).containsExactly(255L, 1L, 1L, 0L, 1L);
  }
}
