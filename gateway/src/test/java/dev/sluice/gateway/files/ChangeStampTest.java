package dev.sluice.gateway.files;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.model.ClientAddress;
import dev.sluice.testkit.SeededCases;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A directory with a clock of coarse ticks, and clients that keep what they know of it. */
class ChangeStampTest {
  private static final long TICK_MILLIS = 4;

  private long nowMillis = 1_000_000_000_000L;
  private long version;
  private Timestamp changed = tick();
  private @Nullable ChangeStamp stamp;

  /** What a client has in its cache: the directory's time, and what it looked like then. */
  private static final class Client {
    final ClientAddress address;
    @Nullable Timestamp changed;
    long version;

    Client(int number) {
      address = ClientAddress.parse("10.0.0." + number);
    }
  }

  /** Who keeps its cache because of what it was told has missed nothing. */
  @Test
  void whatIsToldNeverHidesAChange() {
    long[] told = new long[1];
    SeededCases.forAll(
        2_000,
        random -> {
          start();
          Client[] clients = {new Client(1), new Client(2), new Client(3)};
          for (int step = 0; step < 100; step++) {
            step(random, clients, told);
          }
        });
    assertThat(told[0]).as("cases in which a cache was kept").isGreaterThan(1_000);
  }

  private void start() {
    nowMillis = 1_000_000_000_000L;
    version = 0;
    changed = tick();
    stamp = null;
    nowMillis += 5_000;
  }

  private void step(RandomGenerator random, Client[] clients, long[] told) {
    Client client = clients[random.nextInt(clients.length)];
    switch (random.nextInt(8)) {
      case 0 -> nowMillis += random.nextInt(10);
      case 1 -> nowMillis += random.nextInt(3_000);
      case 2 -> {
        client.changed = changed;
        client.version = version;
      }
      case 3 -> {
        // On the server itself: between our changes, and with a time of its own, as nothing can
        // tell it from ours otherwise.
        nowMillis += TICK_MILLIS;
        change();
        nowMillis += TICK_MILLIS;
      }
      default -> changeBy(client, random.nextInt(5) > 0, told);
    }
  }

  private void changeBy(Client client, boolean isDone, long[] told) {
    Timestamp before = changed;
    long versionBefore = version;
    boolean isTold = ChangeStamp.isTold(stamp, before, client.address, nowMillis);
    if (isDone) {
      change();
    }
    stamp = ChangeStamp.after(stamp, before, changed, client.address, isDone);
    if (isTold && before.equals(client.changed)) {
      assertThat(client.version).isEqualTo(versionBefore);
      client.changed = changed;
      client.version = version;
      told[0]++;
    } else {
      client.changed = null;
    }
  }

  private void change() {
    version++;
    changed = tick();
  }

  private Timestamp tick() {
    long tickMillis = nowMillis / TICK_MILLIS * TICK_MILLIS;
    return new Timestamp(tickMillis / 1_000, (int) (tickMillis % 1_000) * 1_000_000);
  }

  @Test
  void aClientIsToldOfItsOwnChangesHoweverFast() {
    ClientAddress client = ClientAddress.parse("10.0.0.1");
    ClientAddress other = ClientAddress.parse("10.0.0.2");
    start();
    for (int i = 0; i < 10; i++) {
      Timestamp before = changed;
      assertThat(ChangeStamp.isTold(stamp, before, client, nowMillis)).isTrue();
      change();
      stamp = ChangeStamp.after(stamp, before, changed, client, true);
    }
    assertThat(ChangeStamp.isTold(stamp, changed, other, nowMillis)).isFalse();
    stamp = ChangeStamp.after(stamp, changed, changed, other, false);
    assertThat(ChangeStamp.isTold(stamp, changed, client, nowMillis)).isTrue();
    stamp = ChangeStamp.after(stamp, changed, changed, other, true);
    assertThat(ChangeStamp.isTold(stamp, changed, client, nowMillis)).isFalse();
  }

  @Test
  void whileSomebodyElseChangesItNobodyIsTold() {
    ClientAddress client = ClientAddress.parse("10.0.0.1");
    start();
    change();
    assertThat(ChangeStamp.isTold(stamp, changed, client, nowMillis + 10)).isFalse();
    assertThat(ChangeStamp.isTold(stamp, changed, client, nowMillis + 2_000)).isTrue();
  }
}
