package dev.sluice.gateway.files;

import dev.sluice.core.model.JobId;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What a file handle says, once its signature was found right: which export, which file, and which
 * job the client claimed to be when it mounted.
 */
public final class FileHandle {
  private final int exportId;
  private final @Nullable JobId claimedJob;
  private final byte[] fileId;
  private final int hash;

  /** The array is given up by the caller. */
  FileHandle(int exportId, @Nullable JobId claimedJob, byte[] fileId) {
    this.exportId = exportId;
    this.claimedJob = claimedJob;
    this.fileId = fileId;
    this.hash = 31 * exportId + Arrays.hashCode(fileId);
  }

  /**
   * The handle of something that is in no tree of files, which no job claims.
   *
   * @param id by what it is known; given up by the caller
   */
  public static FileHandle of(int exportId, byte[] id) {
    return new FileHandle(exportId, null, id);
  }

  /** The number by which an export is known across restarts. */
  public int exportId() {
    return exportId;
  }

  /** The job in the path that was mounted ({@code /@4711/export}); null where there was none. */
  public @Nullable JobId claimedJob() {
    return claimedJob;
  }

  /** The same file, claimed by this job. */
  public FileHandle claimedBy(@Nullable JobId job) {
    return new FileHandle(exportId, job, fileId);
  }

  /** What the file system knows the file by; not to be changed. */
  byte[] fileId() {
    return fileId;
  }

  /** The same file for both, whichever job is claimed. */
  @Override
  public boolean equals(Object other) {
    return this == other
        || (other instanceof FileHandle that
            && exportId == that.exportId
            && Arrays.equals(fileId, that.fileId));
  }

  @Override
  public int hashCode() {
    return hash;
  }
}
