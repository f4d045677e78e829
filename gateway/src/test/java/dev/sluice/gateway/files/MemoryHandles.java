package dev.sluice.gateway.files;

import dev.sluice.core.model.JobId;
import dev.sluice.nfs.nfs3.Nfs3Procedure;
import dev.sluice.nfs.xdr.XdrReader;
import dev.sluice.nfs.xdr.XdrWriter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Handles for tests: a checksum in the place of a signature. */
public final class MemoryHandles implements HandleCodec {
  public static final int CLAIM_BYTES_MAX = 24;

  private static final int FIXED_BYTES = 4 + 8 + 4;

  @Override
  public @Nullable FileHandle read(XdrReader in) {
    byte[] bytes = in.readOpaque(Nfs3Procedure.HANDLE_BYTES_MAX);
    if (bytes.length < FIXED_BYTES || bytes.length > FIXED_BYTES + CLAIM_BYTES_MAX) {
      return null;
    }
    ByteBuffer handle = ByteBuffer.wrap(bytes);
    int checksum = handle.getInt();
    if (checksum != Arrays.hashCode(Arrays.copyOfRange(bytes, 4, bytes.length))) {
      return null;
    }
    int exportId = handle.getInt();
    byte[] fileId = new byte[8];
    handle.get(fileId);
    byte[] claim = new byte[handle.remaining()];
    handle.get(claim);
    JobId job = claim.length == 0 ? null : JobId.of(new String(claim, StandardCharsets.UTF_8));
    return new FileHandle(exportId, job, fileId);
  }

  @Override
  public void write(FileHandle handle, XdrWriter out) {
    JobId job = handle.claimedJob();
    byte[] claim = (job == null ? "" : job.toString()).getBytes(StandardCharsets.UTF_8);
    if (claim.length > CLAIM_BYTES_MAX) {
      throw new IllegalArgumentException(
          "expected a job id of at most " + CLAIM_BYTES_MAX + " bytes, not " + claim.length);
    }
    ByteBuffer bytes = ByteBuffer.allocate(FIXED_BYTES + claim.length);
    bytes.putInt(0).putInt(handle.exportId()).put(handle.fileId()).put(claim);
    byte[] all = bytes.array();
    bytes.putInt(0, Arrays.hashCode(Arrays.copyOfRange(all, 4, all.length)));
    out.writeOpaque(all);
  }
}
