package dev.sluice.gateway.nfs4;

import dev.sluice.gateway.target.Served;
import dev.sluice.nfs.nfs4.Nfs4Operation;

/**
 * What a COMPOUND costs. What clients put around an operation in every COMPOUND comes with it, as
 * attributes come with the results of version 3; who asks for more of that pays for it.
 */
final class Tally {
  /** Linux asks for a file's attributes and rights, and for its directory's attributes. */
  private static final int QUESTIONS_FREE = 3;

  private long operations;
  private long questions;
  private int bytes;

  /** Whether an operation is charged for, or would be if there were more of them. */
  static boolean costs(Nfs4Operation operation) {
    return switch (operation) {
      case SEQUENCE,
          PUTFH,
          PUTROOTFH,
          PUTPUBFH,
          GETFH,
          SAVEFH,
          RESTOREFH,
          TEST_STATEID,
          FREE_STATEID,
          SECINFO_NO_NAME ->
          false;
      default -> true;
    };
  }

  void count(Nfs4Operation operation) {
    if (!costs(operation)) {
      return;
    }
    switch (operation) {
      case READDIR, ALLOCATE, DEALLOCATE, CLONE -> {} // They say themselves how many they were.
      case GETATTR, ACCESS, VERIFY, NVERIFY -> questions++;
      default -> operations++;
    }
  }

  void add(int more) {
    operations += more;
  }

  void moved(int count) {
    bytes += count;
  }

  Served served() {
    return new Served(Math.max(1, operations + Math.max(0, questions - QUESTIONS_FREE)), bytes);
  }
}
