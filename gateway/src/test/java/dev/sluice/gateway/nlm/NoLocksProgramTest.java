package dev.sluice.gateway.nlm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.model.ClientAddress;
import dev.sluice.gateway.rpc.RpcCall;
import dev.sluice.gateway.rpc.RpcProgram;
import dev.sluice.gateway.rpc.Work;
import dev.sluice.nfs.rpc.Credential;
import dev.sluice.nfs.xdr.XdrException;
import dev.sluice.nfs.xdr.XdrReader;
import dev.sluice.nfs.xdr.XdrWriter;
import dev.sluice.testkit.SeededCases;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

class NoLocksProgramTest {
  private static final byte[] COOKIE = {1, 2, 3, 4, 5};

  private static XdrReader call(RpcProgram program, int procedure, byte[] arguments) {
    RpcCall call =
        new RpcCall(
            ClientAddress.parse("10.1.2.3"),
            true,
            1,
            program.program(),
            program.version(),
            procedure,
            Credential.NONE);
    Work work = program.inspect(call, new XdrReader(ByteBuffer.wrap(arguments)));
    assertThat(work.operation()).as("served at once").isNull();
    ByteBuffer results = ByteBuffer.allocate(work.replyBytesMax());
    program.serve(call, work, new XdrReader(ByteBuffer.wrap(arguments)), new XdrWriter(results));
    return new XdrReader(results.flip());
  }

  /** A cookie, and what stands for the rest. */
  private static byte[] arguments(byte[] cookie) {
    ByteBuffer bytes = ByteBuffer.allocate(64 + XdrReader.padded(cookie.length));
    new XdrWriter(bytes).writeOpaque(cookie).writeInt(1).writeInt(0);
    return bytes.array();
  }

  private static int status(RpcProgram program, NlmProcedure procedure) {
    XdrReader results = call(program, procedure.number(), arguments(COOKIE));
    assertThat(results.readOpaque(NoLocksProgram.COOKIE_BYTES_MAX)).isEqualTo(COOKIE);
    int status = results.readInt();
    boolean shares = procedure == NlmProcedure.SHARE || procedure == NlmProcedure.UNSHARE;
    assertThat(results.remaining()).isEqualTo(shares ? 4 : 0);
    return status;
  }

  @Test
  void theVersionsAreThoseThatClientsAskFor() {
    assertThat(NoLocksProgram.allVersions())
        .extracting(RpcProgram::version)
        .containsExactly(1, 3, 4);
    assertThat(NoLocksProgram.allVersions()).extracting(RpcProgram::program).containsOnly(100_021);
  }

  @Test
  void noLockIsGivenAndAllAreTakenBack() {
    for (RpcProgram program : NoLocksProgram.allVersions()) {
      for (NlmProcedure asked : List.of(NlmProcedure.TEST, NlmProcedure.LOCK)) {
        assertThat(status(program, asked)).as("%s", asked).isEqualTo(2);
      }
      for (NlmProcedure ended :
          List.of(NlmProcedure.UNLOCK, NlmProcedure.CANCEL, NlmProcedure.GRANTED)) {
        assertThat(status(program, ended)).as("%s", ended).isZero();
      }
    }
    RpcProgram latest = NoLocksProgram.allVersions().getLast();
    assertThat(status(latest, NlmProcedure.NM_LOCK)).isEqualTo(2);
    assertThat(status(latest, NlmProcedure.SHARE)).isEqualTo(2);
    assertThat(status(latest, NlmProcedure.UNSHARE)).isZero();
    for (NlmProcedure silent : List.of(NlmProcedure.NULL, NlmProcedure.FREE_ALL)) {
      assertThat(call(latest, silent.number(), arguments(COOKIE)).remaining()).isZero();
    }
  }

  @Test
  void eachVersionHasItsProceduresAndNoMessages() {
    for (RpcProgram program : NoLocksProgram.allVersions()) {
      for (int procedure = -1; procedure < 30; procedure++) {
        boolean lock = procedure >= 0 && procedure <= 5;
        boolean share = procedure >= 20 && procedure <= 23 && program.version() >= 3;
        assertThat(program.hasProcedure(procedure)).as("%d", procedure).isEqualTo(lock || share);
      }
    }
  }

  @Test
  void anyCookieComesBackAndNoneThatIsTooLong() {
    RpcProgram program = NoLocksProgram.allVersions().getLast();
    SeededCases.forAll(
        500,
        random -> {
          byte[] cookie = new byte[random.nextInt(NoLocksProgram.COOKIE_BYTES_MAX + 1)];
          random.nextBytes(cookie);
          XdrReader results = call(program, NlmProcedure.LOCK.number(), arguments(cookie));
          assertThat(results.readOpaque(NoLocksProgram.COOKIE_BYTES_MAX)).isEqualTo(cookie);
        });
    byte[] tooLong = new byte[NoLocksProgram.COOKIE_BYTES_MAX + 1];
    assertThatThrownBy(() -> call(program, NlmProcedure.LOCK.number(), arguments(tooLong)))
        .isInstanceOf(XdrException.class);
  }
}
