package dev.sluice.stage.files;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.sluice.stage.layout.StageLayout;
import java.lang.foreign.MemorySegment;

/** What both of a job's files begin with. */
final class StageHeader {
  private StageHeader() {}

  /** Writes all but the magic number, which comes last of all. */
  static void write(MemorySegment memory, int bytes, long token) {
    memory.set(JAVA_INT, StageLayout.HEADER_VERSION, StageLayout.VERSION);
    memory.set(JAVA_INT, StageLayout.HEADER_BYTES, bytes);
    memory.set(JAVA_LONG, StageLayout.HEADER_TOKEN, token);
    memory.set(JAVA_INT, StageLayout.HEADER_OPERATIONS, StageLayout.OPERATIONS.size());
    memory.set(JAVA_INT, StageLayout.HEADER_BUCKETS, StageLayout.BUCKETS);
    memory.set(JAVA_INT, StageLayout.HEADER_SHARDS, StageLayout.SHARDS);
    memory.set(JAVA_INT, StageLayout.HEADER_WAITERS, StageLayout.WAITERS);
  }

  static boolean isGood(MemorySegment memory, long magic, int bytes) {
    return memory.get(JAVA_LONG, StageLayout.HEADER_MAGIC) == magic
        && memory.get(JAVA_INT, StageLayout.HEADER_VERSION) == StageLayout.VERSION
        && memory.get(JAVA_INT, StageLayout.HEADER_BYTES) == bytes
        && memory.get(JAVA_INT, StageLayout.HEADER_OPERATIONS) == StageLayout.OPERATIONS.size()
        && memory.get(JAVA_INT, StageLayout.HEADER_BUCKETS) == StageLayout.BUCKETS
        && memory.get(JAVA_INT, StageLayout.HEADER_SHARDS) == StageLayout.SHARDS
        && memory.get(JAVA_INT, StageLayout.HEADER_WAITERS) == StageLayout.WAITERS;
  }
}
