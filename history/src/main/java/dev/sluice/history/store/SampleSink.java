package dev.sluice.history.store;

import dev.sluice.history.model.Event;
import dev.sluice.history.model.HistorySink;
import dev.sluice.history.model.Sample;
import java.util.function.Consumer;

/** Takes samples, and lets events pass. */
record SampleSink(Consumer<Sample> samples) implements HistorySink {
  @Override
  public void record(Sample sample) {
    samples.accept(sample);
  }

  @Override
  public void record(Event event) {
    // Nobody asked for them.
  }
}
