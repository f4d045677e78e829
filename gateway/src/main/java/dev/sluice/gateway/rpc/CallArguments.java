package dev.sluice.gateway.rpc;

import dev.sluice.gateway.memory.BufferPool;
import dev.sluice.gateway.memory.NativeBuffer;
import java.nio.ByteBuffer;

/**
 * Where the arguments of a call stand, between the buffer's position and its limit, and whose the
 * buffer is.
 */
sealed interface CallArguments {
  NativeBuffer buffer();

  /** The reader's input: good until it reads on, and not ours to give back. */
  record Lent(NativeBuffer buffer) implements CallArguments {}

  /** A buffer of the call's own. */
  record Owned(NativeBuffer buffer) implements CallArguments {}

  /** The same in a buffer of the call's own. */
  default Owned owned(BufferPool pool) {
    return switch (this) {
      case Owned owned -> owned;
      case Lent(NativeBuffer lent) -> {
        ByteBuffer from = lent.bytes();
        NativeBuffer copy = pool.take(from.remaining());
        copy.bytes().put(0, from, from.position(), from.remaining()).limit(from.remaining());
        yield new Owned(copy);
      }
    };
  }

  /** Nobody needs them any more. */
  default void release(BufferPool pool) {
    if (this instanceof Owned(NativeBuffer owned)) {
      pool.giveBack(owned);
    }
  }
}
