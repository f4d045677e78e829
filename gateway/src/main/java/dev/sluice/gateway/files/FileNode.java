package dev.sluice.gateway.files;

/**
 * A file in use: while it is held, what is kept open for it stays open. To be closed by whoever
 * got it.
 */
public interface FileNode extends AutoCloseable {
  FileHandle handle();

  @Override
  void close();
}
