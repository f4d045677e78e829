package dev.sluice.core.schedule;

import dev.sluice.core.model.JobId;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Rows by job, for schedulers: every request looks one up, and with a hundred thousand jobs each
 * step on the way is a miss of the processor's cache. Open addressing leads from the hash, which
 * requests carry along, to the row in one step where a {@link java.util.HashMap} takes three.
 *
 * @param <R> what is kept for each job
 */
public final class JobTable<R extends JobTable.Row> {
  private static final int CAPACITY_AT_FIRST = 16;
  private static final int SIZE_MAX = 1 << 28;

  private @Nullable Row[] rows = new @Nullable Row[CAPACITY_AT_FIRST];
  private int size;

  /** What can be kept: it knows its job. */
  public interface Row {
    JobId job();
  }

  /** The row of a request's job; null when there is none. */
  public @Nullable R get(Request request) {
    return find(request.job(), request.jobHash());
  }

  /** The row of a job; null when there is none. */
  public @Nullable R get(JobId job) {
    return find(job, job.hashCode());
  }

  @SuppressWarnings("unchecked") // Only rows of type R come in, through add.
  private @Nullable R find(JobId job, int hash) {
    int mask = rows.length - 1;
    int at = spread(hash) & mask;
    Row row = rows[at];
    while (row != null && !row.job().equals(job)) {
      at = (at + 1) & mask;
      row = rows[at];
    }
    return (R) row;
  }

  /** Adds the row of a job that has none. */
  public void add(R row) {
    if (size == SIZE_MAX) {
      throw new IllegalStateException("a table holds at most " + SIZE_MAX + " jobs");
    }
    if (get(row.job()) != null) {
      throw new IllegalStateException("job " + row.job() + " has a row already");
    }
    // Half empty at least, so that a free place is never far.
    if (2 * (size + 1) > rows.length) {
      rebuild(rows.length * 2, any -> false);
    }
    put(row);
    size++;
  }

  private void put(Row row) {
    int mask = rows.length - 1;
    int at = spread(row.job().hashCode()) & mask;
    while (rows[at] != null) {
      at = (at + 1) & mask;
    }
    rows[at] = row;
  }

  /**
   * Removes the row of a job, and now and then gives back memory that is not needed. Rows behind it
   * that came to stand there because its place was taken move up, so that all are still found.
   */
  @SuppressWarnings("ReferenceEquality") // This very row.
  public void remove(R row) {
    int mask = rows.length - 1;
    int free = spread(row.job().hashCode()) & mask;
    while (rows[free] != row) {
      if (rows[free] == null) {
        throw new IllegalStateException("this row of job " + row.job() + " is not in the table");
      }
      free = (free + 1) & mask;
    }
    int at = (free + 1) & mask;
    for (Row next = rows[at]; next != null; next = rows[at]) {
      int home = spread(next.job().hashCode()) & mask;
      // A search for it begins at its home: the free place must not be before that.
      if (((at - home) & mask) >= ((at - free) & mask)) {
        rows[free] = next;
        free = at;
      }
      at = (at + 1) & mask;
    }
    rows[free] = null;
    size--;
    giveBack();
  }

  /** Removes all rows that the predicate is true for, and gives back memory that is not needed. */
  @SuppressWarnings("unchecked") // Only rows of type R come in, through add.
  public void removeIf(Predicate<R> unwanted) {
    rebuild(rows.length, row -> unwanted.test((R) row));
    giveBack();
  }

  /** Halves the memory for as long as less than an eighth of it is used. */
  private void giveBack() {
    int needed = rows.length;
    while (needed > CAPACITY_AT_FIRST && 8 * size < needed) {
      needed /= 2;
    }
    if (needed != rows.length) {
      rebuild(needed, any -> false);
    }
  }

  private void rebuild(int capacity, Predicate<Row> unwanted) {
    @Nullable Row[] before = rows;
    rows = new @Nullable Row[capacity];
    for (Row row : before) {
      if (row != null) {
        if (unwanted.test(row)) {
          size--;
        } else {
          put(row);
        }
      }
    }
  }

  /** Visits every row, in an order that depends only on the jobs that were added and removed. */
  @SuppressWarnings("unchecked") // Only rows of type R come in, through add.
  public void forEach(Consumer<R> visitor) {
    for (Row row : rows) {
      if (row != null) {
        visitor.accept((R) row);
      }
    }
  }

  public int size() {
    return size;
  }

  /** For how many rows there is memory. */
  int capacity() {
    return rows.length;
  }

  /** Mixes all bits into the low ones; job ids are often consecutive numbers. */
  private static int spread(int hash) {
    int mixed = hash * 0x9e3779b9;
    return mixed ^ (mixed >>> 15);
  }
}
