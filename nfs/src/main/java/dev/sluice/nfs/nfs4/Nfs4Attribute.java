package dev.sluice.nfs.nfs4;

/** The attributes of files by number (fattr4), as far as they are used here. */
public final class Nfs4Attribute {
  public static final int SUPPORTED_ATTRS = 0;
  public static final int TYPE = 1;
  public static final int FH_EXPIRE_TYPE = 2;
  public static final int CHANGE = 3;
  public static final int SIZE = 4;
  public static final int LINK_SUPPORT = 5;
  public static final int SYMLINK_SUPPORT = 6;
  public static final int NAMED_ATTR = 7;
  public static final int FSID = 8;
  public static final int UNIQUE_HANDLES = 9;
  public static final int LEASE_TIME = 10;
  public static final int RDATTR_ERROR = 11;
  public static final int ACLSUPPORT = 13;
  public static final int CANSETTIME = 15;
  public static final int CASE_INSENSITIVE = 16;
  public static final int CASE_PRESERVING = 17;
  public static final int CHOWN_RESTRICTED = 18;
  public static final int FILEHANDLE = 19;
  public static final int FILEID = 20;
  public static final int FILES_AVAIL = 21;
  public static final int FILES_FREE = 22;
  public static final int FILES_TOTAL = 23;
  public static final int HOMOGENEOUS = 26;
  public static final int MAXFILESIZE = 27;
  public static final int MAXLINK = 28;
  public static final int MAXNAME = 29;
  public static final int MAXREAD = 30;
  public static final int MAXWRITE = 31;
  public static final int MODE = 33;
  public static final int NO_TRUNC = 34;
  public static final int NUMLINKS = 35;
  public static final int OWNER = 36;
  public static final int OWNER_GROUP = 37;
  public static final int RAWDEV = 41;
  public static final int SPACE_AVAIL = 42;
  public static final int SPACE_FREE = 43;
  public static final int SPACE_TOTAL = 44;
  public static final int SPACE_USED = 45;
  public static final int TIME_ACCESS = 47;
  public static final int TIME_ACCESS_SET = 48;
  public static final int TIME_DELTA = 51;
  public static final int TIME_METADATA = 52;
  public static final int TIME_MODIFY = 53;
  public static final int TIME_MODIFY_SET = 54;
  public static final int MOUNTED_ON_FILEID = 55;
  public static final int SUPPATTR_EXCLCREAT = 75;
  public static final int MODE_UMASK = 81;
  public static final int XATTR_SUPPORT = 82;

  private Nfs4Attribute() {}
}
