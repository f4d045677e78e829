package dev.sluice.gateway.files;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.SequencedMap;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * The file in which {@link PathFileIds} keeps what it remembers: one record for each place that a
 * file was seen at, or that it was forgotten. A record that was cut off by a crash ends the log.
 * Never more than a few times as long as what it says, as it is then written anew.
 *
 * <p>A record is the length of its body (2 bytes), the same with all bits turned so that damage is
 * not taken for a crash (2), the body's CRC-32 (4), and the body: the file's id, the directory's
 * id, the name. One without a name says that the file was forgotten. Not thread-safe.
 */
final class NameLog implements AutoCloseable {
  private static final int IDS_BYTES = 4 * Long.BYTES;
  private static final int NAME_BYTES_MAX = 4096;

  /** Short logs are not worth the trouble. */
  private static final int RECORDS_MIN = 10_000;

  private static final int COMPACT_WHEN_TIMES = 4;
  private static final int CHUNK_BYTES = 1 << 20;

  private final Path file;
  private @Nullable FileChannel channel;
  private long records;

  NameLog(Path file) {
    this.file = file;
  }

  /** Adds what the log says, oldest first. */
  void load(Map<InodeId, Place> places) throws IOException {
    if (!Files.exists(file)) {
      return;
    }
    try (DataInputStream in =
        new DataInputStream(new BufferedInputStream(Files.newInputStream(file)))) {
      while (loadRecord(in, places)) {
        records++;
      }
    } catch (EOFException cutOff) {
      // A crash while the last record was written; what is before it holds.
      records++;
    }
  }

  /** Writes the log anew, with nothing but these places, and goes on with it. */
  void compact(SequencedMap<InodeId, Place> places) throws IOException {
    DurableFiles.replace(
        file,
        out -> {
          ByteArrayOutputStream chunk = new ByteArrayOutputStream();
          for (Map.Entry<InodeId, Place> entry : places.sequencedEntrySet()) {
            chunk.writeBytes(record(entry.getKey(), entry.getValue()));
            if (chunk.size() > CHUNK_BYTES) {
              DurableFiles.writeAll(out, chunk.toByteArray());
              chunk.reset();
            }
          }
          DurableFiles.writeAll(out, chunk.toByteArray());
        });
    close();
    channel = FileChannel.open(file, WRITE, APPEND);
    records = places.size();
  }

  /** Writes the log anew if most of it no longer matters. */
  void compactIfLong(SequencedMap<InodeId, Place> places) throws IOException {
    if (records > RECORDS_MIN && records > (long) COMPACT_WHEN_TIMES * places.size()) {
      compact(places);
    }
  }

  /** Notes where a file was seen; null when it is forgotten. Not at all or whole. */
  void append(InodeId id, @Nullable Place place) throws IOException {
    FileChannel out = channel;
    if (out == null) {
      throw new IOException(file + " is closed");
    }
    long end = out.size();
    try {
      DurableFiles.writeAll(out, record(id, place));
      records++;
    } catch (IOException e) {
      out.truncate(end);
      throw e;
    }
  }

  @Override
  public void close() throws IOException {
    if (channel != null) {
      channel.close();
      channel = null;
    }
  }

  private static byte[] record(InodeId id, @Nullable Place place) throws IOException {
    byte[] name = place == null ? new byte[0] : place.name();
    InodeId directory = place == null ? id : place.directory();
    byte[] body =
        ByteBuffer.allocate(IDS_BYTES + name.length)
            .putLong(id.inode())
            .putLong(id.birthNanos())
            .putLong(directory.inode())
            .putLong(directory.birthNanos())
            .put(name)
            .array();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(2 * Integer.BYTES + body.length);
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeShort(body.length);
    out.writeShort(~body.length);
    out.writeInt(checksum(body));
    out.write(body);
    return bytes.toByteArray();
  }

  private boolean loadRecord(DataInputStream in, Map<InodeId, Place> places) throws IOException {
    int first = in.read();
    if (first < 0) {
      return false;
    }
    int length = first << 8 | in.readUnsignedByte();
    boolean turned = in.readUnsignedShort() == (~length & 0xffff);
    if (!turned || length < IDS_BYTES || length > IDS_BYTES + NAME_BYTES_MAX) {
      throw damaged("a length of " + length);
    }
    int expected = in.readInt();
    byte[] body = new byte[length];
    in.readFully(body);
    if (checksum(body) != expected) {
      throw damaged("a wrong checksum");
    }
    ByteBuffer values = ByteBuffer.wrap(body);
    InodeId id = new InodeId(values.getLong(), values.getLong());
    InodeId directory = new InodeId(values.getLong(), values.getLong());
    byte[] name = new byte[values.remaining()];
    values.get(name);
    // Taken out first, so that it is the youngest now.
    places.remove(id);
    if (name.length > 0) {
      places.put(id, new Place(directory, name));
    }
    return true;
  }

  private IOException damaged(String what) {
    return new IOException(
        file
            + ": record "
            + (records + 1)
            + " has "
            + what
            + "; remove the file to go on without the handles that it remembers");
  }

  private static int checksum(byte[] body) {
    CRC32 crc = new CRC32();
    crc.update(body);
    return (int) crc.getValue();
  }
}
