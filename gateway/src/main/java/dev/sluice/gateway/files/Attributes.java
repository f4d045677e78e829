package dev.sluice.gateway.files;

/**
 * What is known of a file besides its contents.
 *
 * @param mode the permission bits, the sticky bit and the two set-id bits
 * @param usedBytes what it takes on disk
 * @param deviceMajor of a device file
 * @param deviceMinor of a device file
 * @param fileSystem tells file systems apart
 * @param fileNumber tells files of one file system apart
 */
public record Attributes(
    FileType type,
    int mode,
    int links,
    int uid,
    int gid,
    long size,
    long usedBytes,
    int deviceMajor,
    int deviceMinor,
    long fileSystem,
    long fileNumber,
    Timestamp accessed,
    Timestamp modified,
    Timestamp changed) {}
