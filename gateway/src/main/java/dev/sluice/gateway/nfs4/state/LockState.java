package dev.sluice.gateway.nfs4.state;

import dev.sluice.gateway.files.FileLocks;

/** The locks of one owner on one file. */
final class LockState extends State {
  private final OpenState open;
  private final FileLocks fileLocks;
  private RangeSet ranges = RangeSet.EMPTY;

  LockState(StateTable.Place place, OwnerKey owner, OpenState open, FileLocks fileLocks) {
    super(place, owner, open.file());
    this.open = open;
    this.fileLocks = fileLocks;
  }

  @Override
  OpenState open() {
    return open;
  }

  FileLocks fileLocks() {
    return fileLocks;
  }

  RangeSet ranges() {
    return ranges;
  }

  void setRanges(RangeSet ranges) {
    this.ranges = ranges;
  }
}
