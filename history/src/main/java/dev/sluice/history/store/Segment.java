package dev.sluice.history.store;

import dev.sluice.history.frame.ByteSink;
import dev.sluice.history.frame.FrameReader;
import dev.sluice.history.frame.FrameWriter;
import dev.sluice.history.model.HistorySink;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * A file of samples and events. Nobody ever writes to a segment that somebody else began: after a
 * crash there is a new one.
 */
final class Segment implements AutoCloseable {
  static final String MAGIC = "sluice history 1";

  private final Path file;
  private final FrameWriter writer;
  private final RecordEncoder encoder = new RecordEncoder();

  private Segment(Path file, FrameWriter writer) {
    this.file = file;
    this.writer = writer;
  }

  /** Begins a file, which must not be there. */
  static Segment create(Path file) throws IOException {
    return new Segment(file, FrameWriter.create(file, MAGIC));
  }

  Path file() {
    return file;
  }

  long size() {
    return writer.size();
  }

  /** What numbers its words. */
  RecordEncoder encoder() {
    return encoder;
  }

  /** Appends a record; when it returns, the record survives this program and the machine. */
  void append(ByteSink record) throws IOException {
    writer.append(record);
  }

  @Override
  public void close() throws IOException {
    writer.close();
  }

  /**
   * Reads the records of a file that may still grow, or whose writer died.
   *
   * @return whether all of it was whole; if not, no record after the damage was read
   */
  static boolean read(Path file, HistorySink sink) throws IOException {
    RecordDecoder decoder = new RecordDecoder();
    try {
      return FrameReader.read(file, MAGIC, payload -> decoder.decode(payload, sink))
          == FrameReader.End.CLEAN;
    } catch (NoSuchFileException e) {
      // Too old meanwhile, and taken away.
      return true;
    }
  }
}
