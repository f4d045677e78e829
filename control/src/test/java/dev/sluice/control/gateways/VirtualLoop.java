package dev.sluice.control.gateways;

import dev.sluice.control.loop.Loop;
import java.util.Comparator;
import java.util.PriorityQueue;

/** A loop whose time passes when a test says so. */
final class VirtualLoop implements Loop {
  private final PriorityQueue<Task> tasks =
      new PriorityQueue<>(
          Comparator.comparingLong((Task task) -> task.atNanos)
              .thenComparingLong(task -> task.number));

  private long nowNanos;
  private long number;

  private record Task(Runnable what, long atNanos, long number) {}

  @Override
  public long nowNanos() {
    return nowNanos;
  }

  @Override
  public void execute(Runnable task) {
    Timer _ = schedule(task, 0);
  }

  @Override
  public Timer schedule(Runnable task, long delayNanos) {
    Task later = new Task(task, nowNanos + delayNanos, number++);
    tasks.add(later);
    return () -> tasks.remove(later);
  }

  /** Does all that is to be done until then, each thing at its time. */
  void runUntil(long untilNanos) {
    for (Task next = tasks.peek();
        next != null && next.atNanos <= untilNanos;
        next = tasks.peek()) {
      tasks.remove(next);
      nowNanos = Math.max(nowNanos, next.atNanos);
      next.what.run();
    }
    nowNanos = Math.max(nowNanos, untilNanos);
  }
}
