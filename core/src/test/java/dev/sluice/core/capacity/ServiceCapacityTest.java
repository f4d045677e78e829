package dev.sluice.core.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.core.model.Quantities.Counted;
import dev.sluice.testkit.SeededCases;
import org.junit.jupiter.api.Test;

/**
 * What is promised of a capacity that is found out from sums; how well it is found is tried on
 * models of storages, in the module of studies.
 */
class ServiceCapacityTest {
  private static final long SECOND = 1_000_000_000L;

  /** A disk that serves one request at a time, for clients that always want more. */
  private static final class Disk {
    final ServiceCapacity capacity;
    double perSecond;
    double queued;
    int wanted = 64;
    long second;

    Disk(CapacityBounds bounds, double perSecond) {
      this.capacity = new ServiceCapacity(bounds, 0);
      this.perSecond = perSecond;
    }

    void pass(int seconds) {
      for (int i = 0; i < seconds; i++) {
        double given = Math.min((double) capacity.perSecond(), perSecond * 100);
        double served = Math.min(perSecond, given + queued);
        double before = queued;
        queued = Math.clamp(queued + given - perSecond, 0, wanted - 1);
        boolean heldBack = queued < wanted - 1 && served >= 0.85 * given;
        double inService = served / perSecond + (before + queued) / 2;
        second++;
        capacity.observe(
            new ServicePeriod(
                served, inService, heldBack ? wanted - inService : 0, heldBack, SECOND),
            second * SECOND);
        capacity.checkInvariants();
      }
    }

    double believed() {
      return capacity.belief().tokensPerSecond();
    }
  }

  private static final CapacityBounds NONE = CapacityBounds.none(1);

  @Test
  void aDiskIsFoundAndFollowed() {
    Disk disk = new Disk(NONE, 300);
    assertThat(disk.capacity.isOpen()).isTrue();
    disk.pass(30);
    assertThat(disk.believed()).isCloseTo(300, within(30.0));
    assertThat(disk.queued).isLessThan(8);
    disk.perSecond = 150;
    disk.pass(10);
    assertThat(disk.believed()).isCloseTo(150, within(15.0));
    disk.pass(50);
    disk.perSecond = 300;
    disk.pass(60);
    assertThat(disk.believed()).isCloseTo(300, within(30.0));
    assertThat(disk.capacity.belief().words(Counted.OPERATIONS, disk.second * SECOND))
        .startsWith("can do about ")
        .contains("ops/s", "requests at once (");
  }

  /** Nothing queued, so nothing is known; and it is asked less and less often. */
  @Test
  void whoeverWantsNoMoreTeachesNothing() {
    ServiceCapacity capacity = new ServiceCapacity(NONE, 0);
    int looked = 0;
    for (int i = 1; i <= 3_600; i++) {
      double served = Math.min(200, (double) capacity.perSecond());
      capacity.observe(new ServicePeriod(served, served / 50, 0, false, SECOND), i * SECOND);
      looked += capacity.isOpen() ? 0 : 1;
    }
    assertThat(capacity.isKnown()).isFalse();
    assertThat(looked).isBetween(2, 20);
    assertThat(capacity.perSecond()).isEqualTo(NONE.mostPerSecond());
    assertThat(capacity.belief().words(Counted.OPERATIONS, 0)).contains("nobody knows");
  }

  @Test
  void whatIsKnownStaysWhileNobodyWaits() {
    Disk disk = new Disk(NONE, 300);
    disk.pass(60);
    double believed = disk.believed();
    for (int i = 0; i < 1_000; i++) {
      disk.capacity.observe(new ServicePeriod(20, 0.1, 0, false, SECOND), disk.second * SECOND);
    }
    disk.capacity.observe(new ServicePeriod(0, 0, 0, false, SECOND), disk.second * SECOND);
    assertThat(disk.believed()).isCloseTo(believed, within(0.03 * believed));
  }

  /** Whatever is seen, what it is given is within the bounds, and so is what is believed. */
  @Test
  void aBoundAlwaysWins() {
    SeededCases.forAll(
        2_000,
        random -> {
          long least = random.nextLong(1, 1_001);
          CapacityBounds bounds = new CapacityBounds(least, least + random.nextInt(10_000), 1);
          ServiceCapacity capacity = new ServiceCapacity(bounds, 0);
          for (int i = 0; i < 200; i++) {
            capacity.observe(
                new ServicePeriod(
                    random.nextInt(4) == 0 ? 0 : random.nextDouble() * 2 * capacity.perSecond(),
                    random.nextDouble() * random.nextInt(1_000),
                    random.nextDouble() * random.nextInt(10),
                    random.nextBoolean(),
                    1 + random.nextLong(2 * SECOND)),
                i * SECOND);
            capacity.checkInvariants();
            assertThat(capacity.perSecond())
                .isBetween(bounds.leastPerSecond(), bounds.mostPerSecond());
            assertThat(capacity.belief().tokensPerSecond())
                .isBetween((double) bounds.leastPerSecond(), (double) bounds.mostPerSecond());
          }
        });
  }

  @Test
  void periodsAreChecked() {
    assertThatThrownBy(() -> new ServicePeriod(-1, 0, 0, false, SECOND))
        .hasMessageContaining("-1.0 served");
    assertThatThrownBy(() -> new ServicePeriod(1, Double.NaN, 0, false, SECOND))
        .hasMessageContaining("NaN in service");
    assertThatThrownBy(() -> new ServicePeriod(1, 0, 0, false, 0)).hasMessageContaining("0 ns");
  }
}
