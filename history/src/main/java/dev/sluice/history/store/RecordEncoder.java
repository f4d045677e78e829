package dev.sluice.history.store;

import dev.sluice.history.frame.ByteSink;
import dev.sluice.history.model.Event;
import dev.sluice.history.model.Sample;
import java.util.HashMap;
import java.util.Map;

/**
 * Writes samples and events as bytes, for one segment: a word is written out where it is first
 * used, and has a number from then on. Not thread-safe.
 */
final class RecordEncoder {
  static final int SAMPLE = 1;
  static final int EVENT = 2;

  private final Map<String, Integer> words = new HashMap<>();
  private final ByteSink newWords = new ByteSink();
  private final ByteSink body = new ByteSink();
  private int newWordCount;

  /** Appends a sample to {@code out}. */
  void encode(Sample sample, ByteSink out) {
    begin();
    body.number(sample.endMillis());
    body.number(sample.spanMillis());
    word(sample.policy());
    body.octet(sample.observesOnly() ? 1 : 0);
    body.number(sample.targets().size());
    for (Sample.OfTarget target : sample.targets()) {
      word(target.name());
      body.number(target.capacityTokensPerSecond());
      body.number(target.unit().tokensPerOperation());
      body.number(target.unit().tokensPerByte());
      body.number(target.queued());
      body.number(target.saturatedMillis());
      body.number(target.jobs().size());
      for (Sample.OfJob job : target.jobs()) {
        word(job.id());
        word(job.user());
        body.number(job.weight());
        body.number(job.operations());
        body.number(job.readBytes());
        body.number(job.writtenBytes());
        body.number(job.waitedMicros());
        body.number(job.queued());
        body.number(job.allowedTokensPerSecond() + 1);
        body.number(job.heldBackMillis());
      }
    }
    end(SAMPLE, out);
  }

  /** Appends an event to {@code out}. */
  void encode(Event event, ByteSink out) {
    begin();
    body.number(event.atMillis());
    body.number(event.kind().code());
    word(event.who());
    word(event.subject());
    body.text(event.words());
    end(EVENT, out);
  }

  private void begin() {
    newWords.clear();
    body.clear();
    newWordCount = 0;
  }

  private void end(int kind, ByteSink out) {
    out.octet(kind);
    out.number(newWordCount);
    out.append(newWords);
    out.append(body);
  }

  private void word(String word) {
    Integer known = words.get(word);
    if (known == null) {
      known = words.size();
      words.put(word, known);
      newWords.text(word);
      newWordCount++;
    }
    body.number(known);
  }
}
