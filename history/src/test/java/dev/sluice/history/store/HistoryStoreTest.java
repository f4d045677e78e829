package dev.sluice.history.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.history.model.Event;
import dev.sluice.history.model.Sample;
import dev.sluice.testkit.SeededCases;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistoryStoreTest {
  private static final long SMALL = 10L << 20;
  private static final long FIRST = 1_800_000_000L;

  @TempDir Path directory;

  private List<Sample> read(Resolution resolution) throws IOException {
    List<Sample> samples = new ArrayList<>();
    new HistoryFiles(directory).samples(resolution, 0, Long.MAX_VALUE, samples::add);
    return samples;
  }

  private static long operations(List<Sample> samples) {
    return samples.stream()
        .flatMap(sample -> sample.targets().stream())
        .flatMap(target -> target.jobs().stream())
        .mapToLong(Sample.OfJob::operations)
        .sum();
  }

  @Test
  void coarserSamplesAreTheSumOfFinerOnes() throws IOException {
    try (HistoryStore store = HistoryStore.open(directory, SMALL, 1_000 * FIRST)) {
      for (long second = FIRST + 1; second <= FIRST + 200; second++) {
        store.record(SampleCases.ofSecond(second));
      }
    }
    List<Sample> seconds = read(Resolution.SECOND);
    assertThat(seconds).hasSize(200);
    assertThat(seconds.getLast()).isEqualTo(SampleCases.ofSecond(FIRST + 200));
    List<Sample> tens = read(Resolution.TEN_SECONDS);
    assertThat(tens).as("the last ten seconds are not over").hasSize(19);
    assertThat(operations(tens)).isEqualTo(operations(seconds.subList(0, 190)));
    Sample.OfTarget first = tens.getFirst().targets().getFirst();
    assertThat(tens.getFirst().spanMillis()).isEqualTo(10_000);
    assertThat(tens.getFirst().endMillis()).isEqualTo(1_000 * (FIRST + 10));
    assertThat(first.saturatedMillis()).isEqualTo(5_000);
    List<Sample> minutes = read(Resolution.MINUTE);
    assertThat(minutes).hasSize(3);
    assertThat(operations(minutes)).isEqualTo(operations(seconds.subList(0, 180)));
  }

  /**
   * Hours are added up from minutes, also from those of a directory that has no hours yet; the hour
   * that is not over is told in minutes and seconds, and nothing of it twice.
   */
  @Test
  void hoursAreTheSumOfMinutes() throws IOException {
    long begin = FIRST - FIRST % 3_600;
    int minutes = 200;
    for (int life = 0; life < 2; life++) {
      long second = begin + 60L * life * minutes / 2;
      try (HistoryStore store = HistoryStore.open(directory, SMALL, 1_000 * second)) {
        for (int minute = 1; minute <= minutes / 2; minute++) {
          second += 60;
          store.record(SampleCases.ofSecond(second));
        }
      }
    }
    assertHours(begin, minutes);
    for (Path file : SegmentSeries.files(directory, Resolution.HOUR.text())) {
      Files.delete(file);
    }
    HistoryStore.open(directory, SMALL, 1_000 * (begin + 60L * minutes)).close();
    assertHours(begin, minutes);
  }

  private void assertHours(long begin, int minutes) throws IOException {
    List<Sample> hours = read(Resolution.HOUR);
    assertThat(hours.stream().map(Sample::endMillis))
        .containsExactly(
            1_000 * (begin + 3_600), 1_000 * (begin + 7_200), 1_000 * (begin + 10_800));
    List<Sample> kept = read(Resolution.MINUTE);
    assertThat(kept.size()).isEqualTo(minutes - 1);
    assertThat(operations(hours)).isEqualTo(operations(kept.subList(0, 180)));
    List<Sample> all = new ArrayList<>();
    new HistoryFiles(directory).samplesUpToNow(Resolution.HOUR, 0, Long.MAX_VALUE, all::add);
    assertThat(all.size()).isEqualTo(3 + (minutes - 1 - 180) + 1);
    long told = 0;
    for (int minute = 1; minute <= minutes; minute++) {
      told += operations(List.of(SampleCases.ofSecond(begin + 60L * minute)));
    }
    assertThat(operations(all)).isEqualTo(told);
  }

  /** However often its program ends, every resolution has all that the finest one has. */
  @Test
  void restartsLoseNothing() {
    SeededCases.forAll(
        8,
        random -> {
          Path own = directory.resolve("r" + random.nextLong());
          long second = FIRST;
          for (int life = 0; life < 6; life++) {
            try (HistoryStore store = HistoryStore.open(own, SMALL, 1_000 * second)) {
              for (int i = random.nextInt(30); i > 0; i--) {
                store.record(SampleCases.ofSecond(++second));
              }
            }
          }
          List<Sample> seconds = new ArrayList<>();
          List<Sample> tens = new ArrayList<>();
          List<Sample> minutes = new ArrayList<>();
          HistoryFiles files = new HistoryFiles(own);
          files.samples(Resolution.SECOND, 0, Long.MAX_VALUE, seconds::add);
          files.samples(Resolution.TEN_SECONDS, 0, Long.MAX_VALUE, tens::add);
          files.samples(Resolution.MINUTE, 0, Long.MAX_VALUE, minutes::add);
          assertThat(seconds).hasSize((int) (second - FIRST));
          for (List<Sample> coarse : List.of(tens, minutes)) {
            long covered = coarse.isEmpty() ? 0 : coarse.getLast().endMillis();
            List<Sample> fine =
                seconds.stream().filter(sample -> sample.endMillis() <= covered).toList();
            assertThat(operations(coarse)).isEqualTo(operations(fine));
            assertThat(coarse.stream().map(Sample::endMillis)).doesNotHaveDuplicates();
          }
        });
  }

  @Test
  void isBoundedInTime() throws IOException {
    try (HistoryStore store = HistoryStore.open(directory, SMALL, 1_000 * FIRST)) {
      for (long second = FIRST; second < FIRST + 3 * 3_600; second += 60) {
        store.record(SampleCases.ofSecond(second));
      }
    }
    List<Sample> seconds = read(Resolution.SECOND);
    long oldest = seconds.getFirst().endMillis();
    long keptMillis = seconds.getLast().endMillis() - oldest;
    assertThat(keptMillis)
        .isBetween(
            Resolution.SECOND.keptMillis(),
            Resolution.SECOND.keptMillis() + 2 * Resolution.SECOND.segmentMillis());
    assertThat(read(Resolution.TEN_SECONDS).getFirst().endMillis()).isLessThan(oldest);
  }

  /** What is kept is judged by what came after it, so that a clock that errs costs nothing. */
  @Test
  void aClockThatJumpsTakesNothingAway() throws IOException {
    JumpingClock clock = new JumpingClock(1_000 * FIRST);
    try (HistoryStore store = HistoryStore.open(directory, SMALL, clock.millis())) {
      record(store, clock, 900);
    }
    List<Sample> before = read(Resolution.SECOND);
    assertThat(before).hasSize(900);
    clock.jump(Duration.ofDays(40));
    try (HistoryStore store = HistoryStore.open(directory, SMALL, clock.millis())) {
      record(store, clock, 30);
      clock.jump(Duration.ofDays(-40));
      record(store, clock, 400);
      clock.jump(Duration.ofDays(40));
      record(store, clock, 30);
      clock.jump(Duration.ofDays(-40));
      record(store, clock, 65);
    }
    assertThat(read(Resolution.SECOND)).containsAll(before).hasSize(900 + 30 + 400 + 30 + 65);
    List<Sample> minutes = read(Resolution.MINUTE);
    try (HistoryStore store = HistoryStore.open(directory, SMALL, clock.millis())) {
      record(store, clock, 120);
    }
    assertThat(read(Resolution.MINUTE))
        .as("minutes go on, whatever lies ahead")
        .hasSize(minutes.size() + 2);
  }

  private static void record(HistoryStore store, JumpingClock clock, int seconds) {
    for (int i = 0; i < seconds; i++) {
      clock.jump(Duration.ofSeconds(1));
      store.record(SampleCases.ofSecond(clock.millis() / 1_000));
    }
  }

  /** A clock that somebody sets. */
  private static final class JumpingClock implements InstantSource {
    private Instant now;

    JumpingClock(long millis) {
      now = Instant.ofEpochMilli(millis);
    }

    void jump(Duration by) {
      now = now.plus(by);
    }

    @Override
    public Instant instant() {
      return now;
    }
  }

  @Test
  void isBoundedInTimeWhateverTheClockDoes() {
    SeededCases.forAll(
        4,
        random -> {
          Path own = directory.resolve("t" + random.nextLong());
          JumpingClock clock = new JumpingClock(1_000 * FIRST);
          int lives = 0;
          for (int life = 0; life < 4; life++) {
            try (HistoryStore store = HistoryStore.open(own, SMALL, clock.millis())) {
              for (int i = 0; i < 60; i++) {
                clock.jump(Duration.ofMinutes(1));
                store.record(SampleCases.ofSecond(clock.millis() / 1_000));
                if (random.nextInt(40) == 0) {
                  clock.jump(Duration.ofDays(random.nextInt(-50, 50)));
                }
              }
            }
            lives++;
          }
          List<Sample> kept = new ArrayList<>();
          new HistoryFiles(own).samples(Resolution.SECOND, 0, Long.MAX_VALUE, kept::add);
          assertThat(kept.size())
              .as("about an hour of a sample a minute; each jump may cost a few of them")
              .isBetween(40, 60 + 60 * lives / 2);
        });
  }

  @Test
  void isBoundedInSize() throws IOException {
    long bound = HistoryStore.BYTES_MIN;
    try (HistoryStore store = HistoryStore.open(directory, bound, 1_000 * FIRST)) {
      SeededCases.forAll(
          1,
          random -> {
            for (long second = FIRST; second < FIRST + 3_000; second++) {
              store.record(SampleCases.any(random, 1_000 * second));
              if (second % 300 == 0) {
                assertThat(store.bytes()).isEqualTo(onDisk()).isLessThanOrEqualTo(bound);
              }
            }
          });
      assertThat(store.bytes()).as("there was enough to be bounded").isGreaterThan(bound / 10);
      assertThat(store.lost()).isZero();
    }
    assertThat(read(Resolution.SECOND).getLast().endMillis())
        .as("the newest is kept")
        .isEqualTo(1_000 * (FIRST + 2_999));
  }

  private long onDisk() {
    try (Stream<Path> files = Files.list(directory)) {
      return files.mapToLong(file -> file.toFile().length()).sum();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void oneProgramAtATime() throws IOException {
    try (HistoryStore _ = HistoryStore.open(directory, SMALL, 0)) {
      assertThatThrownBy(() -> HistoryStore.open(directory, SMALL, 0))
          .hasMessageContaining("another program keeps its history here");
    }
    HistoryStore.open(directory, SMALL, 0).close();
  }

  @Test
  void eventsAreFoundByTime() throws IOException {
    try (HistoryStore store = HistoryStore.open(directory, SMALL, 0)) {
      for (int i = 1; i <= 5; i++) {
        store.record(new Event(i * 1_000L, Event.Kind.CHANGE, "anna", "", "change " + i));
      }
      assertThat(new HistoryFiles(directory).events(1_000, 4_000))
          .extracting(Event::words)
          .containsExactly("change 2", "change 3", "change 4");
    }
  }

  @Test
  void whatCannotBeWrittenIsCountedAndTheRestGoesOn() throws IOException {
    try (HistoryStore store = HistoryStore.open(directory, SMALL, 1_000)) {
      store.record(SampleCases.ofSecond(2));
      Path moved = directory.resolveSibling("moved-" + directory.getFileName());
      Files.move(directory, moved);
      // The file that is open goes on; the next one cannot be begun.
      store.record(SampleCases.ofSecond(1_000));
      assertThat(store.lost()).isPositive();
      assertThat(store.problem()).contains(directory.toString());
      Files.move(moved, directory);
      store.record(SampleCases.ofSecond(2_000));
      assertThat(store.problem()).isNull();
    }
    assertThat(read(Resolution.SECOND))
        .containsExactly(SampleCases.ofSecond(2), SampleCases.ofSecond(2_000));
  }
}
