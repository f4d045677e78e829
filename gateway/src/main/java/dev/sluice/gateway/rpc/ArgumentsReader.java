package dev.sluice.gateway.rpc;

import dev.sluice.gateway.memory.BufferPool;
import dev.sluice.gateway.memory.NativeBuffer;
import dev.sluice.gateway.posix.Pipe;
import dev.sluice.gateway.posix.SystemCalls;
import dev.sluice.nfs.xdr.XdrReader;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Reads the arguments of calls. Those of a small one stand in the reader's input. A large one gets
 * a buffer of its own, or a small one and a pipe, which its contents go to as they came by the
 * network. For one thread.
 */
final class ArgumentsReader {
  /** Less is copied as quickly as it goes through a pipe, by measurement. */
  static final int PIPED_BYTES_MIN = 128 << 10;

  /** What may follow the contents: padding, and what else a COMPOUND wants. */
  private static final int TAIL_BYTES_MAX = 1 << 10;

  private final RecordReader records;
  private final BufferPool pool;
  private final IncomingPipes pipes;

  ArgumentsReader(RecordReader records, BufferPool pool, IncomingPipes pipes) {
    this.records = records;
    this.pool = pool;
    this.pipes = pipes;
  }

  /**
   * All arguments of the call whose record was read last, as far as it is here.
   *
   * @param record its buffer's position is at the first argument
   * @param argumentsAt where that is in the record
   */
  CallArguments read(RecordReader.Head record, Work work, int argumentsAt) throws IOException {
    if (record.isWhole()) {
      return new CallArguments.Lent(record.buffer());
    }
    int contentsBytes = contentsBytes(record, work, argumentsAt);
    Pipe pipe = contentsBytes < PIPED_BYTES_MIN ? null : pipes.take(contentsBytes);
    if (pipe == null) {
      return copied(record, argumentsAt);
    }
    return piped(record, argumentsAt, argumentsAt + work.contentsAt(), contentsBytes, pipe);
  }

  /** How many bytes of contents could go to a pipe; 0 where they had better not. */
  private int contentsBytes(RecordReader.Head record, Work work, int argumentsAt) {
    ByteBuffer head = record.buffer().bytes();
    int at = work.contentsAt();
    if (at < Integer.BYTES || at > head.remaining() || !records.isInOnePiece()) {
      return 0;
    }
    int count = head.getInt(head.position() + at - Integer.BYTES);
    if (count < 0 || count > record.bytesMax()) {
      return 0;
    }
    int tail = record.bytesMax() - argumentsAt - at - count;
    boolean isWhole = tail >= XdrReader.padded(count) - count;
    return isWhole && tail <= TAIL_BYTES_MAX ? count : 0;
  }

  private CallArguments copied(RecordReader.Head record, int argumentsAt) throws IOException {
    NativeBuffer buffer = pool.take(record.bytesMax());
    boolean isComplete = false;
    try {
      records.readRest(buffer);
      isComplete = true;
    } finally {
      if (!isComplete) {
        pool.giveBack(buffer);
      }
    }
    buffer.bytes().position(argumentsAt);
    return new CallArguments.Owned(buffer);
  }

  private CallArguments piped(
      RecordReader.Head record, int argumentsAt, int contentsAt, int contentsBytes, Pipe pipe)
      throws IOException {
    NativeBuffer around = null;
    CallArguments arguments = null;
    try {
      around = pool.take(record.bytesMax() - contentsBytes);
      if (records.readAround(around, contentsAt, contentsBytes, pipe)) {
        around.bytes().position(argumentsAt);
        arguments =
            new CallArguments.Piped(around, GivenContents.inPipe(pipes, pool, pipe, contentsAt));
        return arguments;
      }
      pipes.wereOfNoUse();
      return putTogether(record, argumentsAt, around, contentsAt, pipe);
    } finally {
      if (arguments == null) {
        pipes.giveBack(pipe);
        if (around != null) {
          pool.giveBack(around);
        }
      }
    }
  }

  /** Copies what is in a pipe that has no room for the rest, and reads that behind it. */
  private CallArguments putTogether(
      RecordReader.Head record, int argumentsAt, NativeBuffer head, int headBytes, Pipe pipe)
      throws IOException {
    NativeBuffer buffer = pool.take(record.bytesMax());
    boolean isComplete = false;
    try {
      ByteBuffer bytes = buffer.bytes();
      bytes.put(0, head.bytes(), 0, headBytes).position(headBytes);
      if (pipe.pour(bytes, SystemCalls.ofThisThread()) < 0) {
        throw new IOException("what came in cannot be taken out of a pipe");
      }
      records.readRest(buffer, bytes.position());
      isComplete = true;
    } finally {
      if (!isComplete) {
        pool.giveBack(buffer);
      }
    }
    buffer.bytes().position(argumentsAt);
    return new CallArguments.Owned(buffer);
  }
}
