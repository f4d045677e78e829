package dev.sluice.stage.files;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.sluice.stage.layout.StageLayout;
import dev.sluice.stage.limit.TokenLine;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * What the agent tells a job's processes: mount points, which calls are limited by which buckets,
 * the buckets' lines, and that it is alive. One agent writes; not thread-safe.
 */
public final class ControlFile implements AutoCloseable {
  /** How long an agent may be silent before nobody heeds its limits any more. */
  public static final long STALE_AFTER_NANOS = 2_000_000_000L;

  private static final VarHandle LONG = JAVA_LONG.varHandle();
  private static final VarHandle INT = JAVA_INT.varHandle();

  private final Arena arena = Arena.ofShared();
  private final MemorySegment memory;

  private ControlFile(FileChannel channel) throws IOException {
    this.memory = channel.map(FileChannel.MapMode.READ_WRITE, 0, StageLayout.CONTROL_BYTES, arena);
  }

  /** Makes a file in which nothing is limited. It counts only when {@link #complete} is called. */
  static ControlFile create(Path file, long token, List<Path> mounts, long nowNanos)
      throws IOException {
    byte[] text = textOf(mounts);
    try (FileChannel channel =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE)) {
      // All of it now: whoever writes to it later must not find the file system full.
      ByteBuffer zeros = ByteBuffer.allocate(StageLayout.CONTROL_BYTES);
      while (zeros.hasRemaining()) {
        channel.write(zeros, zeros.position());
      }
      ControlFile control = new ControlFile(channel);
      MemorySegment memory = control.memory;
      StageHeader.write(memory, StageLayout.CONTROL_BYTES, token);
      memory.set(JAVA_LONG, StageLayout.STALE_AFTER_NANOS, STALE_AFTER_NANOS);
      memory.set(JAVA_INT, StageLayout.LEASE_EPOCH, 1);
      memory.set(JAVA_INT, StageLayout.MOUNT_COUNT, mounts.size());
      memory.set(JAVA_INT, StageLayout.MOUNT_TEXT_USED, text.length);
      MemorySegment.copy(text, 0, memory, JAVA_BYTE, StageLayout.MOUNT_TEXT, text.length);
      for (int bucket = 0; bucket < StageLayout.BUCKETS; bucket++) {
        control.publish(bucket, TokenLine.unlimitedFrom(0, nowNanos));
      }
      control.beat(nowNanos);
      return control;
    }
  }

  /** The file that an agent before us has made; refuses one that is not as it should be. */
  static ControlFile open(Path file) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
      if (FileRights.userOf(file) != FileRights.ownUser()
          || channel.size() != StageLayout.CONTROL_BYTES) {
        throw new IOException(
            file + ": expected a file of our own of " + StageLayout.CONTROL_BYTES + " bytes");
      }
      ControlFile control = new ControlFile(channel);
      if (!StageHeader.isGood(
          control.memory, StageLayout.CONTROL_MAGIC, StageLayout.CONTROL_BYTES)) {
        control.close();
        throw new IOException(file + ": made by another version, or never finished");
      }
      return control;
    }
  }

  /** The token of a file that another program writes. */
  static long readToken(Path file) throws IOException {
    ByteBuffer head = ByteBuffer.allocate(StageLayout.HEADER_SIZE).order(ByteOrder.nativeOrder());
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
      if (channel.read(head, 0) != StageLayout.HEADER_SIZE
          || head.getLong(StageLayout.HEADER_MAGIC) != StageLayout.CONTROL_MAGIC) {
        throw new IOException(file + ": made by another version, or never finished");
      }
    }
    return head.getLong(StageLayout.HEADER_TOKEN);
  }

  /** Whether the limits hold without anybody to look after them, as those of a run do. */
  boolean holdsByItself() {
    return memory.get(JAVA_LONG, StageLayout.STALE_AFTER_NANOS) == StageLayout.NEVER_STALE;
  }

  /** From now on processes take the file for good. */
  void complete() {
    LONG.setRelease(memory, (long) StageLayout.HEADER_MAGIC, StageLayout.CONTROL_MAGIC);
  }

  long token() {
    return memory.get(JAVA_LONG, StageLayout.HEADER_TOKEN);
  }

  /** Says that we are alive. */
  public void beat(long nowNanos) {
    LONG.setRelease(memory, (long) StageLayout.HEARTBEAT_NANOS, nowNanos);
  }

  /** The line that holds for a bucket. */
  public TokenLine line(int bucket) {
    long rates = ratesOf(bucket);
    long slot = slot(rates, (long) LONG.getAcquire(memory, rates + StageLayout.RATES_CURRENT));
    return new TokenLine(
        memory.get(JAVA_LONG, slot + StageLayout.SLOT_FROM_NANOS),
        memory.get(JAVA_LONG, slot + StageLayout.SLOT_FROM_UNITS),
        memory.get(JAVA_LONG, slot + StageLayout.SLOT_RATE),
        memory.get(JAVA_LONG, slot + StageLayout.SLOT_BURST_UNITS),
        memory.get(JAVA_LONG, slot + StageLayout.SLOT_LEASE_TOKENS),
        memory.get(JAVA_LONG, slot + StageLayout.SLOT_PER_SECOND),
        (memory.get(JAVA_LONG, slot + StageLayout.SLOT_FLAGS) & StageLayout.UNLIMITED) != 0);
  }

  /** Lets another line hold for a bucket. Who waits learns it from {@link #wake}. */
  public void publish(int bucket, TokenLine line) {
    TokenLine before = line(bucket);
    long rates = ratesOf(bucket);
    long next = (long) LONG.getAcquire(memory, rates + StageLayout.RATES_CURRENT) + 1;
    long slot = slot(rates, next);
    // Opaque, because a reader that is far too slow may still be looking at this slot.
    LONG.setOpaque(memory, slot + StageLayout.SLOT_FROM_NANOS, line.fromNanos());
    LONG.setOpaque(memory, slot + StageLayout.SLOT_FROM_UNITS, line.fromUnits());
    LONG.setOpaque(memory, slot + StageLayout.SLOT_RATE, line.rate());
    LONG.setOpaque(memory, slot + StageLayout.SLOT_BURST_UNITS, line.burstUnits());
    LONG.setOpaque(memory, slot + StageLayout.SLOT_LEASE_TOKENS, line.leaseTokens());
    LONG.setOpaque(memory, slot + StageLayout.SLOT_PER_SECOND, line.millionths());
    LONG.setOpaque(
        memory,
        slot + StageLayout.SLOT_FLAGS,
        line.unlimited() ? (long) StageLayout.UNLIMITED : 0L);
    LONG.setRelease(memory, rates + StageLayout.RATES_CURRENT, next);
    if (line.endsLeasesOf(before)) {
      int _ = (int) INT.getAndAdd(memory, (long) StageLayout.LEASE_EPOCH, 1);
    }
  }

  /** Wakes all who wait, so that they see what has changed. */
  public void wake() {
    int _ = (int) INT.getAndAdd(memory, (long) StageLayout.CHANGE_EPOCH, 1);
    NativeCalls.wakeAll(memory.asSlice(StageLayout.CHANGE_EPOCH, Integer.BYTES));
  }

  /** Says which buckets an operation draws from, packed as the layout has it. */
  public void channels(int operation, long buckets) {
    LONG.setRelease(memory, StageLayout.CHANNELS + 8L * operation, buckets);
  }

  /** The mount points, as they were given. */
  public List<Path> mounts() {
    List<Path> mounts = new ArrayList<>();
    long at = StageLayout.MOUNT_TEXT;
    int count = memory.get(JAVA_INT, StageLayout.MOUNT_COUNT);
    for (int i = 0; i < Math.min(count, StageLayout.MOUNTS_MAX); i++) {
      String text = memory.getString(at);
      mounts.add(Path.of(text.isEmpty() ? "/" : text));
      at += text.getBytes(StandardCharsets.UTF_8).length + 1L;
    }
    return mounts;
  }

  private static byte[] textOf(List<Path> mounts) {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    for (Path mount : mounts) {
      if (!mount.isAbsolute() || !mount.normalize().equals(mount)) {
        throw new IllegalArgumentException(
            mount + ": expected an absolute path without . and .. as a mount point");
      }
      String path = mount.toString();
      text.writeBytes((path.equals("/") ? "" : path).getBytes(StandardCharsets.UTF_8));
      text.write(0);
    }
    if (mounts.isEmpty()
        || mounts.size() > StageLayout.MOUNTS_MAX
        || text.size() > StageLayout.MOUNT_TEXT_BYTES) {
      throw new IllegalArgumentException(
          mounts.size()
              + " mount points of "
              + text.size()
              + " bytes: expected 1 to "
              + StageLayout.MOUNTS_MAX
              + " of together at most "
              + StageLayout.MOUNT_TEXT_BYTES
              + " bytes");
    }
    return text.toByteArray();
  }

  private static long ratesOf(int bucket) {
    return StageLayout.BUCKET_RATES + (long) StageLayout.BUCKET_RATES_SIZE * bucket;
  }

  private static long slot(long rates, long number) {
    return rates
        + StageLayout.RATES_SLOTS
        + StageLayout.SLOT_SIZE * Long.remainderUnsigned(number, StageLayout.RATE_SLOTS);
  }

  @Override
  public void close() {
    arena.close();
  }
}
