package dev.sluice.history.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.history.frame.ByteSink;
import dev.sluice.history.model.Event;
import dev.sluice.history.model.HistorySink;
import dev.sluice.history.model.Sample;
import dev.sluice.testkit.SeededCases;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SegmentTest {
  @TempDir Path directory;

  /** Remembers all it is told, in order. */
  private static final class Everything implements HistorySink {
    final List<Object> records = new ArrayList<>();

    @Override
    public void record(Sample sample) {
      records.add(sample);
    }

    @Override
    public void record(Event event) {
      records.add(event);
    }
  }

  private static Event event(long atMillis, String words) {
    return new Event(atMillis, Event.Kind.CHANGE, "root", "job 1", words);
  }

  @Test
  void whatIsWrittenIsReadAgain() {
    SeededCases.forAll(
        300,
        random -> {
          Path file = directory.resolve("s-" + random.nextLong() + ".history");
          List<Object> written = new ArrayList<>();
          try (Segment segment = Segment.create(file)) {
            for (int i = random.nextInt(20); i > 0; i--) {
              ByteSink record = new ByteSink();
              if (random.nextInt(4) == 0) {
                Event event = event(i, "ä".repeat(random.nextInt(100)));
                segment.encoder().encode(event, record);
                written.add(event);
              } else {
                Sample sample = SampleCases.any(random, random.nextLong(1L << 50));
                segment.encoder().encode(sample, record);
                written.add(sample);
              }
              segment.append(record);
            }
            Everything read = new Everything();
            assertThat(Segment.read(file, read)).isTrue();
            assertThat(read.records).isEqualTo(written);
            assertThat(segment.size()).isEqualTo(Files.size(file));
          }
        });
  }

  /** Cut anywhere or with any byte changed: what comes before the damage is read, and no more. */
  @Test
  void damageCostsNothingThatWasWrittenBeforeIt() throws IOException {
    Path file = directory.resolve("whole.history");
    List<Object> written = new ArrayList<>();
    List<Long> ends = new ArrayList<>();
    try (Segment segment = Segment.create(file)) {
      for (int second = 1; second <= 12; second++) {
        ByteSink record = new ByteSink();
        Sample sample = SampleCases.ofSecond(second);
        segment.encoder().encode(sample, record);
        segment.append(record);
        written.add(sample);
        ends.add(segment.size());
      }
    }
    byte[] whole = Files.readAllBytes(file);
    Path damaged = directory.resolve("damaged.history");
    SeededCases.forAll(
        1_000,
        random -> {
          int at = random.nextInt(whole.length);
          byte[] bytes = random.nextBoolean() ? Arrays.copyOf(whole, at) : whole.clone();
          if (bytes.length == whole.length) {
            bytes[at] ^= (byte) (1 << random.nextInt(8));
          }
          int intact = (int) ends.stream().filter(end -> end <= at).count();
          Files.write(damaged, bytes);
          Everything read = new Everything();
          boolean clean = Segment.read(damaged, read);
          assertThat(read.records).isEqualTo(written.subList(0, intact));
          long cutAtEnd = intact == 0 ? Segment.MAGIC.length() + 1L : ends.get(intact - 1);
          assertThat(clean).isEqualTo(bytes.length == at && at == cutAtEnd);
        });
  }
}
