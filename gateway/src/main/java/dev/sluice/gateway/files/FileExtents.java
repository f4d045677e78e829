package dev.sluice.gateway.files;

/**
 * Where the contents of regular files are, and how they come there without being sent. Everything
 * is done as its caller; who may read contents may look where they are, and who may write them may
 * do the rest. What the file system cannot do is NOTSUPP.
 *
 * <p>Safe for use by many threads. Offsets and lengths are not negative, and neither are their
 * sums.
 */
public interface FileExtents {
  /** There is no such place before the end of the file. */
  long NOWHERE = -1;

  /** Where data begins, at an offset or behind it; NOWHERE when only holes follow. */
  long nextData(FileNode file, long offset, Caller caller) throws FileException;

  /** Where a hole begins, at an offset or behind it: the end at the latest, NOWHERE beyond it. */
  long nextHole(FileNode file, long offset, Caller caller) throws FileException;

  /** Reserves room for a range, and makes a file that ends before its end so long. */
  void allocate(FileNode file, long offset, long length, Caller caller) throws FileException;

  /** Makes a range a hole; the file stays as long as it is. */
  void deallocate(FileNode file, long offset, long length, Caller caller) throws FileException;

  /**
   * Copies contents between files, all of them or some, as if they were read and written without
   * being made stable.
   *
   * @return how many bytes; 0 only where the source has ended
   */
  int copy(FileNode from, long fromOffset, FileNode to, long toOffset, int bytesMax, Caller caller)
      throws FileException;

  /**
   * Has a range share its storage with that of another file until one of them is written to: at
   * once, or not at all.
   *
   * @param length 0 for all up to the end of the source
   */
  void share(FileNode from, long fromOffset, FileNode to, long toOffset, long length, Caller caller)
      throws FileException;
}
