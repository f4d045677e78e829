package dev.sluice.gateway.nfs3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.gateway.files.AttributeChange;
import dev.sluice.gateway.files.AttributeChange.TimeChange;
import dev.sluice.gateway.files.FileType;
import dev.sluice.gateway.files.Timestamp;
import dev.sluice.gateway.nfs3.Nfs3Caller.Change;
import dev.sluice.nfs.nfs3.CreateMode;
import dev.sluice.nfs.nfs3.StableHow;
import dev.sluice.nfs.nfs3.TimeHow;
import dev.sluice.nfs.xdr.XdrException;
import dev.sluice.nfs.xdr.XdrReader;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ArgumentsTest {
  private static <T> T read(int number, Function<XdrReader, T> reader) {
    return reader.apply(new XdrReader(Nfs3Caller.arguments(out -> out.writeInt(number))));
  }

  private static XdrReader wire(Change change) {
    return new XdrReader(Nfs3Caller.arguments(change::write));
  }

  @Test
  void everyFileTypeIsReadFromItsNumber() {
    for (FileType type : FileType.values()) {
      assertThat(read(type.code(), Arguments::readType)).isEqualTo(type);
    }
    for (CreateMode mode : CreateMode.values()) {
      assertThat(read(mode.code(), CreateMode::read)).isEqualTo(mode);
    }
    for (TimeHow how : TimeHow.values()) {
      assertThat(read(how.code(), TimeHow::read)).isEqualTo(how);
    }
    for (StableHow stable : StableHow.values()) {
      assertThat(read(stable.code(), StableHow::read)).isEqualTo(stable);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 8, Integer.MIN_VALUE, Integer.MAX_VALUE})
  void numbersWithoutAMeaningAreUnreadable(int number) {
    assertThatThrownBy(() -> read(number, Arguments::readType))
        .isInstanceOf(XdrException.class)
        .hasMessage("expected an ftype3 of 1 to 7, not " + number);
    assertThatThrownBy(() -> read(number, CreateMode::read)).isInstanceOf(XdrException.class);
    assertThatThrownBy(() -> read(number, TimeHow::read)).isInstanceOf(XdrException.class);
    assertThatThrownBy(() -> read(number, StableHow::read)).isInstanceOf(XdrException.class);
  }

  @Test
  void changesAreReadWithWhatIsSetAndNothingElse() {
    assertThat(Arguments.readChange(wire(new Change()))).isEqualTo(AttributeChange.NOTHING);
    Change all =
        new Change()
            .mode(0104755)
            .uid(7)
            .size(1L << 40)
            .accessed(TimeHow.SET_TO_SERVER_TIME, 0, 0)
            .modified(TimeHow.SET_TO_CLIENT_TIME, -1, 5);

    assertThat(Arguments.readChange(wire(all)))
        .isEqualTo(
            new AttributeChange(
                04755,
                7,
                null,
                1L << 40,
                new TimeChange.Now(),
                new TimeChange.To(new Timestamp(4_294_967_295L, 5))));
    assertThat(Arguments.setsSize(wire(all))).isTrue();
    assertThat(Arguments.setsSize(wire(new Change().mode(1).uid(1)))).isFalse();
  }
}
