package dev.sluice.load.play;

import dev.sluice.core.model.Operation;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;

/**
 * Reads or writes a file on and on, from the beginning again when it is as long as files may be.
 */
final class FileStream {
  private final PlayFile file;
  private final Operation operation;
  private final long fileBytes;
  private long offset;

  /**
   * At the beginning.
   *
   * @param operation {@link Operation#READ} or {@link Operation#WRITE}
   * @param fileBytes how long the file is or becomes
   */
  FileStream(PlayFile file, Operation operation, long fileBytes) {
    if (operation != Operation.READ && operation != Operation.WRITE) {
      throw new IllegalArgumentException("a file is read or written, not " + operation.text());
    }
    this.file = file;
    this.operation = operation;
    this.fileBytes = Math.max(1, fileBytes);
  }

  /** Makes what is to be read. */
  void prepare() throws IOException {
    if (operation == Operation.READ) {
      file.fill(fileBytes);
    }
  }

  /** The next request; where it meets the end of the file, the rest is at the beginning. */
  CompletableFuture<Long> request(long bytes) {
    long here = Math.min(bytes, fileBytes - offset);
    CompletableFuture<Long> moved =
        operation == Operation.READ ? file.read(offset, here) : file.write(offset, here);
    offset = offset + here == fileBytes ? 0 : offset + here;
    return here == bytes ? moved : moved.thenCombine(request(bytes - here), Long::sum);
  }

  /**
   * Moves so many bytes, as fast as the window allows, and waits for them; answers whether the play
   * was still on when the last was sent.
   */
  boolean move(long bytes, long requestBytes, Stage stage) throws IOException {
    long left = bytes;
    while (left > 0 && !stage.time().isOver()) {
      long next = Math.min(requestBytes, left);
      stage.requests().send(() -> request(next));
      left -= next;
    }
    stage.requests().awaitAll();
    return left == 0;
  }

  /** Waits until the server can lose nothing any more. */
  void commit() throws IOException {
    file.commit();
  }
}
