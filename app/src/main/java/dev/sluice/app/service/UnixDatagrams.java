package dev.sluice.app.service;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;

/**
 * A UNIX socket of somebody else that takes datagrams, such as those of systemd and its journal;
 * Java has no class for it. Each datagram has a socket of its own, as there are few.
 */
@SuppressWarnings("restricted") // What is called and how is checked here, by eye.
final class UnixDatagrams {
  private static final short AF_UNIX = 1;
  private static final int SOCK_DGRAM = 2;
  private static final int SOCK_CLOEXEC = 0x80000;
  private static final int MSG_NOSIGNAL = 0x4000;

  /** What fits into {@code sockaddr_un}, with the byte that ends a path. */
  private static final int PATH_BYTES_MAX = 107;

  private static final Linker LINKER = Linker.nativeLinker();
  private static final MethodHandle SOCKET =
      handle("socket", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));
  private static final MethodHandle SEND =
      handle(
          "sendto",
          FunctionDescriptor.of(
              JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT));
  private static final MethodHandle CLOSE =
      handle("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));

  private final String name;
  private final byte[] path;

  /**
   * @param address a path, or a name that begins with @ for one outside of the file system
   */
  UnixDatagrams(String address) {
    byte[] bytes = address.getBytes(StandardCharsets.UTF_8);
    if (bytes.length == 0 || bytes.length > PATH_BYTES_MAX) {
      throw new IllegalArgumentException(
          "\"" + address + "\": expected the path of a socket, of at most " + PATH_BYTES_MAX);
    }
    if (bytes[0] == '@') {
      bytes[0] = 0;
    }
    this.name = address;
    this.path = bytes;
  }

  private static MethodHandle handle(String name, FunctionDescriptor function) {
    return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), function);
  }

  void send(byte[] said) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment text = arena.allocateFrom(JAVA_BYTE, said);
      MemorySegment address =
          arena.allocate(
              MemoryLayout.structLayout(
                  JAVA_SHORT, MemoryLayout.sequenceLayout(PATH_BYTES_MAX + 1, JAVA_BYTE)));
      address.set(JAVA_SHORT, 0, AF_UNIX);
      MemorySegment.copy(path, 0, address, JAVA_BYTE, Short.BYTES, path.length);
      // A name outside of the file system has no end of its own: its length says where it is.
      int length = Short.BYTES + path.length + (path[0] == 0 ? 0 : 1);
      int descriptor = (int) SOCKET.invokeExact((int) AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
      if (descriptor < 0) {
        throw new IOException("no socket can be made");
      }
      long sent =
          (long)
              SEND.invokeExact(descriptor, text, (long) said.length, MSG_NOSIGNAL, address, length);
      int _ = (int) CLOSE.invokeExact(descriptor);
      if (sent != said.length) {
        throw new IOException(name + ": takes no datagrams of " + said.length + " bytes now");
      }
    } catch (IOException e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }
}
