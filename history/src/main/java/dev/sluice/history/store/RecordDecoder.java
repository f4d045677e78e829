package dev.sluice.history.store;

import dev.sluice.core.model.TokenUnit;
import dev.sluice.history.frame.ByteSource;
import dev.sluice.history.frame.FrameReader;
import dev.sluice.history.frame.MalformedRecordException;
import dev.sluice.history.model.Event;
import dev.sluice.history.model.HistorySink;
import dev.sluice.history.model.Sample;
import java.util.ArrayList;
import java.util.List;

/** Reads what a {@link RecordEncoder} wrote, record by record of one segment. Not thread-safe. */
final class RecordDecoder {
  private final List<String> words = new ArrayList<>();

  /** Reads one record and hands it over. */
  void decode(byte[] payload, HistorySink sink) {
    ByteSource in = new ByteSource(payload);
    int kind = in.octet();
    int newWords = in.number(payload.length);
    for (int i = 0; i < newWords; i++) {
      words.add(in.text());
    }
    switch (kind) {
      case RecordEncoder.SAMPLE -> sink.record(sample(in));
      case RecordEncoder.EVENT -> sink.record(event(in));
      default -> throw new MalformedRecordException("a record of kind " + kind);
    }
    if (!in.isAtEnd()) {
      throw new MalformedRecordException("a record goes on after its end");
    }
  }

  private Sample sample(ByteSource in) {
    long endMillis = in.number();
    int spanMillis = in.number(Integer.MAX_VALUE);
    String policy = word(in);
    boolean observesOnly = in.number(1) == 1;
    int targetCount = in.number(FrameReader.RECORD_BYTES_MAX);
    List<Sample.OfTarget> targets = new ArrayList<>();
    for (int i = 0; i < targetCount; i++) {
      targets.add(target(in));
    }
    return new Sample(endMillis, spanMillis, policy, observesOnly, targets);
  }

  private Sample.OfTarget target(ByteSource in) {
    String name = word(in);
    long capacity = in.number();
    TokenUnit unit;
    try {
      unit = new TokenUnit(in.number(), in.number());
    } catch (IllegalArgumentException e) {
      throw new MalformedRecordException(String.valueOf(e.getMessage()));
    }
    int queued = in.number(Integer.MAX_VALUE);
    int saturatedMillis = in.number(Integer.MAX_VALUE);
    int jobCount = in.number(FrameReader.RECORD_BYTES_MAX);
    List<Sample.OfJob> jobs = new ArrayList<>();
    for (int i = 0; i < jobCount; i++) {
      jobs.add(
          new Sample.OfJob(
              word(in),
              word(in),
              in.number(),
              in.number(),
              in.number(),
              in.number(),
              in.number(),
              in.number(Integer.MAX_VALUE),
              in.number() - 1,
              in.number(Integer.MAX_VALUE)));
    }
    return new Sample.OfTarget(name, capacity, unit, queued, saturatedMillis, jobs);
  }

  private Event event(ByteSource in) {
    long atMillis = in.number();
    Event.Kind kind = kind(in.number(Integer.MAX_VALUE));
    return new Event(atMillis, kind, word(in), word(in), in.text());
  }

  private static Event.Kind kind(int code) {
    for (Event.Kind kind : Event.Kind.values()) {
      if (kind.code() == code) {
        return kind;
      }
    }
    throw new MalformedRecordException("an event of kind " + code);
  }

  private String word(ByteSource in) {
    return words.get(in.number(words.size() - 1));
  }
}
