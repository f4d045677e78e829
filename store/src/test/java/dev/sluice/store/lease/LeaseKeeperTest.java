package dev.sluice.store.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.ledger.LedgerLocation;
import dev.sluice.store.PostgresForTests;
import dev.sluice.testkit.Eventually;
import dev.sluice.testkit.TimePasses;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Controllers that are killed and paused, and a database that goes away, all of them real. */
@Timeout(300)
class LeaseKeeperTest {
  /** A busy machine may take long; what is measured is printed. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @TempDir private Path directory;

  /** An instant at which somebody found that it leads. */
  private record Sighting(String holder, long epoch, long atNanos) {}

  /** A controller in a process of its own. */
  private static final class Controller implements AutoCloseable {
    private final String name;
    private final Process process;
    private final List<Sighting> sightings;
    private final Thread reader;
    private volatile long lastSeenNanos = System.nanoTime();

    Controller(String address, String name, List<Sighting> sightings) throws IOException {
      this.name = name;
      this.sightings = sightings;
      this.process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-XX:TieredStopAtLevel=1",
                  "-XX:+UseSerialGC",
                  "-Xmx64m",
                  "-D"
                      + PostgresForTests.PASSWORD_FILE
                      + "="
                      + System.getProperty(PostgresForTests.PASSWORD_FILE),
                  "-cp",
                  System.getProperty("java.class.path"),
                  LeadingProcess.class.getName(),
                  address,
                  name)
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      this.reader = Thread.ofPlatform().daemon().start(this::read);
    }

    private void read() {
      try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          List<String> parts = List.of(line.split(" ", -1));
          // The last line of one that was killed may be cut off.
          if (parts.size() == 3 && parts.getFirst().equals("leads") && parts.get(2).length() > 3) {
            long atNanos = Long.parseLong(parts.get(2));
            lastSeenNanos = atNanos;
            synchronized (sightings) {
              sightings.add(new Sighting(name, Long.parseLong(parts.get(1)), atNanos));
            }
          }
        }
      } catch (IOException e) {
        if (process.isAlive()) {
          throw new UncheckedIOException(e);
        }
      }
    }

    boolean leadsAfter(long nanos) {
      return lastSeenNanos - nanos > 0;
    }

    void signal(String signal) throws IOException, InterruptedException {
      Process kill = new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).start();
      assertThat(kill.waitFor()).isZero();
    }

    /** Ends it as its own end would: it gives the lease back. */
    void end() throws IOException, InterruptedException {
      process.getOutputStream().write('\n');
      process.getOutputStream().flush();
      assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      reader.join(PATIENCE);
    }

    @Override
    public void close() throws IOException {
      process.destroyForcibly();
    }
  }

  private static long await(String what, BooleanSupplier condition) throws Exception {
    long beganNanos = System.nanoTime();
    Eventually.await(PATIENCE, what, condition::getAsBoolean, () -> "");
    return System.nanoTime() - beganNanos;
  }

  @Test
  void killsPausesAndRestartsNeverMakeTwoLead() throws Exception {
    List<Sighting> sightings = new ArrayList<>();
    List<String> measured = new ArrayList<>();
    try (PostgresForTests postgres = PostgresForTests.start()) {
      String address = postgres.freshAddress();
      try (Controller first = new Controller(address, "first", sightings)) {
        long begunNanos = System.nanoTime();
        await("the first leads", () -> first.leadsAfter(begunNanos));
        try (Controller second = new Controller(address, "second", sightings);
            Controller third = new Controller(address, "third", sightings)) {
          TimePasses.forMillis(2_000);

          first.signal("STOP");
          long stoppedNanos = System.nanoTime();
          measured.add(
              "paused: "
                  + await(
                          "another leads",
                          () -> second.leadsAfter(stoppedNanos) || third.leadsAfter(stoppedNanos))
                      / 1_000_000);
          TimePasses.forMillis(1_000);
          first.signal("CONT");
          TimePasses.forMillis(1_000);
          Controller leader = second.leadsAfter(stoppedNanos) ? second : third;
          Controller other = leader == second ? third : second;
          // On a busy machine it may have been elected once more, but in another epoch.
          assertThat(epochs(sightings, "first", stoppedNanos))
              .doesNotContainAnyElementsOf(epochs(sightings, "first", begunNanos, stoppedNanos));

          first.signal("KILL");
          leader.signal("KILL");
          long killedNanos = System.nanoTime();
          measured.add(
              "killed: "
                  + await("the last leads", () -> other.leadsAfter(killedNanos)) / 1_000_000);

          postgres.server().stop();
          TimePasses.forMillis(4_000);
          long awayNanos = System.nanoTime();
          assertThat(other.leadsAfter(awayNanos)).isFalse();
          postgres.server().start();
          measured.add(
              "database back: "
                  + await("it leads again", () -> other.leadsAfter(awayNanos)) / 1_000_000);
          other.end();
        }
      }
      assertThatNoTwoLed(sightings);
    }
    System.out.println("milliseconds until somebody leads: " + String.join(", ", measured));
  }

  private static Set<Long> epochs(List<Sighting> sightings, String holder, long fromNanos) {
    return epochs(sightings, holder, fromNanos, Long.MAX_VALUE);
  }

  /** In which epochs somebody led between two instants. */
  private static Set<Long> epochs(
      List<Sighting> sightings, String holder, long fromNanos, long toNanos) {
    synchronized (sightings) {
      return sightings.stream()
          .filter(each -> each.holder().equals(holder))
          .filter(each -> each.atNanos() > fromNanos && each.atNanos() <= toNanos)
          .map(Sighting::epoch)
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  /** In the order of time, epochs only grow, and each has one holder. */
  private static void assertThatNoTwoLed(List<Sighting> sightings) {
    synchronized (sightings) {
      sightings.sort(Comparator.comparingLong(Sighting::atNanos));
      assertThat(sightings.stream().map(Sighting::holder).distinct().count())
          .isGreaterThanOrEqualTo(3);
      Sighting before = sightings.getFirst();
      for (Sighting sighting : sightings) {
        assertThat(sighting.epoch()).isGreaterThanOrEqualTo(before.epoch());
        if (sighting.epoch() == before.epoch()) {
          assertThat(sighting.holder()).isEqualTo(before.holder());
        }
        before = sighting;
      }
    }
  }

  @Test
  void whoEndsHandsOverAtOnce() throws Exception {
    LedgerLocation where = new LedgerLocation.SqliteFile(directory.resolve("lease.db"));
    LeaseKeeper first = new LeaseKeeper(where, "first", LeaseTimes.STANDARD, LeaderMemory.NONE);
    await("the first leads", () -> first.leading(System.nanoTime()) != null);
    try (LeaseKeeper second =
        new LeaseKeeper(where, "second", LeaseTimes.STANDARD, LeaderMemory.NONE)) {
      TimePasses.forMillis(700);
      assertThat(second.leading(System.nanoTime())).isNull();
      first.close();
      assertThat(first.leading(System.nanoTime())).isNull();
      await("the second leads", () -> second.leading(System.nanoTime()) != null);
      assertThat(second.leading(System.nanoTime())).extracting(Leader::epoch).isEqualTo(2L);
    }
  }

  @Test
  void aDatabaseThatIsNotThereMakesNoLeader() throws Exception {
    LedgerLocation nowhere = new LedgerLocation.SqliteFile(directory.resolve("nowhere/lease.db"));
    try (LeaseKeeper keeper =
        new LeaseKeeper(nowhere, "only", LeaseTimes.STANDARD, LeaderMemory.NONE)) {
      await("it is said so", () -> keeper.trouble() != null);
      assertThat(keeper.trouble()).contains("there is no directory");
      assertThat(keeper.leading(System.nanoTime())).isNull();
    }
  }
}
