package dev.sluice.gateway.rpc;

import dev.sluice.core.model.Operation;
import dev.sluice.gateway.files.FileHandle;
import org.jspecify.annotations.Nullable;

/**
 * What a call asks for, as far as it matters for when it is served.
 *
 * @param handle the file it is about first; null where it is about none or the handle is not ours
 * @param operation null for calls that are served at once, such as mounting
 * @param bytes of file contents it wants moved
 * @param replyBytesMax room that its results may need
 * @param replayed whether a repetition is to be answered from memory
 * @param remembered what its program needs to refuse it without its arguments; null where nothing
 * @param begunBefore whether a server that died began it, and may have done it
 * @param contentsAt where the contents begin that it wants written, behind the number of their
 *     bytes and counted from its first argument; {@link #NO_CONTENTS} where there are none, or
 *     nobody saw where
 */
public record Work(
    @Nullable FileHandle handle,
    @Nullable Operation operation,
    int bytes,
    int replyBytesMax,
    boolean replayed,
    @Nullable Object remembered,
    boolean begunBefore,
    int contentsAt) {
  /** Of a call of which nobody knows where contents are. */
  public static final int NO_CONTENTS = -1;

  /** Of a call that can be refused without looking back. */
  public Work(
      @Nullable FileHandle handle,
      @Nullable Operation operation,
      int bytes,
      int replyBytesMax,
      boolean replayed) {
    this(handle, operation, bytes, replyBytesMax, replayed, null);
  }

  /** Of a call that nobody began before. */
  public Work(
      @Nullable FileHandle handle,
      @Nullable Operation operation,
      int bytes,
      int replyBytesMax,
      boolean replayed,
      @Nullable Object remembered) {
    this(handle, operation, bytes, replyBytesMax, replayed, remembered, false, NO_CONTENTS);
  }

  /** The same, with contents to be written that begin there. */
  public Work withContentsAt(int position) {
    return new Work(
        handle, operation, bytes, replyBytesMax, replayed, remembered, begunBefore, position);
  }

  /** The same, which may have been done by a server that died. */
  Work begunByAnother() {
    return new Work(
        handle, operation, bytes, replyBytesMax, replayed, remembered, true, contentsAt);
  }

  /** Room for what is said of a call that is not done. */
  private static final int REFUSAL_BYTES_MAX = 256;

  /** The same, but that it is not done. */
  Work refused() {
    return new Work(handle, operation, 0, REFUSAL_BYTES_MAX, false, remembered);
  }
}
