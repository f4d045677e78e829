package dev.sluice.gateway.posix;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Has the kernel kill this process at an instant, unless that is put off before: also when the
 * process is stopped, out of memory, or in the midst of collecting it. Nothing that runs here has a
 * say in it, so that no thread does anything after that instant: not one that asked the time just
 * before and was paused then.
 *
 * <p>Time goes on for it while the machine is suspended. Safe for use by many threads.
 */
public final class DeadMansTimer {
  private static final int CLOCK_MONOTONIC = 1;
  private static final int CLOCK_BOOTTIME = 7;
  private static final int SIGKILL = 9;
  private static final int BY_SIGNAL = 0;
  private static final int ABSOLUTE = 1;
  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  /** struct sigevent: a value, the signal, how it is told, and room. */
  private static final long EVENT_BYTES = 64;

  private static final long EVENT_SIGNAL = 8;
  private static final long EVENT_HOW = 12;

  /** struct itimerspec: how often, and when first; seconds and nanoseconds each. */
  private static final long SETTING_BYTES = 32;

  private static final long SETTING_SECONDS = 16;
  private static final long SETTING_NANOS = 24;

  private static final MethodHandle TIMER_CREATE =
      bind("timer_create", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, ADDRESS));
  private static final MethodHandle TIMER_SETTIME =
      bind("timer_settime", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, ADDRESS));
  private static final MethodHandle CLOCK_GETTIME =
      bind("clock_gettime", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS));

  private final Arena arena = Arena.ofAuto();
  private final MemorySegment setting = arena.allocate(SETTING_BYTES, Long.BYTES);
  private final MemorySegment time = arena.allocate(2 * Long.BYTES, Long.BYTES);
  private final MemorySegment timer;

  /**
   * How long the machine has been suspended, as it was known when the timer was set last: never
   * more than it was when what is set now began.
   */
  private long suspendedNanos;

  /** Nothing happens before {@link #killAt}. There is one for as long as the process lasts. */
  public DeadMansTimer() throws IOException {
    MemorySegment event = arena.allocate(EVENT_BYTES, Long.BYTES);
    event.set(JAVA_INT, EVENT_SIGNAL, SIGKILL);
    event.set(JAVA_INT, EVENT_HOW, BY_SIGNAL);
    MemorySegment made = arena.allocate(ADDRESS);
    check("timer_create", call(TIMER_CREATE, CLOCK_BOOTTIME, event, made));
    timer = made.get(ADDRESS, 0);
    suspendedNanos = suspended();
  }

  /**
   * Has this process killed at an instant, and no more at the one that was set before.
   *
   * @param nanos by {@link System#nanoTime}; one that is past is at once
   */
  public synchronized void killAt(long nanos) {
    // What this clock shows is CLOCK_MONOTONIC on Linux; the difference changes only while the
    // machine sleeps, and one of before that makes the end too early, never too late.
    set(Math.max(1, nanos + suspendedNanos));
    suspendedNanos = suspended();
  }

  /** Kills nobody any more. */
  public synchronized void putOff() {
    set(0);
  }

  private void set(long nanos) {
    setting.set(JAVA_LONG, SETTING_SECONDS, nanos / NANOS_PER_SECOND);
    setting.set(JAVA_LONG, SETTING_NANOS, nanos % NANOS_PER_SECOND);
    int answer = call(TIMER_SETTIME, timer, ABSOLUTE, setting, MemorySegment.NULL);
    if (answer != 0) {
      throw new IllegalStateException("timer_settime failed for " + nanos + " ns since boot");
    }
  }

  private long suspended() {
    return clock(CLOCK_BOOTTIME) - clock(CLOCK_MONOTONIC);
  }

  private long clock(int which) {
    if (call(CLOCK_GETTIME, which, time) != 0) {
      throw new IllegalStateException("clock " + which + " cannot be read");
    }
    return time.get(JAVA_LONG, 0) * NANOS_PER_SECOND + time.get(JAVA_LONG, Long.BYTES);
  }

  private static void check(String what, int answer) throws IOException {
    if (answer != 0) {
      throw new IOException(what + " failed: this kernel gives no timer that ends a process");
    }
  }

  private static int call(MethodHandle function, Object... arguments) {
    try {
      return (int) function.invokeWithArguments(arguments);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  @SuppressWarnings("restricted") // Native code is bound here.
  private static MethodHandle bind(String name, FunctionDescriptor descriptor) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), descriptor);
  }
}
