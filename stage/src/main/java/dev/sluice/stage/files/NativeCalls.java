package dev.sluice.stage.files;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** The functions of the C library that the JDK has no name for. */
final class NativeCalls {
  private static final int CLOCK_MONOTONIC = 1;
  private static final int FUTEX_WAKE = 1;
  private static final int MOUNT_NOSUID = 2;
  private static final int MOUNT_NODEV = 4;
  private static final int MOUNT_NOEXEC = 8;
  private static final int UNMOUNT_DETACHED = 2;
  private static final long SYSCALL_FUTEX_X86_64 = 202;
  private static final long SYSCALL_FUTEX_AARCH64 = 98;

  private static final Linker LINKER = Linker.nativeLinker();

  private static final MethodHandle CLOCK =
      function("clock_gettime", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS));

  private static final MethodHandle EFFECTIVE_USER =
      function("geteuid", FunctionDescriptor.of(JAVA_INT));

  private static final MethodHandle SET_EXTENDED_ATTRIBUTE =
      function(
          "setxattr",
          FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS, JAVA_LONG, JAVA_INT));

  private static final MethodHandle MOUNT =
      function(
          "mount", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS));

  private static final MethodHandle UNMOUNT =
      function("umount2", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));

  private static final MethodHandle FUTEX =
      function(
          "syscall",
          FunctionDescriptor.of(
              JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS, JAVA_INT),
          Linker.Option.firstVariadicArg(1));

  private static final long FUTEX_NUMBER =
      System.getProperty("os.arch", "").equals("aarch64")
          ? SYSCALL_FUTEX_AARCH64
          : SYSCALL_FUTEX_X86_64;

  private NativeCalls() {}

  @SuppressWarnings("restricted")
  private static MethodHandle function(
      String name, FunctionDescriptor descriptor, Linker.Option... options) {
    return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), descriptor, options);
  }

  /** The clock that the library reads. */
  static long monotonicNanos() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment time = arena.allocate(MemoryLayout.sequenceLayout(2, JAVA_LONG));
      int result = (int) CLOCK.invokeExact(CLOCK_MONOTONIC, time);
      if (result != 0) {
        throw new IllegalStateException("the monotonic clock cannot be read");
      }
      return time.getAtIndex(JAVA_LONG, 0) * 1_000_000_000L + time.getAtIndex(JAVA_LONG, 1);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** The user in whose name files are made and opened. */
  static int effectiveUser() {
    try {
      return (int) EFFECTIVE_USER.invokeExact();
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Wakes all who wait on a word of memory that processes share. */
  static void wakeAll(MemorySegment word) {
    try {
      long _ =
          (long)
              FUTEX.invokeExact(
                  FUTEX_NUMBER,
                  word,
                  FUTEX_WAKE,
                  Integer.MAX_VALUE,
                  MemorySegment.NULL,
                  MemorySegment.NULL,
                  0);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Sets an extended attribute; whether the file system could. */
  static boolean setExtendedAttribute(String path, String name, byte[] value) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment bytes = arena.allocateFrom(JAVA_BYTE, value);
      int result =
          (int)
              SET_EXTENDED_ATTRIBUTE.invokeExact(
                  arena.allocateFrom(path),
                  arena.allocateFrom(name),
                  bytes,
                  (long) value.length,
                  0);
      return result == 0;
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Mounts a new file system in memory, from which nothing is executed; whether that could be. */
  static boolean mountInMemory(String directory, String options) {
    try (Arena arena = Arena.ofConfined()) {
      int result =
          (int)
              MOUNT.invokeExact(
                  arena.allocateFrom("sluice"),
                  arena.allocateFrom(directory),
                  arena.allocateFrom("tmpfs"),
                  (long) (MOUNT_NOSUID | MOUNT_NODEV | MOUNT_NOEXEC),
                  arena.allocateFrom(options));
      return result == 0;
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Takes a mounted file system out of the tree, at once. */
  static void unmount(String directory) {
    try (Arena arena = Arena.ofConfined()) {
      int _ = (int) UNMOUNT.invokeExact(arena.allocateFrom(directory), UNMOUNT_DETACHED);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  private static IllegalStateException unexpected(Throwable e) {
    return new IllegalStateException("a function of the C library could not be called", e);
  }
}
