package dev.sluice.gateway.nfs4;

import static dev.sluice.gateway.nfs4.Nfs4Caller.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.gateway.files.FileException;
import dev.sluice.gateway.identify.UserNames;
import dev.sluice.gateway.identify.UserNumbers;
import dev.sluice.nfs.nfs4.Nfs4Status;
import dev.sluice.testkit.Eventually;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Names of this machine's users: root is one everywhere. */
class OwnerNamesTest {
  private static final int NOBODY_HAS_IT = 1_987_654_321;

  private final OwnerNames named =
      OwnerNames.in("example.org", UserNames.ofThisMachine(), UserNumbers.ofThisMachine());

  @Test
  void whoHasANameIsToldByItWhereThereIsADomain() throws Exception {
    // The first answer may take longer than anybody waits for it.
    Eventually.await("the name of root", () -> text(named.user(0)).equals("root@example.org"));
    assertThat(text(named.group(0))).isEqualTo("root@example.org");
    assertThat(text(named.user(NOBODY_HAS_IT))).isEqualTo("1987654321");
    assertThat(text(OwnerNames.NUMBERS.user(0))).isEqualTo("0");
    assertThat(text(OwnerNames.NUMBERS.group(-2))).isEqualTo("4294967294");
  }

  @Test
  void numbersAreTakenByEither() throws Exception {
    for (OwnerNames names : new OwnerNames[] {named, OwnerNames.NUMBERS}) {
      assertThat(names.userNumber(bytes("1001"))).isEqualTo(1_001);
      assertThat(names.groupNumber(bytes("4294967294"))).isEqualTo(-2);
      assertUnknown(names, "4294967295");
      assertUnknown(names, "-1");
      assertUnknown(names, "");
      assertUnknown(names, "root");
    }
  }

  @Test
  void namesAreTakenWithTheDomainAlone() throws Exception {
    eventually(() -> named.userNumber(bytes("root@example.org")) == 0);
    eventually(() -> named.groupNumber(bytes("root@EXAMPLE.org")) == 0);
    assertUnknown(named, "root@example.com");
    assertUnknown(named, "@example.org");
    assertUnknown(OwnerNames.NUMBERS, "root@example.org");
    eventually(() -> {
      try {
        named.userNumber(bytes("nobody-has-this-name@example.org"));
        return false;
      } catch (Refusal refusal) {
        return refusal.status() == Nfs4Status.BADOWNER;
      }
    });
  }

  /** Until something is known of a name, whoever asks is told to come again. */
  private static void eventually(Eventually.Condition condition) throws Exception {
    Eventually.await(
        "an answer of the name service",
        () -> {
          try {
            return condition.holds();
          } catch (FileException comeAgain) {
            return false;
          }
        });
  }

  private static void assertUnknown(OwnerNames names, String text) {
    assertThatThrownBy(() -> names.userNumber(bytes(text)))
        .isInstanceOfSatisfying(
            Refusal.class, e -> assertThat(e.status()).isEqualTo(Nfs4Status.BADOWNER));
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
