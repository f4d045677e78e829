package dev.sluice.core.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.model.Quantities.Counted;
import dev.sluice.core.model.Quantities.CountedRate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuantitiesTest {
  @ParameterizedTest
  @CsvSource({
    "100 ms, 100000000",
    "1s, 1000000000",
    "2 h, 7200000000000",
    "1.5 us, 1500",
    "7 ns, 7",
    "3 min, 180000000000",
    "30 d, 2592000000000000",
    "2 µs, 2000"
  })
  void readsDurations(String text, long nanos) {
    assertThat(Quantities.parseDurationNanos(text)).isEqualTo(nanos);
  }

  @ParameterizedTest
  @CsvSource({
    "4096, 4096",
    "64 KiB, 65536",
    "1.5 GB, 1500000000",
    "1 TiB, 1099511627776",
    "5kB, 5000",
    "0, 0"
  })
  void readsSizes(String text, long bytes) {
    assertThat(Quantities.parseBytes(text)).isEqualTo(bytes);
  }

  @Test
  void readsRates() {
    assertThat(Quantities.parseRate("1000 tokens/s"))
        .isEqualTo(new CountedRate(1000, Counted.TOKENS));
    assertThat(Quantities.parseRate("20 kops/s"))
        .isEqualTo(new CountedRate(20_000, Counted.OPERATIONS));
    assertThat(Quantities.parseRate("200 MB/s"))
        .isEqualTo(new CountedRate(200_000_000, Counted.BYTES));
    assertThat(Quantities.parseRate("1.5GiB/s"))
        .isEqualTo(new CountedRate(1_610_612_736, Counted.BYTES));
    assertThat(Quantities.parseRate("12")).isEqualTo(new CountedRate(12, Counted.TOKENS));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "fast",
        "-1 MB/s",
        "1 MB",
        "1 XB/s",
        "1e9 B/s",
        "0.1 ops/s",
        "1 qops/s",
        "99999999999999999999 B/s",
        "9999999999 GB/s",
        "1 MB/s/s",
        "NaN"
      })
  void refusesWhatIsNoRate(String text) {
    assertThatThrownBy(() -> Quantities.parseRate(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("expected a rate such as");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "100", "1 year", "-1 s", "0.1 ns"})
  void refusesWhatIsNoDuration(String text) {
    assertThatThrownBy(() -> Quantities.parseDurationNanos(text))
        .hasMessageStartingWith("expected a duration such as");
  }

  @Test
  void writesWhatPeopleRead() {
    assertThat(Quantities.formatDuration(100_000_000)).isEqualTo("100 ms");
    assertThat(Quantities.formatDuration(1_500)).isEqualTo("1.50 us");
    assertThat(Quantities.formatDuration(0)).isEqualTo("0 ns");
    assertThat(Quantities.formatDuration(5_400_000_000_000L)).isEqualTo("1.50 h");
    assertThat(Quantities.formatRate(123_456_789, Counted.BYTES)).isEqualTo("123 MB/s");
    assertThat(Quantities.formatRate(999_999, Counted.OPERATIONS)).isEqualTo("1.00 Mops/s");
    assertThat(Quantities.formatRate(12.34, Counted.TOKENS)).isEqualTo("12.3 tokens/s");
    assertThat(Quantities.formatBytes(1_500_000)).isEqualTo("1.50 MB");
  }
}
