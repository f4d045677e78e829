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

  /** A buffer of the call's own, but for contents that are in a pipe. */
  record Piped(NativeBuffer buffer, GivenContents contents) implements CallArguments {}

  /** The contents in it. */
  default GivenContents contents() {
    return GivenContents.AMONG_ARGUMENTS;
  }

  /** The same in a buffer of the call's own. */
  default CallArguments owned(BufferPool pool) {
    return switch (this) {
      case Owned owned -> owned;
      case Piped piped -> piped;
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
    switch (this) {
      case Lent _ -> {}
      case Owned(NativeBuffer owned) -> pool.giveBack(owned);
      case Piped(NativeBuffer owned, GivenContents piped) -> {
        pool.giveBack(owned);
        piped.release();
      }
    }
  }
}
