package dev.sluice.lustre.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.core.capacity.CapacityBelief;
import dev.sluice.lustre.LustreService;
import dev.sluice.testkit.SeededCases;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CapacityMemoryTest {
  @TempDir Path directory;

  private CapacityMemory memory(Instant now) {
    return new CapacityMemory(directory, LustreService.OST_IO, InstantSource.fixed(now));
  }

  private static CapacityBelief belief(boolean known, double perSecond, long calmNanos) {
    return new CapacityBelief(known, perSecond, perSecond, 2, 1, calmNanos, "", 0, Map.of());
  }

  @Test
  void whatIsKnownIsFoundAgainForADay() {
    SeededCases.forAll(
        50,
        random -> {
          double perSecond = random.nextDouble(1, 1e8);
          long calmNanos = random.nextLong(1, 1_000_000_000_000L);
          Instant now = Instant.now();
          memory(now).write(belief(true, perSecond, calmNanos));
          CapacityMemory.Known known = Objects.requireNonNull(memory(now).read());
          assertThat(known.perSecond()).isCloseTo(perSecond, within(0.001));
          assertThat(known.calmNanos()).isEqualTo(calmNanos);
          assertThat(memory(now.plus(Duration.ofHours(23))).read()).isEqualTo(known);
          assertThat(memory(now.plus(Duration.ofHours(25))).read()).isNull();
        });
  }

  @Test
  void whatIsNotKnownIsNotWritten() throws IOException {
    memory(Instant.now()).write(belief(false, 1, 1));
    memory(Instant.now()).write(null);
    assertThat(memory(Instant.now()).read()).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "sluice-lustre-capacity 1\nservice mdt\n4.000 requests a second, 1 ns each in calm\n",
        "sluice-lustre-capacity 1\nservice ost_io\n-4.000 requests a second, 1 ns each in calm\n",
        "sluice-lustre-capacity 1\nservice ost_io\n4.000 requests a second, 0 ns each in calm\n",
        "sluice-lustre-capacity 1\nservice ost_io\n0.000 requests a second, 1 ns each in calm\n"
      })
  void whatMakesNoSenseIsRefused(String text) throws IOException {
    Files.writeString(directory.resolve("capacity"), text);
    assertThatThrownBy(() -> memory(Instant.now()).read())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("capacity: ")
        .hasMessageContaining("expected");
  }
}
