package dev.sluice.app.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.app.Cli;
import dev.sluice.history.alert.AlertKind;
import dev.sluice.history.alert.AlertRules;
import dev.sluice.history.store.HistoryStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistorySettingsTest {
  @TempDir Path directory;

  private HistorySettings read(String text) throws IOException {
    Path file = directory.resolve("sluice.yaml");
    Files.writeString(file, text);
    return HistorySettings.read(file);
  }

  @Test
  void isKeptUnlessSomebodySaysOtherwise() throws IOException {
    Path state = Path.of("/var/lib/sluice");
    HistorySettings standard = read("policy: fair");
    assertThat(standard.place().kept()).isTrue();
    assertThat(standard.place().directoryIn(state)).isEqualTo(state.resolve("history"));
    assertThat(standard.place().bytesMax()).isEqualTo(HistoryStore.BYTES_DEFAULT);
    assertThat(standard.alerts()).isEqualTo(AlertRules.NONE);
    assertThat(read("history: off").place().kept()).isFalse();
    assertThat(read("history: on").place().kept()).isTrue();
    HistorySettings elsewhere = read("history: {directory: kept, size: 10 GiB}");
    assertThat(elsewhere.place().directoryIn(state)).isEqualTo(directory.resolve("kept"));
    assertThat(elsewhere.place().bytesMax()).isEqualTo(10L << 30);
  }

  @Test
  void saysWhereAMistakeIs() {
    assertThatThrownBy(() -> read("history: maybe"))
        .hasMessageContaining("sluice.yaml:1:10")
        .hasMessageContaining("expected one of on, off");
    assertThatThrownBy(() -> read("history: {size: 1 kB}")).hasMessageContaining("expected a size");
    assertThatThrownBy(() -> read("history: {dir: x}")).hasMessageContaining("did you mean");
  }

  @Test
  void theExampleHasAlerts() {
    HistorySettings example = HistorySettings.read(Cli.inTree("examples/gateway/sluice.yaml"));
    assertThat(example.alerts().afterMillis())
        .isEqualTo(Map.of(AlertKind.TARGET_SATURATED, 300_000L, AlertKind.JOB_WAITING, 30_000L));
  }
}
