package dev.sluice.gateway.nfs4.state;

import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The files that somebody has open. */
final class FileTable {
  private final ConcurrentHashMap<Object, FileState> files = new ConcurrentHashMap<>();

  /** The file with its lock taken; to be {@link #leave left}. */
  FileState enter(Object key) {
    while (true) {
      FileState file = files.computeIfAbsent(key, FileState::new);
      file.lock();
      if (!file.isGone()) {
        return file;
      }
      file.unlock();
    }
  }

  /** Releases the file's lock, and forgets the file if nobody has it open. */
  void leave(FileState file) {
    try {
      if (file.isLeft()) {
        files.remove(file.key(), file);
      }
    } finally {
      file.unlock();
    }
  }

  @Nullable FileState find(Object key) {
    return files.get(key);
  }

  int size() {
    return files.size();
  }
}
