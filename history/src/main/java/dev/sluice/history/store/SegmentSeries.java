package dev.sluice.history.store;

import dev.sluice.history.frame.ByteSink;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The segments of one kind, oldest first: begun when one is full or old, taken away when they are
 * too old or take too much room. Not thread-safe.
 *
 * <p>How old a segment is, is told by what was kept since, not by the clock: it is too old once the
 * segments after it hold as much time as is to be kept. A clock that runs ahead, by forty days or
 * by years, and comes back or not, therefore takes nothing away; nor does a machine that was off.
 */
final class SegmentSeries implements AutoCloseable {
  /** Segments that share a series' room: so finely is it taken away again. */
  private static final int SEGMENTS_SHARING = 8;

  /** Whoever restarts every second shall not fill a directory. */
  static final int FILES_MAX = 4_096;

  private static final String ENDING = ".history";
  private static final Pattern NAME = Pattern.compile("[a-z-]+-(\\d{15})" + Pattern.quote(ENDING));

  private final Path directory;
  private final String name;
  private final long segmentMillis;
  private final long keptMillis;
  private final long bytesMax;
  private final ByteSink record = new ByteSink();

  /** What is on disk besides the segment that is written. */
  private final Deque<Closed> closed = new ArrayDeque<>();

  private long closedBytes;
  private long closedSpanMillis;
  private @Nullable Segment open;
  private long openStartMillis;

  /**
   * A segment that nobody writes to any more.
   *
   * @param spanMillis how much time it holds: until the next one begins, as far as a segment goes
   */
  private record Closed(Path file, long spanMillis, long bytes) {}

  SegmentSeries(Path directory, String name, long segmentMillis, long keptMillis, long bytesMax)
      throws IOException {
    this.directory = directory;
    this.name = name;
    this.segmentMillis = segmentMillis;
    this.keptMillis = keptMillis;
    this.bytesMax = bytesMax;
    List<Path> found = files(directory, name);
    for (int i = 0; i < found.size(); i++) {
      Path file = found.get(i);
      long spanMillis =
          i + 1 < found.size() ? spanMillis(startMillis(file), startMillis(found.get(i + 1))) : 0;
      close(new Closed(file, spanMillis, Files.size(file)));
    }
  }

  private void close(Closed segment) {
    closed.addLast(segment);
    closedBytes += segment.bytes;
    closedSpanMillis += segment.spanMillis;
  }

  /** A clock that was set meanwhile makes no segment longer than one can be. */
  private long spanMillis(long startMillis, long endMillis) {
    return Math.clamp(endMillis - startMillis, 0, segmentMillis);
  }

  /** The segments of a kind in a directory, oldest first. */
  static List<Path> files(Path directory, String name) throws IOException {
    List<Path> files = new ArrayList<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(directory, name + "-*" + ENDING)) {
      for (Path file : all) {
        if (startMillis(file) >= 0) {
          files.add(file);
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    } catch (NoSuchFileException e) {
      return List.of();
    }
    // Names have the same length, so that they sort as their times do.
    Collections.sort(files);
    return files;
  }

  /** When a segment begins, by its name; -1 where it is none of ours. */
  static long startMillis(Path file) {
    Matcher name = NAME.matcher(String.valueOf(file.getFileName()));
    return name.matches() ? Long.parseLong(name.group(1)) : -1;
  }

  /** Writes something into a record. */
  interface Content extends BiConsumer<RecordEncoder, ByteSink> {}

  /** Appends a record of this instant. */
  void append(Content content, long nowMillis) throws IOException {
    Segment segment = open;
    if (segment == null || isFull(segment, nowMillis)) {
      segment = begin(nowMillis);
    }
    record.clear();
    content.accept(segment.encoder(), record);
    try {
      segment.append(record);
    } catch (IOException e) {
      // What it has numbered may not be on disk: nobody can go on in this segment.
      end(nowMillis);
      throw e;
    }
    makeRoom(nowMillis);
  }

  private boolean isFull(Segment segment, long nowMillis) {
    return segment.size() >= bytesMax / SEGMENTS_SHARING
        || nowMillis - openStartMillis >= segmentMillis
        || nowMillis < openStartMillis;
  }

  private Segment begin(long nowMillis) throws IOException {
    end(nowMillis);
    long start = Math.max(0, nowMillis);
    while (true) {
      String text = String.format(Locale.ROOT, "%s-%015d%s", name, start, ENDING);
      try {
        Segment segment = Segment.create(directory.resolve(text));
        // What is written to it survives the machine only if its name does.
        Directories.sync(directory);
        open = segment;
        openStartMillis = nowMillis;
        return segment;
      } catch (FileAlreadyExistsException e) {
        start++;
      }
    }
  }

  private void end(long nowMillis) throws IOException {
    Segment ending = open;
    if (ending == null) {
      return;
    }
    open = null;
    close(new Closed(ending.file(), spanMillis(openStartMillis, nowMillis), ending.size()));
    ending.close();
  }

  /** Takes away what is too old or too much. */
  void makeRoom(long nowMillis) throws IOException {
    long openBytes = open == null ? 0 : open.size();
    long openSpanMillis = open == null ? 0 : spanMillis(openStartMillis, nowMillis);
    while (!closed.isEmpty()) {
      Closed oldest = closed.getFirst();
      boolean tooOld = closedSpanMillis - oldest.spanMillis + openSpanMillis > keptMillis;
      boolean tooMuch = closedBytes + openBytes > bytesMax || closed.size() >= FILES_MAX;
      if (!tooOld && !tooMuch) {
        return;
      }
      Files.deleteIfExists(oldest.file);
      closed.removeFirst();
      closedBytes -= oldest.bytes;
      closedSpanMillis -= oldest.spanMillis;
    }
  }

  /** What it takes on disk. */
  long bytes() {
    return closedBytes + (open == null ? 0 : open.size());
  }

  @Override
  public void close() throws IOException {
    // Nothing is taken away any more, so that its length matters to nobody.
    end(openStartMillis);
  }
}
