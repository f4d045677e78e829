package dev.sluice.history.model;

/** Takes in what happened, in the order in which it happened. */
public interface HistorySink {
  void record(Sample sample);

  void record(Event event);
}
