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
import org.jspecify.annotations.Nullable;

/**
 * Users and groups as the C library knows them: from the sources that this machine's {@code
 * nsswitch.conf} names (files, sssd, LDAP, winbind). Each question may take as long as these do,
 * which can be minutes. Safe for use by many threads.
 */
public final class UserDatabase {
  private static final Linker LINKER = Linker.nativeLinker();

  private static final MethodHandle GETPWUID_R = byNumber("getpwuid_r");
  private static final MethodHandle GETGRGID_R = byNumber("getgrgid_r");
  private static final MethodHandle GETPWNAM_R = byName("getpwnam_r");
  private static final MethodHandle GETGRNAM_R = byName("getgrnam_r");
  private static final MethodHandle GETGROUPLIST =
      bind("getgrouplist", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, ADDRESS));

  /** Large enough for struct passwd and struct group of every C library for Linux. */
  private static final long RECORD_BYTES = 128;

  /** Both begin with a pointer to the name. */
  private static final long NAME_OFFSET = 0;

  /** And have the number behind a second pointer. */
  private static final long NUMBER_OFFSET = 16;

  private static final long USERS_GROUP_OFFSET = 20;

  private static final int TEXT_BYTES_FIRST = 4 << 10;

  /** Groups with many members have long records. */
  private static final int TEXT_BYTES_MAX = 64 << 20;

  private static final int GROUPS_FIRST = 64;

  /** As many as the kernel lets anybody have (NGROUPS_MAX). */
  private static final int GROUPS_MAX = 65_536;

  private static final int ESRCH = 3;

  private UserDatabase() {}

  /**
   * The name of a user; null when there is none with this number.
   *
   * @throws IOException when nobody could be asked
   */
  public static @Nullable String userName(int uid) throws IOException {
    return find(
        "user", Integer.toUnsignedString(uid), byNumber(GETPWUID_R, uid), UserDatabase::name);
  }

  /**
   * The name of a group; null when there is none with this number.
   *
   * @throws IOException when nobody could be asked
   */
  public static @Nullable String groupName(int gid) throws IOException {
    return find(
        "group", Integer.toUnsignedString(gid), byNumber(GETGRGID_R, gid), UserDatabase::name);
  }

  /**
   * The numbers of all groups that a user is in; null when there is no user with this number.
   *
   * @throws IOException when nobody could be asked
   */
  public static int @Nullable [] groupsOf(int uid) throws IOException {
    return find(
        "user",
        Integer.toUnsignedString(uid),
        byNumber(GETPWUID_R, uid),
        user -> groups(user.get(ADDRESS, NAME_OFFSET), user.get(JAVA_INT, USERS_GROUP_OFFSET)));
  }

  /**
   * The number of a user; null when there is none with this name.
   *
   * @throws IOException when nobody could be asked
   */
  public static @Nullable Integer userNumber(String name) throws IOException {
    return find("user", name, byName(GETPWNAM_R, name), UserDatabase::number);
  }

  /**
   * The number of a group; null when there is none with this name.
   *
   * @throws IOException when nobody could be asked
   */
  public static @Nullable Integer groupNumber(String name) throws IOException {
    return find("group", name, byName(GETGRNAM_R, name), UserDatabase::number);
  }

  /** Asks for a record; the C library's error number. */
  private interface Question {
    int ask(MemorySegment found, MemorySegment text, MemorySegment result);
  }

  /** Takes what it needs of a record before its memory is gone. */
  private interface Reader<T> {
    T read(MemorySegment found);
  }

  private static <T> @Nullable T find(
      String what, String which, Question question, Reader<T> reader) throws IOException {
    for (int textBytes = TEXT_BYTES_FIRST; textBytes <= TEXT_BYTES_MAX; textBytes *= 4) {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment found = arena.allocate(RECORD_BYTES, Long.BYTES);
        MemorySegment text = arena.allocate(textBytes);
        MemorySegment result = arena.allocate(ADDRESS);
        int error = question.ask(found, text, result);
        switch (error) {
          case 0 -> {
            return result.get(JAVA_LONG, 0) == 0 ? null : reader.read(found);
          }
          // Different sources say in different ways that they have no such record.
          case Errno.ENOENT, ESRCH, Errno.EBADF, Errno.EPERM -> {
            return null;
          }
          case Errno.ERANGE -> {}
          default ->
              throw new IOException(
                  what
                      + " "
                      + which
                      + " cannot be looked up: error "
                      + error
                      + " of the name service");
        }
      }
    }
    throw new IOException(what + " " + which + " has a record that is too long");
  }

  private static Integer number(MemorySegment found) {
    return found.get(JAVA_INT, NUMBER_OFFSET);
  }

  private static String name(MemorySegment found) {
    return text(found.get(ADDRESS, NAME_OFFSET));
  }

  @SuppressWarnings("restricted") // The C library says where a text begins, not how long it is.
  private static String text(MemorySegment pointer) {
    return pointer.reinterpret(Long.MAX_VALUE).getString(0);
  }

  private static int[] groups(MemorySegment userName, int firstGroup) {
    int room = GROUPS_FIRST;
    while (true) {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment groups = arena.allocate(JAVA_INT, room);
        MemorySegment count = arena.allocateFrom(JAVA_INT, room);
        int result = callGroupList(userName, firstGroup, groups, count);
        int there = count.get(JAVA_INT, 0);
        if (result >= 0 || room == GROUPS_MAX) {
          return groups.asSlice(0, (long) Math.min(there, room) * Integer.BYTES).toArray(JAVA_INT);
        }
        room = Math.clamp(Math.max(there, 2L * room), GROUPS_FIRST, GROUPS_MAX);
      }
    }
  }

  private static Question byNumber(MethodHandle function, int number) {
    return (found, text, result) -> {
      try {
        return (int) function.invokeExact(number, found, text, text.byteSize(), result);
      } catch (Throwable impossible) {
        throw new AssertionError("a function of the C library does not throw", impossible);
      }
    };
  }

  private static Question byName(MethodHandle function, String name) {
    return (found, text, result) -> {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment given = arena.allocateFrom(name);
        return (int) function.invokeExact(given, found, text, text.byteSize(), result);
      } catch (Throwable impossible) {
        throw new AssertionError("a function of the C library does not throw", impossible);
      }
    };
  }

  private static int callGroupList(
      MemorySegment userName, int firstGroup, MemorySegment groups, MemorySegment count) {
    try {
      return (int) GETGROUPLIST.invokeExact(userName, firstGroup, groups, count);
    } catch (Throwable impossible) {
      throw new AssertionError("a function of the C library does not throw", impossible);
    }
  }

  /** A function that finds a record by a number, as getpwuid_r does. */
  private static MethodHandle byNumber(String name) {
    return bind(
        name, FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS));
  }

  /** A function that finds a record by a name, as getpwnam_r does. */
  private static MethodHandle byName(String name) {
    return bind(
        name, FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS));
  }

  @SuppressWarnings("restricted") // Native code is bound here.
  private static MethodHandle bind(String name, FunctionDescriptor descriptor) {
    return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), descriptor);
  }
}
