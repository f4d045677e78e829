package dev.sluice.gateway.files;

import dev.sluice.gateway.posix.Errno;
import dev.sluice.gateway.posix.SystemCalls;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The extended attributes of local files. */
final class PosixExtendedAttributes implements ExtendedAttributes {
  private static final byte[] PREFIX = "user.".getBytes(StandardCharsets.US_ASCII);

  private static final byte[] SAMPLE = "user.sluice".getBytes(StandardCharsets.US_ASCII);

  private final Rights rights;

  PosixExtendedAttributes(Rights rights) {
    this.rights = rights;
  }

  @Override
  public byte @Nullable [] get(FileNode file, byte[] name, Caller caller) throws FileException {
    SystemCalls calls = SystemCalls.ofThisThread();
    int result;
    try (var _ = ThreadIdentity.ofThisThread().as(caller)) {
      result = calls.readAttribute(descriptor(file), withPrefix(name));
    }
    return result == -Errno.ENODATA ? null : calls.attributeBytes(FileErrors.check(result));
  }

  @Override
  public Outcome set(FileNode file, byte[] name, byte[] value, Before before, Caller caller)
      throws FileException {
    int how =
        switch (before) {
          case ANY -> SystemCalls.ATTRIBUTE_ANY;
          case NONE -> SystemCalls.ATTRIBUTE_NEW;
          case ONE -> SystemCalls.ATTRIBUTE_EXISTING;
        };
    SystemCalls calls = SystemCalls.ofThisThread();
    int result;
    try (var _ = ThreadIdentity.ofThisThread().as(caller)) {
      result = calls.writeAttribute(descriptor(file), withPrefix(name), value, how);
    }
    return switch (-result) {
      case Errno.ENODATA -> Outcome.ABSENT;
      case Errno.E2BIG, Errno.ERANGE -> Outcome.TOO_LARGE;
      default -> {
        FileErrors.check(result);
        yield Outcome.DONE;
      }
    };
  }

  @Override
  public List<byte[]> names(FileNode file, Caller caller) throws FileException {
    SystemCalls calls = SystemCalls.ofThisThread();
    Node node = HeldNode.of(file).node();
    int result;
    try (var _ = ThreadIdentity.ofThisThread().as(caller)) {
      // The kernel itself lets everybody list who reaches the file.
      rights.require(node, SystemCalls.MAY_READ, caller, calls);
      result = calls.listAttributes(node.descriptor());
    }
    byte[] all = calls.attributeBytes(FileErrors.check(result));
    List<byte[]> names = new ArrayList<>();
    int start = 0;
    for (int end = 0; end < all.length; end++) {
      if (all[end] == 0) {
        if (hasPrefix(all, start, end)) {
          names.add(Arrays.copyOfRange(all, start + PREFIX.length, end));
        }
        start = end + 1;
      }
    }
    return names;
  }

  @Override
  public boolean remove(FileNode file, byte[] name, Caller caller) throws FileException {
    SystemCalls calls = SystemCalls.ofThisThread();
    int result;
    try (var _ = ThreadIdentity.ofThisThread().as(caller)) {
      result = calls.removeAttribute(descriptor(file), withPrefix(name));
    }
    if (result == -Errno.ENODATA) {
      return false;
    }
    FileErrors.check(result);
    return true;
  }

  /** Whether the file system has them; that nobody has this one makes no difference. */
  static boolean areSupported(int descriptor, SystemCalls calls) {
    return calls.readAttribute(descriptor, SAMPLE) != -Errno.EOPNOTSUPP;
  }

  private static int descriptor(FileNode file) {
    return HeldNode.of(file).node().descriptor();
  }

  private static byte[] withPrefix(byte[] name) {
    byte[] whole = Arrays.copyOf(PREFIX, PREFIX.length + name.length);
    System.arraycopy(name, 0, whole, PREFIX.length, name.length);
    return whole;
  }

  private static boolean hasPrefix(byte[] names, int start, int end) {
    return end - start > PREFIX.length
        && Arrays.equals(names, start, start + PREFIX.length, PREFIX, 0, PREFIX.length);
  }
}
