package dev.sluice.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.document.Documents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WebSettingsTest {
  private static final Path DIRECTORY = Path.of("/etc/sluice");

  private static @Nullable WebSettings read(String text) {
    return WebSettings.read(
        Documents.parse("sluice.yaml", text).openMap().required("dashboard"), DIRECTORY);
  }

  @Test
  void isOnLoopbackUnlessToldOtherwise() {
    assertThat(WebSettings.read(null, DIRECTORY)).isEqualTo(WebSettings.STANDARD);
    assertThat(read("dashboard: off")).isNull();
    assertThat(read("dashboard: 127.0.0.1:9"))
        .isNotNull()
        .extracting(WebSettings::insists)
        .isEqualTo(true);
    assertThat(read("dashboard: {tokens: t.yaml, names: [gw]}"))
        .isEqualTo(
            new WebSettings(
                WebSettings.STANDARD.listen(),
                false,
                Set.of("gw"),
                Path.of("/etc/sluice/t.yaml"),
                null));
    assertThat(read("dashboard: {listen: '[::]:443', tls: {certificate: c, key: /k}}"))
        .isNotNull()
        .extracting(WebSettings::tls)
        .isNotNull();
  }

  @Test
  void refusesWhatOthersCouldListenTo() {
    for (String open : new String[] {"0.0.0.0:80", "'[::]:80'", "10.0.0.1:80"}) {
      assertThatThrownBy(() -> read("dashboard: " + open)).hasMessageContaining("expected tls");
    }
    for (String bad : new String[] {"8080", "localhost:80", "127.0.0.1:x", "127.0.0.1:65536"}) {
      assertThatThrownBy(() -> read("dashboard: " + bad))
          .hasMessageContaining("expected off, or an address and a port");
    }
  }

  @Test
  void theOwnersTokenIsMadeOnceAndKeptPrivate(@TempDir Path directory) throws IOException {
    String token = OwnerToken.in(directory);
    assertThat(OwnerToken.in(directory)).isEqualTo(token).hasSize(32);
    assertThat(Files.getPosixFilePermissions(directory.resolve("dashboard.token")))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    Files.writeString(directory.resolve("dashboard.token"), "x");
    assertThatThrownBy(() -> OwnerToken.in(directory)).hasMessageContaining("remove the file");
  }
}
