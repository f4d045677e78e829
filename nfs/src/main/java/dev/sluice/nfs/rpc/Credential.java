package dev.sluice.nfs.rpc;

import java.util.Arrays;

/** Who a call says it is from. */
public sealed interface Credential {
  /** AUTH_NONE: nobody in particular. */
  Credential NONE = new None();

  /** A flavour that is not spoken here. */
  record Unknown(int flavor) implements Credential {}

  /** AUTH_NONE. */
  record None() implements Credential {}

  /** AUTH_SYS: the numbers of a user on the client's machine, as the client says. */
  final class Sys implements Credential {
    /** What the protocol allows. */
    public static final int GROUPS_MAX = 16;

    /** What the protocol allows. */
    public static final int MACHINE_NAME_BYTES_MAX = 255;

    private final String machine;
    private final int uid;
    private final int gid;
    private final int[] groups;

    public Sys(String machine, int uid, int gid, int... groups) {
      this.machine = machine;
      this.uid = uid;
      this.gid = gid;
      this.groups = groups.clone();
    }

    public String machine() {
      return machine;
    }

    /** The user's number, an unsigned value. */
    public int uid() {
      return uid;
    }

    /** The number of the user's first group, an unsigned value. */
    public int gid() {
      return gid;
    }

    /** The numbers of the user's other groups. */
    public int[] groups() {
      return groups.clone();
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Sys that
          && uid == that.uid
          && gid == that.gid
          && machine.equals(that.machine)
          && Arrays.equals(groups, that.groups);
    }

    @Override
    public int hashCode() {
      return 31 * (31 * uid + gid) + Arrays.hashCode(groups);
    }

    @Override
    public String toString() {
      return Integer.toUnsignedString(uid) + ":" + Integer.toUnsignedString(gid);
    }
  }
}
