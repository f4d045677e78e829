package dev.sluice.gateway.memory;

import dev.sluice.gateway.posix.SystemCalls;
import dev.sluice.nfs.xdr.XdrReader;
import dev.sluice.nfs.xdr.XdrWriter;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Objects;

/** A direct buffer with its address, and a reader and a writer on it. For one thread at a time. */
public final class NativeBuffer {
  /** The largest that there are. */
  private static final long PAGE_BYTES = 64 << 10;

  /** For less nobody asks the system. */
  private static final long PAGES_BYTES_MIN = 512 << 10;

  private final ByteBuffer bytes;
  private final long address;
  private final XdrReader reader;
  private final XdrWriter writer;
  private boolean taken;

  NativeBuffer(int capacity) {
    bytes = ByteBuffer.allocateDirect(capacity);
    address = MemorySegment.ofBuffer(bytes).address();
    reader = new XdrReader(bytes);
    writer = new XdrWriter(bytes);
  }

  /** The buffer itself, big-endian. */
  public ByteBuffer bytes() {
    return bytes;
  }

  /** Reads at the buffer's position. */
  public XdrReader reader() {
    return reader;
  }

  /** Writes at the buffer's position. */
  public XdrWriter writer() {
    return writer;
  }

  public int capacity() {
    return bytes.capacity();
  }

  /** Where in memory this part of the buffer is; checked, because the system checks nothing. */
  public long address(int offset, int length) {
    Objects.checkFromIndexSize(offset, length, bytes.capacity());
    return address + offset;
  }

  /** A buffer that is given back twice would be two requests' at once. */
  void take() {
    if (taken) {
      throw new IllegalStateException("the buffer is in use");
    }
    taken = true;
    bytes.clear();
  }

  /**
   * Nobody will take it again. Its memory is the process's until the collector comes by, which sees
   * nothing but a small object; the pages of a large one are given back at once.
   */
  void letGo() {
    long begin = (address + PAGE_BYTES - 1) & -PAGE_BYTES;
    long end = (address + bytes.capacity()) & -PAGE_BYTES;
    if (end - begin >= PAGES_BYTES_MIN) {
      SystemCalls.ofThisThread().giveBackPages(begin, end - begin);
    }
  }

  void giveBack() {
    if (!taken) {
      throw new IllegalStateException("the buffer was given back already");
    }
    taken = false;
  }
}
