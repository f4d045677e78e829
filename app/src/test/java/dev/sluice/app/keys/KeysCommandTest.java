package dev.sluice.app.keys;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.access.Role;
import dev.sluice.app.Cli;
import dev.sluice.store.keys.AccessFile;
import dev.sluice.store.keys.KeyDirectory;
import dev.sluice.store.keys.TlsContexts;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("untimed")
class KeysCommandTest {
  @TempDir private Path directory;

  private Cli keys(String... arguments) {
    String[] all = new String[arguments.length + 3];
    all[0] = "keys";
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    all[arguments.length + 1] = "--keys";
    all[arguments.length + 2] = directory.resolve("keys").toString();
    return Cli.run(all);
  }

  @Test
  void makesAWorkingSet() {
    Cli made = keys("init", "--host", "controller.example.org");
    assertThat(made.exitCode()).as(made.err()).isZero();
    String token = made.out().lines().toList().getLast();
    KeyDirectory where = new KeyDirectory(directory.resolve("keys"));
    AccessFile access = new AccessFile(where.accessFile());
    assertThat(access.caller(token, false))
        .hasValueSatisfying(caller -> assertThat(caller.role()).isEqualTo(Role.ADMIN));

    assertThat(keys("node", "n001").exitCode()).isZero();
    // It can be used, and so it was signed with what is there.
    TlsContexts.mutual(where.certificate("n001"), where.key("n001"), where.authority());

    String annas = keys("token", "operate", "anna").out().strip();
    assertThat(new AccessFile(where.accessFile()).caller(annas, false))
        .hasValueSatisfying(caller -> assertThat(caller.role()).isEqualTo(Role.OPERATE));
    String nodes = keys("node", "n002", "--token").out().strip();
    assertThat(nodes).startsWith("n002 sluice_");

    assertThat(keys("revoke", "n001").out()).startsWith("n001 is refused from now on");
    assertThat(keys("list").out().lines().map(line -> line.replaceAll(" +", " ")))
        .anyMatch(line -> line.startsWith("n001 certificate") && line.endsWith("revoked"))
        .anyMatch(line -> line.startsWith("anna token: operate") && line.endsWith("counts"));

    assertThat(keys("init").err()).contains("there is an authority already");
    assertThat(keys("token", "boss", "anna").err())
        .startsWith("\"boss\": expected one of read, operate, admin");
    assertThat(keys("node", "../n1").exitCode()).isEqualTo(2);
  }

  @Test
  void withoutKeysItSaysWhatMakesThem() {
    Cli refused = keys("token", "read", "anna");
    assertThat(refused.exitCode()).isEqualTo(1);
    assertThat(refused.err()).contains("./sluice keys init");
  }
}
