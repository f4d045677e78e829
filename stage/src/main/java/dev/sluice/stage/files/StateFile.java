package dev.sluice.stage.files;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.sluice.core.model.Operation;
import dev.sluice.stage.layout.StageLayout;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a job's processes tell the agent: tickets, waiters and counters. It is read as a file and
 * never mapped: a job may cut it short, and may write into it what it likes. What is missing reads
 * as zeros. Not thread-safe.
 */
public final class StateFile implements AutoCloseable {
  /** Where nobody waits. */
  public static final long NOBODY = Long.MAX_VALUE;

  /** More than any job does; those of all shards together are still a number. */
  private static final long COUNTER_MAX = 1L << 55;

  private static final int CLAIMS_PER_WAITER = 6;
  private static final int BUCKET_WIDTH = 8;
  private static final long BUCKET_BITS = 0xff;

  /** For one file at a time: an agent has many, and reads one after the other. */
  private static final ThreadLocal<ByteBuffer> BYTES = ThreadLocal.withInitial(StateFile::room);

  private final FileChannel channel;

  private StateFile(FileChannel channel) {
    this.channel = channel;
  }

  static StateFile create(Path file, long token) throws IOException {
    FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
    StateFile state = new StateFile(channel);
    ByteBuffer image = room();
    MemorySegment head = MemorySegment.ofBuffer(image);
    StageHeader.write(head, StageLayout.STATE_BYTES, token);
    head.set(JAVA_LONG, StageLayout.HEADER_MAGIC, StageLayout.STATE_MAGIC);
    ByteBuffer all = image.duplicate();
    while (all.hasRemaining()) {
      channel.write(all, all.position());
    }
    return state;
  }

  static StateFile open(Path file) throws IOException {
    return new StateFile(
        FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
  }

  /** Whether this is the state of the job that the control file is about. */
  boolean belongsTo(long token) throws IOException {
    read(0, StageLayout.HEADER_SIZE);
    MemorySegment head = MemorySegment.ofBuffer(BYTES.get());
    return StageHeader.isGood(head, StageLayout.STATE_MAGIC, StageLayout.STATE_BYTES)
        && head.get(JAVA_LONG, StageLayout.HEADER_TOKEN) == token;
  }

  /** How many programs have ever loaded the library for this job. */
  public long attached() throws IOException {
    return counter(StageLayout.ATTACHED);
  }

  /** How many times a program could not come under all limits that it was told of. */
  public long attachFailures() throws IOException {
    return counter(StageLayout.ATTACH_FAILURES);
  }

  private long counter(int at) throws IOException {
    read(at, Long.BYTES);
    return possible(BYTES.get().getLong(at));
  }

  /** Each bucket's ticket counter, in units. */
  public long[] tickets() throws IOException {
    ByteBuffer bytes = BYTES.get();
    read(StageLayout.TICKETS, StageLayout.TICKET_SIZE * StageLayout.BUCKETS);
    long[] tickets = new long[StageLayout.BUCKETS];
    for (int bucket = 0; bucket < tickets.length; bucket++) {
      tickets[bucket] = bytes.getLong(StageLayout.TICKETS + StageLayout.TICKET_SIZE * bucket);
    }
    return tickets;
  }

  /**
   * How far beyond its line the first ticket begins of those who wait, in units, for each bucket;
   * {@link #NOBODY} where nobody does.
   *
   * @param lines where each bucket's line is
   * @param nowNanos read before; who has not been seen for longer than the threshold is dead
   * @return null when some who wait found no room in the list, so that nobody knows
   */
  public long @Nullable [] firstClaims(long[] lines, long nowNanos) throws IOException {
    ByteBuffer bytes = BYTES.get();
    read(StageLayout.UNLISTED_NANOS, Long.BYTES);
    if (isAlive(bytes.getLong(StageLayout.UNLISTED_NANOS), nowNanos)) {
      return null;
    }
    read(StageLayout.WAITER_SLOTS, StageLayout.WAITER_SIZE * StageLayout.WAITERS);
    long[] first = new long[StageLayout.BUCKETS];
    Arrays.fill(first, NOBODY);
    for (int i = 0; i < StageLayout.WAITERS; i++) {
      int waiter = StageLayout.WAITER_SLOTS + StageLayout.WAITER_SIZE * i;
      if (!isAlive(bytes.getLong(waiter + StageLayout.WAITER_SEEN_NANOS), nowNanos)) {
        continue;
      }
      long count = bytes.getLong(waiter + StageLayout.WAITER_BUCKET_COUNT);
      for (int k = 0; k < Math.clamp(count, 0, CLAIMS_PER_WAITER); k++) {
        long claim = bytes.getLong(waiter + StageLayout.WAITER_CLAIMS + Long.BYTES * k);
        int bucket = (int) (claim & BUCKET_BITS) % StageLayout.BUCKETS;
        // What is left of the ticket is compared in as many bits as it has.
        long beyond = ((claim >>> BUCKET_WIDTH) - lines[bucket]) << BUCKET_WIDTH >> BUCKET_WIDTH;
        first[bucket] = Math.min(first[bucket], beyond);
      }
    }
    return first;
  }

  private static ByteBuffer room() {
    return ByteBuffer.allocateDirect(StageLayout.STATE_BYTES).order(ByteOrder.nativeOrder());
  }

  private static boolean isAlive(long seenNanos, long nowNanos) {
    return seenNanos != 0
        && seenNanos >= nowNanos - StageLayout.WAITER_DEAD_NANOS
        && seenNanos <= nowNanos + StageLayout.WAITER_DEAD_NANOS;
  }

  /** What has been done so far, of every operation that the library sees. */
  public Map<Operation, OperationUsage> usage() throws IOException {
    ByteBuffer bytes = BYTES.get();
    int all = StageLayout.COUNTER_SHARD_SIZE * StageLayout.SHARDS;
    read(StageLayout.COUNTERS, all);
    Map<Operation, OperationUsage> usage = new EnumMap<>(Operation.class);
    for (int i = 0; i < StageLayout.OPERATIONS.size(); i++) {
      long calls = 0;
      long moved = 0;
      long waits = 0;
      long waitedNanos = 0;
      for (int shard = 0; shard < StageLayout.SHARDS; shard++) {
        int at =
            StageLayout.COUNTERS
                + StageLayout.COUNTER_SHARD_SIZE * shard
                + StageLayout.COUNTER_SIZE * i;
        calls += possible(bytes.getLong(at + StageLayout.COUNTER_CALLS));
        moved += possible(bytes.getLong(at + StageLayout.COUNTER_BYTES));
        waits += possible(bytes.getLong(at + StageLayout.COUNTER_WAITS));
        waitedNanos += possible(bytes.getLong(at + StageLayout.COUNTER_WAITED_NANOS));
      }
      usage.put(
          StageLayout.OPERATIONS.get(i), new OperationUsage(calls, moved, waits, waitedNanos));
    }
    return usage;
  }

  /** A counter's value, or nothing where no counter can have come so far. */
  private static long possible(long value) {
    return value < 0 || value > COUNTER_MAX ? 0 : value;
  }

  private void read(int from, int size) throws IOException {
    ByteBuffer part = BYTES.get().duplicate().limit(from + size).position(from);
    while (part.hasRemaining() && channel.read(part, part.position()) > 0) {
      // Until all is there.
    }
    while (part.hasRemaining()) {
      part.put((byte) 0);
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
