package dev.sluice.gateway.nfs4.state;

import java.util.ArrayList;
import java.util.List;

/** A file that an owner has open. */
final class OpenState extends State {
  private final AutoCloseable held;
  private final List<LockState> locks = new ArrayList<>(0);
  private volatile int access;
  private volatile int deny;

  /** A bit for each pair of access and deny that the owner opened the file with. */
  private int modes;

  OpenState(StateTable.Place place, OwnerKey owner, FileState file, AutoCloseable held) {
    super(place, owner, file);
    this.held = held;
  }

  @Override
  OpenState open() {
    return this;
  }

  AutoCloseable held() {
    return held;
  }

  int access() {
    return access;
  }

  int deny() {
    return deny;
  }

  /** Those that lock through this open. */
  List<LockState> locks() {
    return locks;
  }

  /** Adds what the owner opened the file for. */
  void widen(int moreAccess, int moreDeny) {
    modes |= bitOf(moreAccess, moreDeny);
    access |= moreAccess;
    deny |= moreDeny;
  }

  /**
   * Goes back to some of the modes that it was opened with.
   *
   * @return false, and nothing is changed, when no choice of them comes to this
   */
  boolean isNarrowed(int lessAccess, int lessDeny) {
    int kept = 0;
    int keptAccess = 0;
    int keptDeny = 0;
    for (int mode = 0; mode < 16; mode++) {
      int modeAccess = mode >> 2;
      int modeDeny = mode & Share.BOTH;
      boolean isWithin = (modeAccess & ~lessAccess) == 0 && (modeDeny & ~lessDeny) == 0;
      if (isWithin && (modes & 1 << mode) != 0) {
        kept |= 1 << mode;
        keptAccess |= modeAccess;
        keptDeny |= modeDeny;
      }
    }
    if (keptAccess != lessAccess || keptDeny != lessDeny) {
      return false;
    }
    modes = kept;
    access = lessAccess;
    deny = lessDeny;
    return true;
  }

  private static int bitOf(int access, int deny) {
    return 1 << (access << 2 | deny);
  }
}
