package dev.sluice.history.store;

import dev.sluice.history.model.Event;
import dev.sluice.history.model.HistorySink;
import dev.sluice.history.model.Sample;
import dev.sluice.history.sample.Rollup;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Keeps history in a directory, which one program at a time may do.
 *
 * <p>When {@link #record(Sample)} returns the sample is on disk. Coarser samples are made of the
 * finer ones; what was in the making when a program died is made again from those, so that no
 * resolution loses anything that the one it is made of has.
 *
 * <p>A disk that is full, or fails, costs history and nothing else: what cannot be written is
 * counted, and writing is tried again with the next sample. Safe for use by many threads.
 */
public final class HistoryStore implements HistorySink, AutoCloseable {
  public static final long BYTES_DEFAULT = 2L << 30;
  public static final long BYTES_MIN = 1L << 20;
  public static final long BYTES_MAX = 1L << 42;

  static final String EVENTS = "events";
  private static final int EVENTS_PERCENT = 5;

  /** Those that are added up from finer ones. */
  private static final List<Resolution> COARSE =
      List.of(Resolution.TEN_SECONDS, Resolution.MINUTE, Resolution.HOUR);

  private static final String LOCK = "lock";
  private static final System.Logger LOG = System.getLogger(HistoryStore.class.getName());
  private static final long COMPLAINT_MILLIS = TimeUnit.MINUTES.toMillis(1);

  /** What lies further ahead of now than this was written while the clock was wrong. */
  private static final long AHEAD_MILLIS = TimeUnit.HOURS.toMillis(1);

  private final FileChannel lockFile;
  private final Map<Resolution, SegmentSeries> series = new EnumMap<>(Resolution.class);
  private final Map<Resolution, Rollup> rollups = new EnumMap<>(Resolution.class);
  private final SegmentSeries events;
  private long lost;
  private @Nullable String problem;
  private long complainedMillis = Long.MIN_VALUE / 2;

  private HistoryStore(Path directory, long bytesMax, FileChannel lockFile, long nowMillis)
      throws IOException {
    this.lockFile = lockFile;
    for (Resolution resolution : Resolution.values()) {
      series.put(
          resolution,
          new SegmentSeries(
              directory,
              resolution.text(),
              resolution.segmentMillis(),
              resolution.keptMillis(),
              bytesMax / 100 * resolution.percentOfSpace()));
    }
    events =
        new SegmentSeries(
            directory,
            EVENTS,
            Resolution.MINUTE.segmentMillis(),
            Resolution.HOUR.keptMillis(),
            bytesMax / 100 * EVENTS_PERCENT);
    catchUp(directory, nowMillis + AHEAD_MILLIS);
  }

  /**
   * Makes what was in the making. Each file is read once, and minutes before seconds: the minutes
   * that come of the seconds then go on into their hour by themselves.
   */
  private void catchUp(Path directory, long saneMillis) throws IOException {
    Map<Resolution, Long> covered = new EnumMap<>(Resolution.class);
    for (Resolution coarse : COARSE) {
      rollups.put(coarse, new Rollup(coarse.spanMillis()));
      covered.put(coarse, coveredUntilMillis(directory, coarse, saneMillis));
    }
    for (Resolution fine : List.of(Resolution.MINUTE, Resolution.SECOND)) {
      long needed =
          COARSE.stream()
              .filter(coarse -> coarse.madeOf() == fine)
              .mapToLong(coarse -> covered.getOrDefault(coarse, Long.MIN_VALUE))
              .min()
              .orElseThrow();
      HistoryFiles.read(
          directory,
          fine,
          needed,
          new SampleSink(sample -> {
            for (Resolution coarse : COARSE) {
              long until = covered.getOrDefault(coarse, Long.MIN_VALUE);
              if (coarse.madeOf() == fine
                  && sample.endMillis() > until
                  && sample.endMillis() <= saneMillis) {
                attempt(() -> roll(coarse, sample), sample.endMillis());
              }
            }
          }));
    }
  }

  /**
   * Opens a directory, which is made if it is missing.
   *
   * @param bytesMax how much all of it may take on disk
   */
  public static HistoryStore open(Path directory, long bytesMax, long nowMillis)
      throws IOException {
    if (!Files.isDirectory(directory)) {
      Files.createDirectories(
          directory,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      Path parent = directory.toAbsolutePath().getParent();
      if (parent != null) {
        Directories.sync(parent);
      }
    }
    FileChannel lockFile =
        FileChannel.open(
            directory.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      if (!isLocked(lockFile)) {
        throw new IOException(directory + ": another program keeps its history here");
      }
      HistoryStore store = new HistoryStore(directory, bytesMax, lockFile, nowMillis);
      store.makeRoom(nowMillis);
      return store;
    } catch (IOException | RuntimeException e) {
      lockFile.close();
      throw e;
    }
  }

  private static boolean isLocked(FileChannel lockFile) throws IOException {
    try {
      return lockFile.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      return false;
    }
  }

  /** Until when there are complete samples of this resolution, of a clock that was right. */
  private static long coveredUntilMillis(Path directory, Resolution coarse, long saneMillis)
      throws IOException {
    long[] covered = {Long.MIN_VALUE};
    List<Path> files = SegmentSeries.files(directory, coarse.text());
    for (int i = files.size() - 1; i >= 0 && covered[0] == Long.MIN_VALUE; i--) {
      Segment.read(
          files.get(i),
          new SampleSink(sample -> {
            if (sample.endMillis() <= saneMillis) {
              covered[0] = Math.max(covered[0], sample.endMillis());
            }
          }));
    }
    return covered[0];
  }

  /** Adds a sample to a coarser one; where that completes one, it goes on into what is coarser. */
  private void roll(Resolution coarse, Sample sample) throws IOException {
    Rollup rollup = rollups.get(coarse);
    Sample complete = rollup == null ? null : rollup.add(sample);
    if (complete != null) {
      append(coarse, complete, sample.endMillis());
      rollAll(coarse, complete);
    }
  }

  private void rollAll(Resolution fine, Sample sample) {
    for (Resolution coarse : COARSE) {
      if (coarse.madeOf() == fine) {
        attempt(() -> roll(coarse, sample), sample.endMillis());
      }
    }
  }

  private void append(Resolution resolution, Sample sample, long nowMillis) throws IOException {
    SegmentSeries its = series.get(resolution);
    if (its == null) {
      throw new IllegalStateException("nothing is kept at " + resolution);
    }
    its.append((encoder, out) -> encoder.encode(sample, out), nowMillis);
  }

  @Override
  public synchronized void record(Sample sample) {
    long nowMillis = sample.endMillis();
    attempt(() -> append(Resolution.SECOND, sample, nowMillis), nowMillis);
    rollAll(Resolution.SECOND, sample);
  }

  @Override
  public synchronized void record(Event event) {
    attempt(
        () -> events.append((encoder, out) -> encoder.encode(event, out), event.atMillis()),
        event.atMillis());
  }

  /** Something that writes. */
  private interface Writing {
    void run() throws IOException;
  }

  private void attempt(Writing writing, long nowMillis) {
    try {
      writing.run();
      problem = null;
    } catch (IOException e) {
      lost++;
      problem = String.valueOf(e.getMessage());
      if (nowMillis - complainedMillis >= COMPLAINT_MILLIS) {
        complainedMillis = nowMillis;
        LOG.log(
            System.Logger.Level.WARNING,
            "history is not written: " + e.getMessage() + "; " + lost + " records are lost so far");
      }
    }
  }

  private void makeRoom(long nowMillis) throws IOException {
    for (SegmentSeries its : series.values()) {
      its.makeRoom(nowMillis);
    }
    events.makeRoom(nowMillis);
  }

  /** How many records could not be written. */
  public synchronized long lost() {
    return lost;
  }

  /** Why the last record could not be written; null where it could. */
  public synchronized @Nullable String problem() {
    return problem;
  }

  /** What all of it takes on disk. */
  public synchronized long bytes() {
    long bytes = events.bytes();
    for (SegmentSeries its : series.values()) {
      bytes += its.bytes();
    }
    return bytes;
  }

  @Override
  public synchronized void close() throws IOException {
    for (SegmentSeries its : series.values()) {
      its.close();
    }
    events.close();
    lockFile.close();
  }
}
