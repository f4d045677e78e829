package dev.sluice.gateway.target;

import dev.sluice.core.model.Operation;
import dev.sluice.core.model.OperationClass;
import java.util.Arrays;
import java.util.List;

/**
 * What was served of each kind of operation, and how long it waited: numbers that only grow. Not
 * thread-safe; what {@link #plus}, {@link #minus} and {@link #copy} answer is the caller's own.
 */
public final class ServiceTally {
  /** How waits are told apart: up to each of these, and longer ones. */
  public static final List<Long> WAIT_BOUNDS_NANOS =
      List.of(1_000_000L, 10_000_000L, 100_000_000L, 1_000_000_000L, 10_000_000_000L);

  /** What an operation without bytes weighs where jobs are compared. */
  private static final long BYTES_PER_OPERATION = 4_096;

  private static final int OPERATIONS = 0;
  private static final int BYTES = 1;
  private static final int WAITED_NANOS = 2;
  private static final int FIRST_WAIT = 3;
  private static final int PER_KIND = FIRST_WAIT + WAIT_BOUNDS_NANOS.size() + 1;

  private final long[] counts;

  /** Operations as administrators tell them apart. */
  public enum Kind {
    READ("read", 0),
    WRITE("write", 1),
    METADATA("metadata", 2);

    private final String text;
    private final int base;

    Kind(String text, int row) {
      this.text = text;
      this.base = row * PER_KIND;
    }

    /** As it stands in a label. */
    public String text() {
      return text;
    }

    /** What makes data durable, or shorter, counts as writing. */
    static Kind of(Operation operation) {
      if (operation == Operation.READ) {
        return READ;
      }
      return operation.operationClass() == OperationClass.DATA ? WRITE : METADATA;
    }
  }

  public ServiceTally() {
    this(new long[Kind.values().length * PER_KIND]);
  }

  private ServiceTally(long[] counts) {
    this.counts = counts;
  }

  /** An operation's turn has come. */
  void handedOut(Operation operation, long waitedNanos) {
    int base = Kind.of(operation).base;
    counts[base + WAITED_NANOS] += waitedNanos;
    int wait = 0;
    while (wait < WAIT_BOUNDS_NANOS.size() && waitedNanos > WAIT_BOUNDS_NANOS.get(wait)) {
      wait++;
    }
    counts[base + FIRST_WAIT + wait]++;
  }

  /** A request was served, which came to so many operations. */
  void served(Operation operation, long operations, long movedBytes) {
    int base = Kind.of(operation).base;
    counts[base + OPERATIONS] += operations;
    // Half of what a copy moves is read.
    long readBytes = operation == Operation.COPY ? movedBytes / 2 : 0;
    counts[Kind.READ.base + BYTES] += readBytes;
    counts[base + BYTES] += movedBytes - readBytes;
  }

  /** Counts all that another has counted. */
  void add(ServiceTally other) {
    for (int i = 0; i < counts.length; i++) {
      counts[i] += other.counts[i];
    }
  }

  ServiceTally copy() {
    return new ServiceTally(counts.clone());
  }

  public ServiceTally plus(ServiceTally other) {
    ServiceTally sum = copy();
    sum.add(other);
    return sum;
  }

  public ServiceTally minus(ServiceTally other) {
    ServiceTally difference = copy();
    for (int i = 0; i < counts.length; i++) {
      difference.counts[i] -= other.counts[i];
    }
    return difference;
  }

  /** Whether no number is smaller than the other's. */
  public boolean isAtLeast(ServiceTally other) {
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] < other.counts[i]) {
        return false;
      }
    }
    return true;
  }

  public long operations(Kind kind) {
    return counts[kind.base + OPERATIONS];
  }

  public long bytes(Kind kind) {
    return counts[kind.base + BYTES];
  }

  /** Summed over all whose turn has come. */
  public long waitedNanos(Kind kind) {
    return counts[kind.base + WAITED_NANOS];
  }

  /**
   * How many waited no longer than one bound and longer than the one before it.
   *
   * @param bound its index; the number of bounds for those that waited longer than all
   */
  public long waits(Kind kind, int bound) {
    return counts[kind.base + FIRST_WAIT + bound];
  }

  /** One number by which jobs are compared. */
  public long weight() {
    long weight = 0;
    for (Kind kind : Kind.values()) {
      weight += bytes(kind) + BYTES_PER_OPERATION * operations(kind);
    }
    return weight;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ServiceTally tally && Arrays.equals(counts, tally.counts);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(counts);
  }

  @Override
  public String toString() {
    return Arrays.toString(counts);
  }
}
