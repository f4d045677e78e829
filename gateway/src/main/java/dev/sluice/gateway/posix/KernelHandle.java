package dev.sluice.gateway.posix;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.MemorySegment;

/**
 * The handle by which the kernel knows a file (struct file_handle), as name_to_handle_at gave it
 * last to a thread, or as it is to be opened.
 */
public final class KernelHandle {
  static final int BYTES_MAX = 128;
  static final int HEAD_BYTES = 8;

  private final MemorySegment memory;
  private final MemorySegment mountId;

  KernelHandle(MemorySegment memory, MemorySegment mountId) {
    this.memory = memory;
    this.mountId = mountId;
  }

  void makeRoom() {
    memory.set(JAVA_INT, 0, BYTES_MAX);
  }

  public int type() {
    return memory.get(JAVA_INT, 4);
  }

  public int length() {
    return memory.get(JAVA_INT, 0);
  }

  /** The mount that the file was found in. */
  public int mountId() {
    return mountId.get(JAVA_INT, 0);
  }

  /** Copies the handle to an array. */
  public void copyTo(byte[] into, int offset) {
    MemorySegment.copy(memory, JAVA_BYTE, HEAD_BYTES, into, offset, length());
  }

  /** Sets what is to be opened. */
  public void set(int type, byte[] from, int offset, int length) {
    memory.set(JAVA_INT, 0, length);
    memory.set(JAVA_INT, 4, type);
    MemorySegment.copy(from, offset, memory, JAVA_BYTE, HEAD_BYTES, length);
  }
}
