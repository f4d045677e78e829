package dev.sluice.gateway.files;

import dev.sluice.nfs.xdr.XdrReader;
import dev.sluice.nfs.xdr.XdrWriter;
import org.jspecify.annotations.Nullable;

/**
 * File handles as they stand on the wire (nfs_fh3): counted bytes that only we can make. Safe for
 * use by many threads.
 */
public interface HandleCodec {
  /** Reads a handle and moves past it; null when it is not one that we gave out. */
  @Nullable FileHandle read(XdrReader in);

  /**
   * Writes a handle that {@link #read} will take.
   *
   * @throws IllegalArgumentException when a handle has no room for the id of the job that is
   *     claimed
   */
  void write(FileHandle handle, XdrWriter out);
}
