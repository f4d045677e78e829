package dev.sluice.nfs.nfsacl;

/** What a call asks for, or brings: bits that are added up. */
public final class NfsAclParts {
  /** The list by which access is decided. */
  public static final int ACCESS = 1;

  /** How many entries it has. */
  public static final int ACCESS_COUNT = 2;

  /** The list that what is made in a directory begins with. */
  public static final int DEFAULT = 4;

  /** How many entries that has. */
  public static final int DEFAULT_COUNT = 8;

  public static final int ALL = ACCESS | ACCESS_COUNT | DEFAULT | DEFAULT_COUNT;

  /** Set in the tags of entries of the default list. */
  public static final int DEFAULT_TAG = 0x1000;

  private NfsAclParts() {}
}
