package dev.sluice.core.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.core.model.Operation;
import dev.sluice.testkit.SeededCases;
import org.junit.jupiter.api.Test;

class CalmLatenciesTest {
  private static final long MILLI = 1_000_000L;

  private final CalmLatencies latencies = new CalmLatencies();

  private void see(Operation operation, int count, long nanos) {
    for (int i = 0; i < count; i++) {
      latencies.took(operation, 4_096, nanos);
    }
  }

  /** What a request of this kind takes in calm, as far as is known. */
  private double calmNanos(Operation operation) {
    latencies.look();
    see(operation, 1, MILLI);
    double known = latencies.expectedNanos();
    latencies.look();
    return known;
  }

  @Test
  void whatIsSeldomSeenIsSlowedAsTheRest() {
    see(Operation.WRITE, 100, 10 * MILLI);
    see(Operation.READ, 100, 2 * MILLI);
    latencies.learn();
    see(Operation.WRITE, 100, 20 * MILLI);
    latencies.learn();
    assertThat(calmNanos(Operation.READ)).isCloseTo(4 * MILLI, within(1.0));
  }

  @Test
  void whatIsSeldomSeenComesBackWithTheRest() {
    SeededCases.forAll(
        200,
        random -> {
          CalmLatencies each = new CalmLatencies();
          for (int i = 0; i < 100; i++) {
            each.took(Operation.WRITE, 4_096, 10 * MILLI);
            each.took(Operation.READ, 4_096, 2 * MILLI);
          }
          each.learn();
          // Hours of a storage that is now a little quicker, and now a little slower.
          for (int look = 0; look < 2_000; look++) {
            long nanos = Math.round(10 * MILLI * (0.5 + random.nextDouble()));
            for (int i = 0; i < 20; i++) {
              each.took(Operation.WRITE, 4_096, nanos);
            }
            if (random.nextBoolean()) {
              each.learn();
            } else {
              each.lower();
            }
          }
          for (int i = 0; i < 20; i++) {
            each.took(Operation.WRITE, 4_096, 10 * MILLI);
          }
          each.learn();
          each.took(Operation.READ, 4_096, 2 * MILLI);
          assertThat(each.expectedNanos()).isCloseTo(2 * MILLI, within(1_000.0));
        });
  }

  @Test
  void aStorageThatIsNotInFullUseShowsWhatRequestsTakeAtMost() {
    see(Operation.READ, 10, 8 * MILLI);
    latencies.learn();
    see(Operation.READ, 10, 4 * MILLI);
    latencies.lower();
    assertThat(calmNanos(Operation.READ)).isCloseTo(7.5 * MILLI, within(1.0));
    see(Operation.READ, 10, 20 * MILLI);
    latencies.lower();
    assertThat(calmNanos(Operation.READ)).isCloseTo(7.5 * MILLI, within(1.0));
  }
}
