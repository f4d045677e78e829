package dev.sluice.gateway.memory;

import dev.sluice.nfs.nfs3.Nfs3Sizes;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Direct buffers in a few sizes, kept for the next who needs one: getting one from the system costs
 * more than most requests. How many are out is the business of who takes them; how many are kept
 * here is bounded, and those that nobody needs are let go. Safe for use by many threads.
 */
public final class BufferPool {
  /** What may stand around contents. */
  private static final int AROUND_BYTES = 96 << 10;

  /** The largest there is: a request with as much as one moves, and what stands around it. */
  public static final int CAPACITY_MAX = Nfs3Sizes.TRANSFER_BYTES_MAX + AROUND_BYTES;

  private static final int[] CAPACITIES = {
    512,
    4 << 10,
    16 << 10,
    64 << 10,
    256 << 10,
    Nfs3Sizes.TRANSFER_BYTES_USUAL + AROUND_BYTES,
    CAPACITY_MAX
  };

  private final Shelf[] shelves = new Shelf[CAPACITIES.length];
  private final AtomicLong outBytes = new AtomicLong();

  /** Buffers of one size. */
  private static final class Shelf {
    final int capacity;
    final int keptMax;
    private final ArrayDeque<NativeBuffer> kept = new ArrayDeque<>();

    /** How many lay here all the time since somebody looked. */
    private int unused;

    Shelf(int capacity, int keptMax) {
      this.capacity = capacity;
      this.keptMax = keptMax;
    }

    synchronized @Nullable NativeBuffer take() {
      // The last that came back is the likeliest to be in the processor's cache.
      NativeBuffer last = kept.pollLast();
      unused = Math.min(unused, kept.size());
      return last;
    }

    synchronized boolean keep(NativeBuffer buffer) {
      if (kept.size() >= keptMax) {
        return false;
      }
      kept.addLast(buffer);
      return true;
    }

    synchronized long keptBytes() {
      return (long) kept.size() * capacity;
    }

    synchronized void letGoOfUnused() {
      for (int i = 0; i < unused; i++) {
        kept.removeFirst().letGo();
      }
      unused = kept.size();
    }
  }

  /** Keeps so many bytes at most in each of a handful of sizes. */
  public BufferPool(long keptBytesPerSize) {
    for (int i = 0; i < CAPACITIES.length; i++) {
      shelves[i] = new Shelf(CAPACITIES[i], (int) (keptBytesPerSize / CAPACITIES[i]));
    }
  }

  /** What a buffer for so many bytes takes. */
  public static int capacityFor(int bytes) {
    return CAPACITIES[indexFor(bytes)];
  }

  private static int indexFor(int bytes) {
    for (int i = 0; i < CAPACITIES.length; i++) {
      if (bytes <= CAPACITIES[i]) {
        return i;
      }
    }
    throw new IllegalArgumentException(
        "a buffer has at most " + CAPACITY_MAX + " bytes, not " + bytes);
  }

  /** A cleared buffer for so many bytes, with whatever was in it before. */
  public NativeBuffer take(int bytes) {
    Shelf shelf = shelves[indexFor(bytes)];
    NativeBuffer buffer = shelf.take();
    if (buffer == null) {
      buffer = new NativeBuffer(shelf.capacity);
    }
    buffer.take();
    outBytes.addAndGet(buffer.capacity());
    return buffer;
  }

  /** Takes a buffer back; the caller touches it no more. */
  public void giveBack(NativeBuffer buffer) {
    buffer.giveBack();
    outBytes.addAndGet(-buffer.capacity());
    if (!shelves[indexFor(buffer.capacity())].keep(buffer)) {
      buffer.letGo();
    }
  }

  /** Lets go of those that were of no use to anybody since this was asked for last. */
  public void letGoOfUnused() {
    for (Shelf shelf : shelves) {
      shelf.letGoOfUnused();
    }
  }

  /** How many bytes are kept for the next who needs them. */
  long keptBytes() {
    long bytes = 0;
    for (Shelf shelf : shelves) {
      bytes += shelf.keptBytes();
    }
    return bytes;
  }

  /** How many bytes are in use. */
  public long outBytes() {
    return outBytes.get();
  }
}
