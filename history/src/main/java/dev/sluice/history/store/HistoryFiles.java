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
        resolution.text(),
        resolution.segmentMillis(),
        fromMillis,
        new SampleSink(sample -> {
          if (sample.endMillis() > fromMillis && sample.endMillis() <= toMillis) {
            sink.accept(sample);
          }
        }));
  }

  /** The events after one instant and not after another, oldest first. */
  public List<Event> events(long fromMillis, long toMillis) throws IOException {
    List<Event> events = new ArrayList<>();
    read(
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

  private void read(String name, long segmentMillis, long fromMillis, HistorySink sink)
      throws IOException {
    for (Path file : SegmentSeries.files(directory, name)) {
      // Twice its length, because a record may come a little late.
      if (SegmentSeries.startMillis(file) + 2 * segmentMillis > fromMillis) {
        Segment.read(file, sink);
      }
    }
  }
}
