package dev.sluice.load.play;

import dev.sluice.load.client.Answers;
import dev.sluice.load.client.ByteRanges;
import dev.sluice.load.client.CommitLedger;
import dev.sluice.load.client.DataSink;
import dev.sluice.load.client.Handle;
import dev.sluice.load.client.NfsClient;
import dev.sluice.load.client.RpcException;
import dev.sluice.nfs.nfs3.StableHow;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * A file on the server, with the {@link Contents} that it should have. Writes are unstable until
 * {@link #commit}, which also writes again what a server lost that was restarted.
 */
final class PlayFile {
  /** How many pieces are under way at once where there is no process whose window says so. */
  private static final int PIECES_AT_ONCE = 4;

  /** The rare rest of a short answer is asked for here: the thread of the answers must not call. */
  private static final Executor ELSEWHERE = Thread::startVirtualThread;

  private final NfsClient client;
  private final Handle handle;
  private final String name;
  private final Contents contents;
  private final int transferBytesMax;
  private final boolean comparing;

  /** Guarded by this object's lock, like the next one. */
  private final CommitLedger ledger = new CommitLedger();

  private final ByteRanges written = new ByteRanges();

  /**
   * A file.
   *
   * @param name for messages
   * @param transferBytesMax how much one call may move
   * @param comparing whether whatever is read is held against what should be there
   */
  PlayFile(
      NfsClient client,
      Handle handle,
      String name,
      Contents contents,
      int transferBytesMax,
      boolean comparing) {
    this.client = client;
    this.handle = handle;
    this.name = name;
    this.contents = contents;
    this.transferBytesMax = transferBytesMax;
    this.comparing = comparing;
  }

  /** Something that is done to a piece of the file and answers how many bytes that were. */
  @FunctionalInterface
  interface Transfer {
    CompletableFuture<Long> move(long offset, long length);
  }

  /** Writes a piece, in as many calls as that takes. */
  CompletableFuture<Long> write(long offset, long length) {
    return inCalls(offset, length, this::writeOnce);
  }

  /** Reads a piece, in as many calls as that takes; fails where the file is shorter or wrong. */
  CompletableFuture<Long> read(long offset, long length) {
    return inCalls(offset, length, this::readOnce);
  }

  private CompletableFuture<Long> inCalls(long offset, long length, Transfer call) {
    if (length <= transferBytesMax) {
      return call.move(offset, length);
    }
    List<CompletableFuture<Long>> calls = new ArrayList<>();
    for (long at = 0; at < length; at += transferBytesMax) {
      calls.add(call.move(offset + at, Math.min(transferBytesMax, length - at)));
    }
    return CompletableFuture.allOf(calls.toArray(CompletableFuture[]::new)).thenApply(_ -> length);
  }

  private CompletableFuture<Long> writeOnce(long offset, long length) {
    return client
        .write(handle, offset, contents.piece(offset, (int) length), StableHow.UNSTABLE)
        .thenCompose(answer -> {
          note(offset, answer);
          return rest(offset, length, answer.count(), this::writeOnce);
        });
  }

  private synchronized void note(long offset, NfsClient.Written answer) {
    ledger.written(offset, answer);
    written.add(offset, offset + answer.count());
  }

  private CompletableFuture<Long> readOnce(long offset, long length) {
    Comparison comparison = new Comparison(offset);
    return client
        .read(handle, offset, (int) length, comparing ? comparison : DataSink.NOWHERE)
        .thenCompose(answer -> {
          if (comparison.difference != Contents.NO_DIFFERENCE) {
            return failed(name + ": byte " + comparison.difference + " is not what was written");
          }
          if (answer.count() == 0 || (answer.endOfFile() && answer.count() < length)) {
            return failed(name + " ends at byte " + (offset + answer.count()));
          }
          return rest(offset, length, answer.count(), this::readOnce);
        });
  }

  private static CompletableFuture<Long> failed(String message) {
    return CompletableFuture.failedFuture(new RpcException(message));
  }

  private static CompletableFuture<Long> rest(long offset, long length, int count, Transfer call) {
    if (count == length) {
      return CompletableFuture.completedFuture(length);
    }
    return CompletableFuture.completedFuture(count)
        .thenComposeAsync(_ -> call.move(offset + count, length - count), ELSEWHERE)
        .thenApply(_ -> length);
  }

  /** Looks at what was read. */
  private final class Comparison implements DataSink {
    private final long offset;
    private long difference = Contents.NO_DIFFERENCE;

    Comparison(long offset) {
      this.offset = offset;
    }

    @Override
    public void accept(ByteBuffer data) {
      difference = contents.firstDifference(data, offset);
    }
  }

  /** Waits until the server can lose nothing of it any more; nothing else is under way. */
  void commit() throws IOException {
    for (State state = state(); !state.safe; state = state()) {
      for (ByteRanges.Range range : state.toRewrite) {
        move(range, this::writeOnce);
      }
      long verifier = Answers.await(client.commit(handle));
      synchronized (this) {
        ledger.committed(verifier);
      }
    }
  }

  /** What a commit has to do. */
  private record State(boolean safe, List<ByteRanges.Range> toRewrite) {}

  private synchronized State state() {
    return new State(ledger.isSafe(), ledger.toRewrite());
  }

  /** Fills it, up to a length, with what should be there. */
  void fill(long bytes) throws IOException {
    move(new ByteRanges.Range(0, bytes), this::writeOnce);
    commit();
  }

  /** Reads back all that was ever written; answers how many bytes that are. */
  long verify() throws IOException {
    List<ByteRanges.Range> ranges;
    synchronized (this) {
      ranges = written.list();
    }
    long bytes = 0;
    for (ByteRanges.Range range : ranges) {
      move(range, this::readOnce);
      bytes += range.length();
    }
    return bytes;
  }

  /** Ends its use. */
  void close() throws IOException {
    Answers.await(client.closeFile(handle));
  }

  private void move(ByteRanges.Range range, Transfer call) throws IOException {
    ArrayDeque<CompletableFuture<Long>> underWay = new ArrayDeque<>();
    for (long at = range.start(); at < range.end(); at += transferBytesMax) {
      if (underWay.size() == PIECES_AT_ONCE) {
        Answers.await(underWay.remove());
      }
      underWay.add(call.move(at, Math.min(transferBytesMax, range.end() - at)));
    }
    while (!underWay.isEmpty()) {
      Answers.await(underWay.remove());
    }
  }
}
