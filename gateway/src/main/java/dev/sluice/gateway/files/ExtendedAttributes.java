package dev.sluice.gateway.files;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What users attach to files under names of their own: the attributes that Linux has in its {@code
 * user.} name space. Names come and go without that prefix, so that no other name space can be
 * reached. Everything is done as its caller, and it is the kernel that says whether the caller may.
 *
 * <p>Safe for use by many threads.
 */
public interface ExtendedAttributes {
  /** The longest name: the kernel counts the prefix in. */
  int NAME_BYTES_MAX = 255 - "user.".length();

  /** The longest value; many file systems have less room. */
  int VALUE_BYTES_MAX = 1 << 16;

  /** Whether there may or must be one of this name before. */
  enum Before {
    ANY,
    NONE,
    ONE
  }

  /** What came of setting one. */
  enum Outcome {
    DONE,
    /** There is none of this name, and there must be. */
    ABSENT,
    /** More than any file has room for. */
    TOO_LARGE
  }

  /** The value; null when there is none of this name. */
  byte @Nullable [] get(FileNode node, byte[] name, Caller caller) throws FileException;

  /** Sets a value; EXIST when there must not be one before and there is. */
  Outcome set(FileNode node, byte[] name, byte[] value, Before before, Caller caller)
      throws FileException;

  /** All names, in the file system's order; only for those who may read the file. */
  List<byte[]> names(FileNode node, Caller caller) throws FileException;

  /** Removes one; false when there is none of this name. */
  boolean remove(FileNode node, byte[] name, Caller caller) throws FileException;
}
