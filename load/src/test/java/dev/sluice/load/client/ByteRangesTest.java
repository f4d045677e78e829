package dev.sluice.load.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.testkit.SeededCases;
import java.util.BitSet;
import org.junit.jupiter.api.Test;

class ByteRangesTest {
  @Test
  void aSetOfBytesIsWhatASetOfBitsIs() {
    SeededCases.forAll(
        2_000,
        random -> {
          ByteRanges ranges = new ByteRanges();
          BitSet bits = new BitSet();
          for (int i = 0; i < 40; i++) {
            int start = random.nextInt(60);
            int end = start + random.nextInt(1, 20);
            if (random.nextInt(3) > 0) {
              ranges.add(start, end);
              bits.set(start, end);
            } else {
              ranges.remove(start, end);
              bits.clear(start, end);
            }
            ranges.checkInvariants();
            BitSet seen = new BitSet();
            ranges.list().forEach(range -> seen.set((int) range.start(), (int) range.end()));
            assertThat(seen).isEqualTo(bits);
            assertThat(ranges.bytes()).isEqualTo(bits.cardinality());
            assertThat(ranges.isEmpty()).isEqualTo(bits.isEmpty());
          }
        });
  }

  @Test
  void aRangeThatIsNoneIsRefused() {
    assertThatThrownBy(() -> new ByteRanges().add(5, 5))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("5 to 5");
    assertThatThrownBy(() -> new ByteRanges().remove(-1, 5))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
