package dev.sluice.history.frame;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.zip.CRC32C;

/** Reads a file of records that may still grow, or whose writer died. */
public final class FrameReader {
  /** More than any record takes; a bound on what is read into memory. */
  public static final int RECORD_BYTES_MAX = 64 << 20;

  private FrameReader() {}

  /** How a file ended. */
  public enum End {
    /** All of it was whole. */
    CLEAN,
    /** In the middle of a record, or something else is wrong: no record after that was read. */
    DAMAGED,
    /** It does not begin as it should. */
    FOREIGN
  }

  /**
   * Hands over the records of a file, one after another.
   *
   * @param magic the first line that it must have
   * @param records may throw {@link MalformedRecordException}, which ends it
   */
  public static End read(Path file, String magic, Consumer<byte[]> records) throws IOException {
    CRC32C checksum = new CRC32C();
    byte[] head = FrameWriter.head(magic);
    try (InputStream opened = Files.newInputStream(file);
        DataInputStream in = new DataInputStream(new BufferedInputStream(opened, 1 << 16))) {
      if (!Arrays.equals(in.readNBytes(head.length), head)) {
        return End.FOREIGN;
      }
      while (true) {
        int first = in.read();
        if (first < 0) {
          return End.CLEAN;
        }
        int length = first << 24 | in.readUnsignedByte() << 16 | in.readUnsignedShort();
        int expected = in.readInt();
        if (length < 0 || length > RECORD_BYTES_MAX) {
          return End.DAMAGED;
        }
        byte[] payload = in.readNBytes(length);
        checksum.reset();
        checksum.update(payload);
        if (payload.length < length || (int) checksum.getValue() != expected) {
          return End.DAMAGED;
        }
        records.accept(payload);
      }
    } catch (EOFException | MalformedRecordException e) {
      return End.DAMAGED;
    }
  }
}
