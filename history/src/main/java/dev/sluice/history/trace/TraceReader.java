package dev.sluice.history.trace;

import dev.sluice.history.frame.ByteSource;
import dev.sluice.history.frame.FrameReader;
import dev.sluice.history.frame.MalformedRecordException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/** Reads a trace, as far as it is whole. */
public final class TraceReader {
  private final Consumer<Look> looks;
  private final List<TracedTarget> targets = new ArrayList<>();
  private final List<TracedJob> jobs = new ArrayList<>();
  private long startMillis = -1;
  private String policy = "";

  private TraceReader(Consumer<Look> looks) {
    this.looks = looks;
  }

  /**
   * What a trace says of itself.
   *
   * @param startMillis since 1970
   * @param whole false where it ends in the middle of a record, as when its writer was killed
   */
  public record About(long startMillis, String policy, boolean whole) {}

  /** Hands over all looks of a file, in order; what is no trace is an {@link IOException}. */
  public static About read(Path file, Consumer<Look> looks) throws IOException {
    TraceReader reader = new TraceReader(looks);
    FrameReader.End end = FrameReader.read(file, TraceWriter.MAGIC, reader::record);
    if (end == FrameReader.End.FOREIGN || reader.startMillis < 0) {
      throw new IOException(file + ": expected a trace, as ./sluice record writes it");
    }
    return new About(reader.startMillis, reader.policy, end == FrameReader.End.CLEAN);
  }

  private void record(byte[] payload) {
    ByteSource in = new ByteSource(payload);
    int kind = in.octet();
    if (kind == TraceWriter.BEGINNING) {
      startMillis = in.number();
      policy = in.text();
    } else if (kind == TraceWriter.LOOKS) {
      looks(new ByteSource(unpacked(in)));
    } else {
      throw new MalformedRecordException("a record of kind " + kind);
    }
  }

  private static byte[] unpacked(ByteSource in) {
    byte[] bytes = new byte[in.number(FrameReader.RECORD_BYTES_MAX)];
    Inflater inflater = new Inflater();
    try {
      inflater.setInput(in.rest());
      int length = 0;
      while (length < bytes.length) {
        int more = inflater.inflate(bytes, length, bytes.length - length);
        if (more == 0) {
          throw new MalformedRecordException("ends too early");
        }
        length += more;
      }
      return bytes;
    } catch (DataFormatException e) {
      throw new MalformedRecordException(String.valueOf(e.getMessage()));
    } finally {
      inflater.end();
    }
  }

  private void looks(ByteSource in) {
    for (int i = in.number(FrameReader.RECORD_BYTES_MAX); i > 0; i--) {
      targets.add(new TracedTarget(in.text(), in.number(), in.number(), in.number()));
    }
    for (int i = in.number(FrameReader.RECORD_BYTES_MAX); i > 0; i--) {
      jobs.add(new TracedJob(in.text(), in.text(), in.number()));
    }
    for (int i = in.number(FrameReader.RECORD_BYTES_MAX); i > 0; i--) {
      long endNanos = 1_000 * in.number();
      long spanNanos = 1_000 * in.number();
      List<Look.Row> rows = new ArrayList<>();
      for (int j = in.number(FrameReader.RECORD_BYTES_MAX); j > 0; j--) {
        rows.add(
            new Look.Row(
                targets.get(in.number(targets.size() - 1)),
                jobs.get(in.number(jobs.size() - 1)),
                in.number(),
                in.number(),
                in.number(),
                in.number(),
                in.number(),
                1_000 * in.number(),
                1_000 * in.number(),
                1_000 * in.number(),
                in.number(Integer.MAX_VALUE)));
      }
      looks.accept(new Look(endNanos, spanNanos, rows));
    }
  }
}
