package dev.sluice.sim.workload;

import dev.sluice.core.model.Operation;

/** The part of a file that a process reads or writes in one go, as fast as its window allows. */
final class Stretch {
  private final SimProcess process;
  private final FileCursor file;
  private final Operation operation;
  private final long requestBytes;
  private final int window;
  private long leftBytes;

  /** At the beginning of a new file that will have so many bytes. */
  Stretch(SimProcess process, long fileBytes, Operation operation, long requestBytes) {
    this.process = process;
    this.file = process.createFile(fileBytes);
    this.operation = operation;
    this.requestBytes = requestBytes;
    this.window = process.window();
    if (requestBytes < 1 || window < 1) {
      throw new IllegalArgumentException(
          process
              + ": a request has at least 1 byte and a window at least 1 request, not "
              + requestBytes
              + " and "
              + window);
    }
  }

  /** Begins with the next so many bytes of the file. */
  void begin(long bytes, long nowNanos) {
    leftBytes = bytes;
    proceed(nowNanos);
  }

  void proceed(long nowNanos) {
    while (leftBytes > 0 && process.outstanding() < window) {
      long bytes = file.within(Math.min(requestBytes, leftBytes));
      process.send(file.account(), operation, bytes, nowNanos);
      file.advance(bytes);
      leftBytes -= bytes;
    }
  }

  boolean isDone() {
    return leftBytes == 0 && process.outstanding() == 0;
  }
}
