package dev.sluice.gateway.files;

import dev.sluice.gateway.posix.SystemCalls;
import java.io.IOException;

/**
 * What the files of a tree are known by across restarts. All files are of the mount that the tree's
 * root is in: whatever else is mounted below is refused with ACCES. Safe for use by many threads.
 */
interface FileIds extends AutoCloseable {
  /** The longest id, so that a handle has room for the rest. */
  int BYTES_MAX = 34;

  /** The id of an open file. */
  byte[] of(int descriptor, SystemCalls calls) throws FileException;

  /** The id of the file with this name, as whoever the thread is. */
  byte[] at(int directory, byte[] name, SystemCalls calls) throws FileException;

  /** A descriptor that stands for the file; STALE when there is none any more. */
  int open(byte[] id, SystemCalls calls) throws FileException;

  /** The file was seen under this name; IO when that cannot be kept. */
  void seen(byte[] id, byte[] directoryId, byte[] name) throws FileException;

  /** The file does not have this name any more. */
  void gone(byte[] id, byte[] directoryId, byte[] name);

  /** Renames something, while no file is looked for by its name. */
  void whileNoneIsOpened(Renaming renaming) throws FileException;

  /** What changes where files are to be found. */
  @FunctionalInterface
  interface Renaming {
    void run() throws FileException;
  }

  @Override
  void close() throws IOException;
}
