package dev.sluice.gateway.files;

import dev.sluice.core.model.JobId;
import dev.sluice.nfs.nfs3.Nfs3Procedure;
import dev.sluice.nfs.xdr.XdrReader;
import dev.sluice.nfs.xdr.XdrWriter;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * File handles as they stand on the wire: signed, so that nobody can make one for a file, an export
 * or a job that was not given out. Safe for use by many threads.
 *
 * <p>A handle is a version (1 byte), the length of the claimed job's id (1), the export (4), the
 * job's id, the file's id, and eight bytes of SipHash-2-4 over all that.
 */
public final class FileHandles implements HandleCodec {
  /** The longest job id, in bytes of UTF-8, that a handle has room for. */
  public static final int JOB_BYTES_MAX = 16;

  private static final byte VERSION = 1;
  private static final int HEAD_BYTES = 6;
  private static final int SIGNATURE_BYTES = Long.BYTES;
  private static final int BYTES_MIN = HEAD_BYTES + 1 + SIGNATURE_BYTES;
  private static final int RECENT = 4096;
  private static final VarHandle BIG_ENDIAN_LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle BIG_ENDIAN_INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

  private final SipHash signer;

  // Handles that were found right lately, each at a place that its signature names: the same few
  // come again and again. Read and written without a lock, as what stands there never changes.
  private final @Nullable Known[] recent = new Known[RECENT];

  /** A handle on the wire and what it says. */
  private static final class Known {
    private final byte[] bytes;
    private final FileHandle handle;

    Known(byte[] bytes, FileHandle handle) {
      this.bytes = bytes;
      this.handle = handle;
    }
  }

  FileHandles(byte[] key) {
    this.signer = new SipHash(key);
  }

  /**
   * Signs with the key in this directory, and makes one where there is none yet.
   *
   * @throws IOException when it cannot be read or made, or is no key, or others may read it
   */
  public static FileHandles inDirectory(Path stateDirectory) throws IOException {
    return new FileHandles(HandleKey.inDirectory(stateDirectory));
  }

  /** Whether a handle has room for this job's id. */
  public static boolean fits(JobId job) {
    return job.toString().getBytes(StandardCharsets.UTF_8).length <= JOB_BYTES_MAX;
  }

  /** Writes a handle: its length, it, the padding. */
  @Override
  public void write(FileHandle handle, XdrWriter out) {
    out.writeOpaque(encode(handle));
  }

  /** Reads a handle; null when it is none that was given out here. */
  @Override
  public @Nullable FileHandle read(XdrReader in) {
    ByteBuffer buffer = in.buffer();
    int start = in.position() + Integer.BYTES;
    in.skipOpaque(Nfs3Procedure.HANDLE_BYTES_MAX);
    int length = buffer.getInt(start - Integer.BYTES);
    if (length < BYTES_MIN) {
      return null;
    }
    long signature = buffer.getLong(start + length - SIGNATURE_BYTES);
    int place = (int) signature & (RECENT - 1);
    Known known = recent[place];
    if (known != null && isAt(known.bytes, buffer, start, length)) {
      return known.handle;
    }
    byte[] bytes = new byte[length];
    buffer.get(start, bytes);
    if (signer.hash(bytes, length - SIGNATURE_BYTES) != signature) {
      return null;
    }
    FileHandle handle = decode(bytes);
    if (handle != null) {
      recent[place] = new Known(bytes, handle);
    }
    return handle;
  }

  private byte[] encode(FileHandle handle) {
    JobId claimed = handle.claimedJob();
    byte[] job =
        claimed == null ? new byte[0] : claimed.toString().getBytes(StandardCharsets.UTF_8);
    byte[] id = handle.fileId();
    if (job.length > JOB_BYTES_MAX || id.length > FileIds.BYTES_MAX) {
      throw new IllegalArgumentException(
          "a handle has room for a job id of "
              + JOB_BYTES_MAX
              + " bytes and a file id of "
              + FileIds.BYTES_MAX
              + ", not for "
              + job.length
              + " and "
              + id.length);
    }
    int signed = HEAD_BYTES + job.length + id.length;
    byte[] bytes = new byte[signed + SIGNATURE_BYTES];
    bytes[0] = VERSION;
    bytes[1] = (byte) job.length;
    BIG_ENDIAN_INT.set(bytes, 2, handle.exportId());
    System.arraycopy(job, 0, bytes, HEAD_BYTES, job.length);
    System.arraycopy(id, 0, bytes, HEAD_BYTES + job.length, id.length);
    BIG_ENDIAN_LONG.set(bytes, signed, signer.hash(bytes, signed));
    return bytes;
  }

  /** What a rightly signed handle says; null when it is of another version of ours. */
  private static @Nullable FileHandle decode(byte[] bytes) {
    int jobLength = bytes[1];
    int idAt = HEAD_BYTES + jobLength;
    int end = bytes.length - SIGNATURE_BYTES;
    if (bytes[0] != VERSION || jobLength < 0 || jobLength > JOB_BYTES_MAX || idAt >= end) {
      return null;
    }
    JobId job =
        jobLength == 0
            ? null
            : JobId.of(new String(bytes, HEAD_BYTES, jobLength, StandardCharsets.UTF_8));
    int exportId = (int) BIG_ENDIAN_INT.get(bytes, 2);
    return new FileHandle(exportId, job, Arrays.copyOfRange(bytes, idAt, end));
  }

  private static boolean isAt(byte[] expected, ByteBuffer buffer, int start, int length) {
    if (expected.length != length) {
      return false;
    }
    int at = 0;
    for (; at + Long.BYTES <= length; at += Long.BYTES) {
      if ((long) BIG_ENDIAN_LONG.get(expected, at) != buffer.getLong(start + at)) {
        return false;
      }
    }
    for (; at < length; at++) {
      if (expected[at] != buffer.get(start + at)) {
        return false;
      }
    }
    return true;
  }
}
