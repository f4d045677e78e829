package dev.sluice.core.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.testkit.SeededCases;
import org.junit.jupiter.api.Test;

class DepthTest {
  /** Latency on a storage that serves so many at once, in parts of that in calm. */
  private static double stretch(double inService, double channels) {
    return Math.max(1, inService / channels);
  }

  @Test
  void aStorageIsGivenAsManyAsItServesAtOnceAndLittleMore() {
    SeededCases.forAll(
        500,
        random -> {
          double channels = 1 + random.nextInt(50);
          Depth depth = new Depth(256);
          for (int i = 0; i < 300; i++) {
            depth.step(stretch(depth.value(), channels));
          }
          assertThat(depth.value()).isBetween(channels, 1.3 * channels + 1);
        });
  }

  @Test
  void whoSharesAStorageComesToHaveTheSameNumberInIt() {
    SeededCases.forAll(
        300,
        random -> {
          double channels = 1 + random.nextInt(16);
          Depth[] all = new Depth[2 + random.nextInt(4)];
          for (int i = 0; i < all.length; i++) {
            all[i] = new Depth(256);
            all[i].set(random.nextDouble(1, 60));
          }
          for (int i = 0; i < 3_000; i++) {
            double sum = 0;
            for (Depth each : all) {
              sum += each.value();
            }
            for (Depth each : all) {
              each.step(stretch(sum, channels));
            }
          }
          for (Depth each : all) {
            assertThat(each.value()).isCloseTo(all[0].value(), within(0.1 * all[0].value()));
          }
        });
  }

  @Test
  void partsOfARequestCount() {
    Depth depth = new Depth(8);
    depth.set(1.6);
    int second = 0;
    for (int i = 0; i < 1_000; i++) {
      assertThat(depth.hasRoom(0)).isTrue();
      assertThat(depth.hasRoom(2)).isFalse();
      second += depth.hasRoom(1) ? 1 : 0;
      depth.handedOut();
    }
    assertThat(second).isBetween(590, 610);
  }
}
