package dev.sluice.gateway.rpc;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.sluice.gateway.files.DurableFiles;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Which calls that must not be done twice were begun, and how they were answered, in files that
 * outlive this process: whoever serves next reads them, and answers a call that comes again as it
 * was answered, or knows that it may have been done, and how far.
 *
 * <p>A call is written before it is done, its reply before it is sent. What cannot be written stops
 * no call: storage that is full must let files be removed. Safe for use by many threads.
 *
 * <p>A record is the length of its body (4 bytes), the body's CRC-32C (4), and the body: what kind
 * it is (1), the call's {@link CallName name} (16), and the reply, or the place that it has come to
 * (4). One that was cut off ends its file.
 */
public final class ReplyJournal implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(ReplyJournal.class.getName());

  private static final long SEGMENT_BYTES = 8 << 20;

  /** How many files are kept besides the one that is written. */
  private static final int SEGMENTS_KEPT = 2;

  private static final String SUFFIX = ".replies";
  private static final int BODY_BYTES_MAX = 1 << 16;
  private static final byte BEGUN = 1;
  private static final byte REPLIED = 2;

  private final Path directory;
  private final boolean isForced;
  private final RateLimitedLog log = new RateLimitedLog(LOG);

  /** What those before have left; null when it is too old for anybody to ask. */
  private volatile @Nullable Map<CallName, Earlier> earlier;

  private final long openedNanos;

  // Guarded by this.
  private FileChannel channel;
  private long segment;
  private long segmentBytes;

  /**
   * How many records were written and, guarded by {@link #forcing}, how many of them are on disk.
   */
  private volatile long written;

  private final Object forcing = new Object();
  private long forced;

  /** What is known of a call that another has served. */
  public sealed interface Earlier {
    /**
     * It may have been done, and nobody knows whether.
     *
     * @param place how far it had come, by its own count
     */
    record Begun(int place) implements Earlier {}

    /** It was answered with this. */
    record Replied(ByteBuffer record) implements Earlier {}
  }

  private ReplyJournal(
      Path directory, boolean isForced, Map<CallName, Earlier> earlier, long segment, long nowNanos)
      throws IOException {
    this.directory = directory;
    this.isForced = isForced;
    this.earlier = earlier;
    this.openedNanos = nowNanos;
    this.segment = segment;
    this.channel = open(segment);
  }

  /**
   * Reads what was left, and begins a file of its own.
   *
   * @param directory is made if it is missing
   * @param isForced whether a call is on disk before it is done, so that it outlives the machine
   *     too
   */
  public static ReplyJournal open(Path directory, boolean isForced) throws IOException {
    DurableFiles.makeDirectories(directory);
    Map<CallName, Earlier> earlier = new HashMap<>();
    long last = 0;
    for (Path file : files(directory)) {
      load(file, earlier);
      last = number(file);
    }
    ReplyJournal journal =
        new ReplyJournal(directory, isForced, earlier, last + 1, System.nanoTime());
    journal.removeOld();
    return journal;
  }

  /** What another knew of a call; null when nothing. */
  public @Nullable Earlier earlier(CallName name, long nowNanos) {
    Map<CallName, Earlier> known = earlier;
    if (known == null || known.isEmpty()) {
      return null;
    }
    if (nowNanos - openedNanos > DuplicateRequestCache.REMEMBERED_NANOS) {
      earlier = null;
      return null;
    }
    return known.get(name);
  }

  /**
   * A call will be done now.
   *
   * @param place how far it has come, by its own count; what was said of it before is forgotten
   */
  public void begins(CallName name, int place) {
    long mine = append(BEGUN, name, ByteBuffer.allocate(Integer.BYTES).putInt(0, place));
    if (isForced && mine > 0) {
      force(mine);
    }
  }

  /** A call will be answered with this. */
  public void replied(CallName name, ByteBuffer record) {
    append(REPLIED, name, record);
  }

  /** The number of the record; 0 when it could not be written. */
  private synchronized long append(byte kind, CallName name, ByteBuffer rest) {
    int bodyBytes = 1 + CallName.BYTES + rest.remaining();
    ByteBuffer record = ByteBuffer.allocate(2 * Integer.BYTES + bodyBytes);
    record.position(2 * Integer.BYTES).put(kind).put(name.bytes()).put(rest.duplicate());
    record.putInt(0, bodyBytes).putInt(Integer.BYTES, checksum(record.array(), bodyBytes));
    record.flip();
    try {
      if (segmentBytes > SEGMENT_BYTES) {
        FileChannel next = open(segment + 1);
        channel.close();
        channel = next;
        segment++;
        segmentBytes = 0;
        removeOld();
      }
      segmentBytes += record.remaining();
      while (record.hasRemaining()) {
        channel.write(record);
      }
      return ++written;
    } catch (IOException e) {
      log.log(Level.WARNING, "calls may be done twice by who serves next: " + directory, e);
      return 0;
    }
  }

  /** Has a record on disk, and with it all that were written before. */
  private void force(long mine) {
    synchronized (forcing) {
      if (forced >= mine) {
        return;
      }
      long all = written;
      try {
        channel().force(false);
        forced = all;
      } catch (IOException e) {
        log.log(Level.WARNING, "calls may be done twice by who serves next: " + directory, e);
      }
    }
  }

  private synchronized FileChannel channel() {
    return channel;
  }

  private FileChannel open(long number) throws IOException {
    FileChannel opened = FileChannel.open(file(number), CREATE_NEW, WRITE, APPEND);
    if (isForced) {
      DurableFiles.syncNames(directory);
    }
    return opened;
  }

  private void removeOld() throws IOException {
    for (Path file : files(directory)) {
      if (number(file) < segment - SEGMENTS_KEPT) {
        Files.deleteIfExists(file);
      }
    }
  }

  private Path file(long number) {
    return directory.resolve(number + SUFFIX);
  }

  /** The oldest first. */
  private static List<Path> files(Path directory) throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      return all.filter(file -> file.getFileName().toString().matches("[0-9]{1,18}\\" + SUFFIX))
          .sorted((one, other) -> Long.compare(number(one), number(other)))
          .toList();
    }
  }

  private static long number(Path file) {
    String name = file.getFileName().toString();
    return Long.parseLong(name.substring(0, name.length() - SUFFIX.length()));
  }

  private static void load(Path file, Map<CallName, Earlier> into) throws IOException {
    try (DataInputStream in =
        new DataInputStream(new BufferedInputStream(Files.newInputStream(file)))) {
      while (true) {
        int length = in.readInt();
        int sum = in.readInt();
        if (length <= CallName.BYTES || length > BODY_BYTES_MAX) {
          return;
        }
        byte[] framed = new byte[2 * Integer.BYTES + length];
        in.readFully(framed, 2 * Integer.BYTES, length);
        if (checksum(framed, length) != sum) {
          return;
        }
        ByteBuffer body = ByteBuffer.wrap(framed, 2 * Integer.BYTES, length);
        byte kind = body.get();
        byte[] hash = new byte[CallName.BYTES];
        body.get(hash);
        into.put(
            new CallName(hash),
            kind == REPLIED
                ? new Earlier.Replied(body.slice().asReadOnlyBuffer())
                : new Earlier.Begun(body.remaining() < Integer.BYTES ? 0 : body.getInt()));
      }
    } catch (EOFException cutOff) {
      // Whoever wrote it died; what is before holds.
    }
  }

  private static int checksum(byte[] framed, int length) {
    CRC32C sum = new CRC32C();
    sum.update(framed, 2 * Integer.BYTES, length);
    return (int) sum.getValue();
  }

  @Override
  public synchronized void close() throws IOException {
    channel.close();
  }
}
