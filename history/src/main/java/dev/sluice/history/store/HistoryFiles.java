package dev.sluice.history.store;

import dev.sluice.history.model.Event;
import dev.sluice.history.model.HistorySink;
import dev.sluice.history.model.Sample;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Reads a directory of history, whether a program writes to it or not. What a program that died
 * left half written is passed over.
 */
public final class HistoryFiles {
  private final Path directory;

  public HistoryFiles(Path directory) {
    this.directory = directory;
  }

  /** Whether there is any history here. */
  public boolean isEmpty() throws IOException {
    for (Resolution resolution : Resolution.values()) {
      if (!SegmentSeries.files(directory, resolution.text()).isEmpty()) {
        return false;
      }
    }
    return SegmentSeries.files(directory, HistoryStore.EVENTS).isEmpty();
  }

  /** The samples that end after one instant and not after another, oldest first. */
  public void samples(Resolution resolution, long fromMillis, long toMillis, Consumer<Sample> sink)
      throws IOException {
    read(
        directory,
        resolution,
        fromMillis,
        new SampleSink(sample -> {
          if (sample.endMillis() > fromMillis && sample.endMillis() <= toMillis) {
            sink.accept(sample);
          }
        }));
  }

  /**
   * The same and, after the last of them, finer ones of the time since: an hour that is not over
   * has no sample yet, and its minutes have.
   */
  public void samplesUpToNow(
      Resolution resolution, long fromMillis, long toMillis, Consumer<Sample> sink)
      throws IOException {
    long[] covered = {fromMillis};
    samples(
        resolution,
        fromMillis,
        toMillis,
        sample -> {
          covered[0] = Math.max(covered[0], sample.endMillis());
          sink.accept(sample);
        });
    if (resolution != resolution.madeOf()) {
      samplesUpToNow(resolution.madeOf(), covered[0], toMillis, sink);
    }
  }

  /** The events after one instant and not after another, oldest first. */
  public List<Event> events(long fromMillis, long toMillis) throws IOException {
    List<Event> events = new ArrayList<>();
    read(
        directory,
        HistoryStore.EVENTS,
        Resolution.MINUTE.segmentMillis(),
        fromMillis,
        new HistorySink() {
          @Override
          public void record(Sample sample) {
            // There are none among the events.
          }

          @Override
          public void record(Event event) {
            if (event.atMillis() > fromMillis && event.atMillis() <= toMillis) {
              events.add(event);
            }
          }
        });
    return events;
  }

  /** All records of the files that may have samples after an instant, oldest first. */
  static void read(Path directory, Resolution resolution, long fromMillis, HistorySink sink)
      throws IOException {
    read(directory, resolution.text(), resolution.segmentMillis(), fromMillis, sink);
  }

  private static void read(
      Path directory, String name, long segmentMillis, long fromMillis, HistorySink sink)
      throws IOException {
    for (Path file : SegmentSeries.files(directory, name)) {
      // Twice its length, because a record may come a little late.
      if (SegmentSeries.startMillis(file) + 2 * segmentMillis > fromMillis) {
        Segment.read(file, sink);
      }
    }
  }
}
