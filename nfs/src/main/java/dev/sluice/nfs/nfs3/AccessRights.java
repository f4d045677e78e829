package dev.sluice.nfs.nfs3;

/** The rights that ACCESS asks about, as bits. */
public final class AccessRights {
  public static final int READ = 0x01;
  public static final int LOOKUP = 0x02;
  public static final int MODIFY = 0x04;
  public static final int EXTEND = 0x08;
  public static final int DELETE = 0x10;
  public static final int EXECUTE = 0x20;

  /** All that would change something. */
  public static final int CHANGES = MODIFY | EXTEND | DELETE;

  public static final int ALL = READ | LOOKUP | EXECUTE | CHANGES;

  /** Of version 4.2 alone: extended attributes (RFC 8276). */
  public static final int XATTR_READ = 0x40;

  public static final int XATTR_WRITE = 0x80;
  public static final int XATTR_LIST = 0x100;
  public static final int XATTRS = XATTR_READ | XATTR_WRITE | XATTR_LIST;

  private AccessRights() {}
}
