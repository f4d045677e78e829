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

  private AccessRights() {}
}
