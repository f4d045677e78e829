package dev.sluice.gateway.files;

import java.util.Arrays;

/** Whom the kernel is to take us for while it does something: a user and the user's groups. */
public final class Caller {
  /** Root, with all its powers. */
  public static final Caller ROOT = new Caller(0, 0);

  private final int uid;
  private final int gid;
  private final int[] groups;
  private final int hash;

  public Caller(int uid, int gid, int... groups) {
    this.uid = uid;
    this.gid = gid;
    this.groups = groups.clone();
    this.hash = 31 * (31 * uid + gid) + Arrays.hashCode(groups);
  }

  public int uid() {
    return uid;
  }

  public int gid() {
    return gid;
  }

  public int groupCount() {
    return groups.length;
  }

  public int group(int index) {
    return groups[index];
  }

  @Override
  public boolean equals(Object other) {
    return this == other
        || (other instanceof Caller that
            && uid == that.uid
            && gid == that.gid
            && Arrays.equals(groups, that.groups));
  }

  @Override
  public int hashCode() {
    return hash;
  }

  @Override
  public String toString() {
    return Integer.toUnsignedString(uid) + ":" + Integer.toUnsignedString(gid);
  }
}
