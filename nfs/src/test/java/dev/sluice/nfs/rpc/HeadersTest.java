package dev.sluice.nfs.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.nfs.xdr.XdrException;
import dev.sluice.nfs.xdr.XdrReader;
import dev.sluice.nfs.xdr.XdrWriter;
import dev.sluice.testkit.SeededCases;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class HeadersTest {
  @Test
  void whatIsWrittenIsReadAgain() {
    CredentialReader credentials = new CredentialReader();
    SeededCases.forAll(
        2_000,
        random -> {
          CallHeader call =
              new CallHeader(
                  random.nextInt(),
                  random.nextInt(),
                  random.nextInt(),
                  random.nextInt(),
                  credential(random));
          ByteBuffer bytes = ByteBuffer.allocate(CallHeader.BYTES_MAX + 4);
          XdrWriter out = new XdrWriter(bytes);
          call.encode(out);
          out.writeInt(4711);
          XdrReader in = new XdrReader(bytes.flip());
          assertThat(CallHeader.decode(in, credentials)).isEqualTo(call);
          assertThat(in.readInt()).as("the arguments are next").isEqualTo(4711);
        });
  }

  private static Credential credential(RandomGenerator random) {
    if (random.nextInt(4) == 0) {
      return Credential.NONE;
    }
    // Few of each, so that a call often comes from the same user as the one before.
    int groupCount = random.nextInt(3) == 0 ? random.nextInt(17) : 2;
    int[] groups = random.ints(groupCount, 0, 3).toArray();
    return new Credential.Sys(
        "node".repeat(random.nextInt(3)), random.nextInt(2), random.nextInt(2), groups);
  }

  @Test
  void theSameCredentialIsTheSameObjectAndAnotherIsNot() {
    CredentialReader credentials = new CredentialReader();
    Credential first = readBack(credentials, new Credential.Sys("node", 1, 2, 3, 4));
    Credential again = readBack(credentials, new Credential.Sys("node", 1, 2, 3, 4));
    Credential other = readBack(credentials, new Credential.Sys("node", 1, 2, 3, 5));
    assertThat(again).isSameAs(first);
    assertThat(other).isNotEqualTo(first);
  }

  private static Credential readBack(CredentialReader credentials, Credential credential) {
    ByteBuffer bytes = ByteBuffer.allocate(CallHeader.BYTES_MAX);
    CredentialWriter.write(credential, new XdrWriter(bytes));
    return credentials.read(new XdrReader(bytes.flip()));
  }

  @Test
  void everyReplyIsReadAgain() {
    for (ReplyHeader reply :
        List.of(
            new ReplyHeader.Success(1),
            new ReplyHeader.ProgramUnavailable(-2),
            new ReplyHeader.ProgramMismatch(3, 3, 4),
            new ReplyHeader.ProcedureUnavailable(4),
            new ReplyHeader.GarbageArguments(5),
            new ReplyHeader.SystemError(6),
            new ReplyHeader.RpcMismatch(7, 2, 2),
            new ReplyHeader.AuthenticationError(8, 5))) {
      ByteBuffer bytes = ByteBuffer.allocate(ReplyHeader.BYTES_MAX);
      reply.encode(new XdrWriter(bytes));
      XdrReader in = new XdrReader(bytes.flip());
      assertThat(ReplyHeader.decode(in)).isEqualTo(reply);
      assertThat(in.remaining()).isZero();
    }
  }

  @Test
  void aCallOfAnotherRpcVersionIsToldTheOneThatIsSpoken() {
    XdrReader in = reader(9, 0, 3);
    assertThat(CallHeader.decode(in, new CredentialReader()))
        .isEqualTo(new DecodedCall.Refused(new ReplyHeader.RpcMismatch(9, 2, 2)));
  }

  @Test
  void aCredentialThatIsNotSpokenHereIsRefused() {
    DecodedCall.Refused refused =
        new DecodedCall.Refused(new ReplyHeader.AuthenticationError(9, ReplyHeader.BAD_CREDENTIAL));
    int kerberos = 6;
    assertThat(
            CallHeader.decode(reader(9, 0, 2, 1, 1, 1, kerberos, 0, 0, 0), new CredentialReader()))
        .isEqualTo(refused);
    assertThat(CallHeader.decode(reader(9, 0, 2, 1, 1, 1, 1, 4, 0, 0, 0), new CredentialReader()))
        .as("AUTH_SYS without a user")
        .isEqualTo(refused);
    assertThat(
            CallHeader.decode(
                reader(9, 0, 2, 1, 1, 1, 1, 20, 0, 0, 1, 1, 17, 0, 0), new CredentialReader()))
        .as("AUTH_SYS with more groups than there are")
        .isEqualTo(refused);
  }

  @Test
  void whatIsNoCallIsNoMessage() {
    assertThatThrownBy(() -> CallHeader.decode(reader(9, 1, 2), new CredentialReader()))
        .isInstanceOf(XdrException.class)
        .hasMessageContaining("not a message of type 1");
    assertThatThrownBy(() -> ReplyHeader.decode(reader(9, 0, 0))).isInstanceOf(XdrException.class);
  }

  @Test
  void randomBytesAreReadOrRefused() {
    CredentialReader credentials = new CredentialReader();
    SeededCases.forAll(
        20_000,
        random -> {
          byte[] bytes = new byte[random.nextInt(120)];
          for (int i = 0; i < bytes.length; i++) {
            bytes[i] = random.nextInt(3) == 0 ? (byte) random.nextInt(8) : 0;
          }
          XdrReader in = new XdrReader(ByteBuffer.wrap(bytes));
          try {
            CallHeader.decode(in, credentials);
          } catch (XdrException _) {
            assertThat(in.remaining()).isNotNegative();
          }
          try {
            ReplyHeader.decode(new XdrReader(ByteBuffer.wrap(bytes)));
          } catch (XdrException _) {
            assertThat(bytes.length).isNotNegative();
          }
        });
  }

  @Test
  void aMarkSaysLengthAndEnd() {
    assertThat(RecordMark.isLast(RecordMark.last(100))).isTrue();
    assertThat(RecordMark.isLast(RecordMark.more(100))).isFalse();
    assertThat(RecordMark.length(RecordMark.last(100))).isEqualTo(100);
    assertThat(RecordMark.length(-1)).isEqualTo(Integer.MAX_VALUE);
  }

  private static XdrReader reader(int... values) {
    ByteBuffer bytes = ByteBuffer.allocate(4 * values.length);
    for (int value : values) {
      bytes.putInt(value);
    }
    return new XdrReader(bytes.flip());
  }
}
