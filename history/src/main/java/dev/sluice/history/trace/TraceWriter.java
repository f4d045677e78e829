package dev.sluice.history.trace;

import dev.sluice.history.frame.ByteSink;
import dev.sluice.history.frame.FrameWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.Deflater;

/**
 * Writes a trace. What was written when its program dies is readable, whatever it died of. Not
 * thread-safe.
 */
public final class TraceWriter implements AutoCloseable {
  static final String MAGIC = "sluice trace 1";
  static final int LOOKS = 2;
  static final int BEGINNING = 1;

  private final FrameWriter file;
  private final Map<TracedTarget, Integer> targets = new HashMap<>();
  private final Map<TracedJob, Integer> jobs = new HashMap<>();
  private final Deflater deflater = new Deflater(Deflater.BEST_SPEED);
  private final byte[] packed = new byte[1 << 16];

  private TraceWriter(FrameWriter file) {
    this.file = file;
  }

  /**
   * Begins a file, which must not be there.
   *
   * @param startMillis since 1970
   * @param policy which decided while it was recorded
   */
  public static TraceWriter create(Path file, long startMillis, String policy) throws IOException {
    TraceWriter writer = new TraceWriter(FrameWriter.create(file, MAGIC));
    ByteSink record = new ByteSink();
    record.octet(BEGINNING);
    record.number(startMillis);
    record.text(policy);
    writer.file.append(record);
    return writer;
  }

  /** How large the file is. */
  public long size() {
    return file.size();
  }

  /** Appends looks, which come after those before; when it returns they survive. */
  public void append(List<Look> looks) throws IOException {
    ByteSink newTargets = new ByteSink();
    ByteSink newJobs = new ByteSink();
    ByteSink rows = new ByteSink();
    int targetsBefore = targets.size();
    int jobsBefore = jobs.size();
    rows.number(looks.size());
    for (Look look : looks) {
      rows.number(look.endNanos() / 1_000);
      rows.number(look.spanNanos() / 1_000);
      rows.number(look.rows().size());
      for (Look.Row row : look.rows()) {
        rows.number(number(row.target(), newTargets));
        rows.number(number(row.job(), newJobs));
        rows.number(row.reads());
        rows.number(row.readBytes());
        rows.number(row.writes());
        rows.number(row.writtenBytes());
        rows.number(row.others());
        rows.number(row.waitedNanos() / 1_000);
        rows.number(row.servedNanos() / 1_000);
        rows.number(row.busyNanos() / 1_000);
        rows.number(row.outstanding());
      }
    }
    ByteSink body = new ByteSink();
    body.number(targets.size() - targetsBefore);
    body.append(newTargets);
    body.number(jobs.size() - jobsBefore);
    body.append(newJobs);
    body.append(rows);
    file.append(packed(body));
  }

  private int number(TracedTarget target, ByteSink news) {
    Integer known = targets.get(target);
    if (known == null) {
      known = targets.size();
      targets.put(target, known);
      news.text(target.name());
      news.number(target.tokensPerSecond());
      news.number(target.tokensPerOperation());
      news.number(target.tokensPerByte());
    }
    return known;
  }

  private int number(TracedJob job, ByteSink news) {
    Integer known = jobs.get(job);
    if (known == null) {
      known = jobs.size();
      jobs.put(job, known);
      news.text(job.id());
      news.text(job.user());
      news.number(job.weight());
    }
    return known;
  }

  private ByteSink packed(ByteSink body) {
    ByteSink record = new ByteSink();
    record.octet(LOOKS);
    record.number(body.size());
    deflater.reset();
    deflater.setInput(body.array(), 0, body.size());
    deflater.finish();
    while (!deflater.finished()) {
      record.append(packed, deflater.deflate(packed));
    }
    return record;
  }

  @Override
  public void close() throws IOException {
    deflater.end();
    file.close();
  }
}
