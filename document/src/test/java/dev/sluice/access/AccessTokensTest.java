package dev.sluice.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AccessTokensTest {
  @TempDir Path directory;

  private Path file(String text, String permissions) throws IOException {
    Path file = directory.resolve("tokens.yaml");
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
    return file;
  }

  @Test
  void knowsPeopleByTheirTokens() throws IOException {
    AccessTokens tokens =
        AccessTokens.read(
            file(
                """
                tokens:
                  - {who: anna, role: admin, token: 0123456789abcdef}
                  - {who: Bert Ö, role: read, token: fedcba9876543210}
                """,
                "rw-------"));
    assertThat(tokens.caller("0123456789abcdef", false)).hasValue(new Caller("anna", Role.ADMIN));
    assertThat(tokens.caller("fedcba9876543210", true)).hasValue(new Caller("Bert Ö", Role.READ));
    assertThat(tokens.caller("0123456789abcdeF", true)).isEmpty();
    assertThat(tokens.caller("", true)).isEmpty();
    assertThat(tokens.caller(null, false)).isEmpty();
    assertThat(tokens.caller(null, true)).map(Caller::role).hasValue(Role.READ);
  }

  @Test
  void refusesWhatIsUnsafe() throws IOException {
    String good = "tokens: [{who: anna, role: admin, token: 0123456789abcdef}]";
    for (String open : new String[] {"rw-r-----", "rw----r--", "rw--w----"}) {
      Path file = file(good, open);
      assertThatThrownBy(() -> AccessTokens.read(file)).hasMessageContaining("chmod 600");
    }
    Path guessable = file("tokens: [{who: anna, role: admin, token: short}]", "rw-------");
    assertThatThrownBy(() -> AccessTokens.read(guessable))
        .hasMessageContaining("16 to 512 characters");
    Path unknown = file("tokens: [{who: a, role: root, token: 0123456789abcdef}]", "rw-------");
    assertThatThrownBy(() -> AccessTokens.read(unknown)).hasMessageContaining("operate");
  }

  @Test
  void makesTokensThatDiffer() {
    assertThat(AccessTokens.random()).hasSize(32).isNotEqualTo(AccessTokens.random());
  }
}
