package dev.sluice.stage.layout;

import dev.sluice.core.model.Operation;
import java.util.List;

/**
 * The layout of a job's two files. It is defined in native/src/layout.h; a test compares every
 * constant here with it by its name.
 */
public final class StageLayout {
  public static final long CONTROL_MAGIC = 0x314c_5443_5f53_4c53L;
  public static final long STATE_MAGIC = 0x3154_4154_5f53_4c53L;
  public static final int VERSION = 2;
  public static final int CONTROL_BYTES = 131072;
  public static final int STATE_BYTES = 262144;
  public static final int BUCKETS = 64;
  public static final int SHARDS = 128;
  public static final int WAITERS = 1024;
  public static final int RATE_SLOTS = 7;
  public static final int MOUNTS_MAX = 1024;
  public static final int MOUNT_TEXT_BYTES = 65528;
  public static final int UNIT_SHIFT = 10;
  public static final int RATE_SHIFT = 40;
  public static final int UNLIMITED = 1;

  /** How long an agent may be silent where the file holds its limits by itself. */
  public static final long NEVER_STALE = Long.MAX_VALUE;

  /** A waiter that has not been seen for so long counts as dead, to everybody. */
  public static final long WAITER_DEAD_NANOS = 1_000_000_000;

  // What both files begin with.
  public static final int HEADER_MAGIC = 0;
  public static final int HEADER_VERSION = 8;
  public static final int HEADER_BYTES = 12;
  public static final int HEADER_TOKEN = 16;
  public static final int HEADER_OPERATIONS = 24;
  public static final int HEADER_BUCKETS = 28;
  public static final int HEADER_SHARDS = 32;
  public static final int HEADER_WAITERS = 36;
  public static final int HEADER_SIZE = 64;

  // The control file.
  public static final int HEARTBEAT_NANOS = 64;
  public static final int STALE_AFTER_NANOS = 72;
  public static final int CHANGE_EPOCH = 128;
  public static final int LEASE_EPOCH = 132;
  public static final int CHANNELS = 256;
  public static final int BUCKET_RATES = 4096;
  public static final int BUCKET_RATES_SIZE = 512;
  public static final int MOUNT_COUNT = 65536;
  public static final int MOUNT_TEXT_USED = 65540;
  public static final int MOUNT_TEXT = 65544;

  // The lines of one bucket, of which one holds.
  public static final int RATES_CURRENT = 0;
  public static final int RATES_SLOTS = 64;
  public static final int SLOT_SIZE = 64;
  public static final int SLOT_FROM_NANOS = 0;
  public static final int SLOT_FROM_UNITS = 8;
  public static final int SLOT_RATE = 16;
  public static final int SLOT_BURST_UNITS = 24;
  public static final int SLOT_LEASE_TOKENS = 32;
  public static final int SLOT_FLAGS = 40;
  public static final int SLOT_PER_SECOND = 48;

  // The state file.
  public static final int ATTACHED = 64;
  public static final int ATTACH_FAILURES = 72;
  public static final int UNLISTED_NANOS = 80;
  public static final int TICKETS = 4096;
  public static final int TICKET_SIZE = 128;
  public static final int WAITER_SLOTS = 16384;
  public static final int WAITER_SIZE = 64;
  public static final int WAITER_SEEN_NANOS = 0;
  public static final int WAITER_BUCKET_COUNT = 8;
  public static final int WAITER_CLAIMS = 16;
  public static final int COUNTERS = 131072;
  public static final int COUNTER_SHARD_SIZE = 1024;
  public static final int COUNTER_SIZE = 32;
  public static final int COUNTER_CALLS = 0;
  public static final int COUNTER_BYTES = 8;
  public static final int COUNTER_WAITS = 16;
  public static final int COUNTER_WAITED_NANOS = 24;

  /** What calls are counted as, in the order of their counters and channels. */
  public static final List<Operation> OPERATIONS =
      List.of(
          Operation.READ,
          Operation.WRITE,
          Operation.COMMIT,
          Operation.TRUNCATE,
          Operation.ALLOCATE,
          Operation.COPY,
          Operation.OPEN,
          Operation.CLOSE,
          Operation.ACCESS,
          Operation.GETATTR,
          Operation.SETATTR,
          Operation.LINK,
          Operation.SYMLINK,
          Operation.READLINK,
          Operation.MKNOD,
          Operation.UNLINK,
          Operation.RENAME,
          Operation.STATFS,
          Operation.MKDIR,
          Operation.RMDIR,
          Operation.READDIR,
          Operation.GETXATTR,
          Operation.SETXATTR,
          Operation.LISTXATTR,
          Operation.REMOVEXATTR);

  private StageLayout() {}
}
