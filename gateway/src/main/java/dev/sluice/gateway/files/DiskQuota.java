package dev.sluice.gateway.files;

/**
 * What a user or group may have of a file system, and has. A limit of 0 is none.
 *
 * @param softBytes may be exceeded until the grace ends
 * @param hardBytes may not
 * @param graceEndSeconds since 1970; 0 where the soft limit is not exceeded
 * @param filesGraceEndSeconds the same for files
 */
public record DiskQuota(
    long softBytes,
    long hardBytes,
    long usedBytes,
    long softFiles,
    long hardFiles,
    long usedFiles,
    long graceEndSeconds,
    long filesGraceEndSeconds) {
  /** Whose it is. */
  public enum Kind {
    USER,
    GROUP
  }
}
