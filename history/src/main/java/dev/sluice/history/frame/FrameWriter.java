package dev.sluice.history.frame;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.zip.CRC32C;

/**
 * Writes a file of records, each with its length and its checksum in front, so that a reader knows
 * where a writer died. Only its owner may read the file. Not thread-safe.
 */
public final class FrameWriter implements AutoCloseable {
  static final int HEAD_BYTES = 8;

  private final FileChannel channel;
  private final CRC32C checksum = new CRC32C();
  private long size;

  private FrameWriter(FileChannel channel) {
    this.channel = channel;
  }

  /**
   * Begins a file, which must not be there.
   *
   * @param magic its first line, by which readers know what it is
   */
  public static FrameWriter create(Path file, String magic) throws IOException {
    FileChannel channel =
        FileChannel.open(
            file,
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    FrameWriter writer = new FrameWriter(channel);
    try {
      writer.write(ByteBuffer.wrap(head(magic)));
    } catch (IOException e) {
      channel.close();
      // On a full disk there would be one more empty file with every try.
      Files.deleteIfExists(file);
      throw e;
    }
    return writer;
  }

  static byte[] head(String magic) {
    return (magic + "\n").getBytes(StandardCharsets.US_ASCII);
  }

  /** How large the file is. */
  public long size() {
    return size;
  }

  /** Appends a record; when it returns, the record survives this program and the machine. */
  public void append(ByteSink record) throws IOException {
    checksum.reset();
    checksum.update(record.array(), 0, record.size());
    ByteBuffer frame = ByteBuffer.allocate(HEAD_BYTES + record.size());
    frame.putInt(record.size()).putInt((int) checksum.getValue());
    frame.put(record.array(), 0, record.size()).flip();
    write(frame);
    channel.force(false);
  }

  private void write(ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      size += channel.write(bytes);
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
