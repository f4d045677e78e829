package dev.sluice.gateway.files;

import java.util.Arrays;

/** Where a file was seen: a directory and the name in it. */
final class Place {
  private final InodeId directory;
  private final byte[] name;

  /** The array is given up by the caller. */
  Place(InodeId directory, byte[] name) {
    this.directory = directory;
    this.name = name;
  }

  InodeId directory() {
    return directory;
  }

  /** Not to be changed. */
  byte[] name() {
    return name;
  }

  boolean is(InodeId otherDirectory, byte[] otherName) {
    return directory.equals(otherDirectory) && Arrays.equals(name, otherName);
  }
}
