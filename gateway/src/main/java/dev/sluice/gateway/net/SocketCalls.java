package dev.sluice.gateway.net;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * The system calls on sockets, with the numbers of 64-bit Linux. Each answers with what the call
 * returns or, where that says that it failed, with the error's number below zero; none answers that
 * it was interrupted.
 */
@SuppressWarnings("restricted") // What is called and how is checked here, by eye.
final class SocketCalls {
  static final int AF_INET = 2;
  static final int AF_INET6 = 10;
  static final int SHUT_RD = 0;
  static final int SHUT_RDWR = 2;
  static final int SOL_SOCKET = 1;
  static final int SO_REUSEADDR = 2;
  static final int SO_KEEPALIVE = 9;
  static final int SO_LINGER = 13;
  static final int SO_RCVTIMEO = 20;
  static final int IPPROTO_TCP = 6;
  static final int TCP_NODELAY = 1;
  static final int IPPROTO_IPV6 = 41;
  static final int IPV6_V6ONLY = 26;
  static final int MSG_TRUNC = 0x20;
  static final int MSG_DONTWAIT = 0x40;
  static final int MSG_WAITALL = 0x100;
  static final int MSG_NOSIGNAL = 0x4000;
  static final int MSG_MORE = 0x8000;
  static final short POLLIN = 1;
  static final short POLLOUT = 4;
  static final short POLLRDHUP = 0x2000;

  static final int O_NONBLOCK = 0x800;
  static final int SPLICE_F_NONBLOCK = 2;
  static final int SPLICE_F_MORE = 4;

  static final int EINTR = 4;
  static final int EAGAIN = 11;

  private static final int F_SETFL = 4;
  private static final int SOCK_STREAM = 1;
  private static final int SOCK_RAW = 3;
  private static final int IPPROTO_RAW = 255;
  private static final int SOCK_CLOEXEC = 0x80000;
  private static final int EFD_CLOEXEC = 0x80000;
  private static final int EFD_NONBLOCK = 0x800;

  private static final Linker LINKER = Linker.nativeLinker();
  private static final Linker.Option CAPTURE = Linker.Option.captureCallState("errno");
  private static final long ERRNO_OFFSET =
      Linker.Option.captureStateLayout().byteOffset(MemoryLayout.PathElement.groupElement("errno"));

  /** Where a call leaves its error's number; a thread is in one call at a time. */
  private static final ThreadLocal<MemorySegment> ERRNO =
      ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(Linker.Option.captureStateLayout()));

  // Buffers are given as addresses: a segment for each call would be garbage.
  private static final MethodHandle SOCKET = ints("socket", JAVA_INT, JAVA_INT, JAVA_INT);
  private static final MethodHandle BIND = ints("bind", JAVA_INT, ADDRESS, JAVA_INT);
  private static final MethodHandle LISTEN = ints("listen", JAVA_INT, JAVA_INT);
  private static final MethodHandle ACCEPT = ints("accept4", JAVA_INT, ADDRESS, ADDRESS, JAVA_INT);
  private static final MethodHandle SOCKET_NAME = ints("getsockname", JAVA_INT, ADDRESS, ADDRESS);
  private static final MethodHandle SET_OPTION =
      ints("setsockopt", JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT);
  private static final MethodHandle SHUTDOWN = ints("shutdown", JAVA_INT, JAVA_INT);
  private static final MethodHandle CLOSE = ints("close", JAVA_INT);
  private static final MethodHandle POLL = ints("poll", ADDRESS, JAVA_LONG, JAVA_INT);
  private static final MethodHandle EVENT = ints("eventfd", JAVA_INT, JAVA_INT);
  private static final MethodHandle RECEIVE =
      longs("recv", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT);
  private static final MethodHandle SEND = longs("send", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT);
  private static final MethodHandle SEND_TO =
      longs("sendto", JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT);
  private static final MethodHandle READ = longs("read", JAVA_INT, ADDRESS, JAVA_LONG);
  private static final MethodHandle WRITE = longs("write", JAVA_INT, ADDRESS, JAVA_LONG);
  private static final MethodHandle SPLICE =
      longs("splice", JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT);
  private static final MethodHandle CONTROL =
      LINKER.downcallHandle(
          LINKER.defaultLookup().findOrThrow("fcntl"),
          FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT),
          CAPTURE,
          Linker.Option.firstVariadicArg(2));
  private static final MethodHandle ERROR_TEXT =
      LINKER.downcallHandle(
          LINKER.defaultLookup().findOrThrow("strerror"),
          FunctionDescriptor.of(
              ADDRESS.withTargetLayout(MemoryLayout.sequenceLayout(256, ValueLayout.JAVA_BYTE)),
              JAVA_INT));

  private SocketCalls() {}

  private static MethodHandle ints(String name, MemoryLayout... parameters) {
    return handle(name, FunctionDescriptor.of(JAVA_INT, parameters));
  }

  private static MethodHandle longs(String name, MemoryLayout... parameters) {
    return handle(name, FunctionDescriptor.of(JAVA_LONG, parameters));
  }

  private static MethodHandle handle(String name, FunctionDescriptor function) {
    return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), function, CAPTURE);
  }

  static int socket(int family) {
    return socket(family, SOCK_STREAM, 0);
  }

  /** A socket for packets whose headers the caller writes. */
  static int packetSocket(int family) {
    return socket(family, SOCK_RAW, IPPROTO_RAW);
  }

  private static int socket(int family, int type, int protocol) {
    MemorySegment errno = ERRNO.get();
    try {
      return answer((int) SOCKET.invokeExact(errno, family, type | SOCK_CLOEXEC, protocol), errno);
    } catch (Throwable e) {
      throw impossible(e);
    }
  }

  /** Sends a packet, or says that this would have to wait. */
  static long sendTo(int descriptor, MemorySegment packet, MemorySegment address) {
    MemorySegment errno = ERRNO.get();
    try {
      return answer(
          (long)
              SEND_TO.invokeExact(
                  errno,
                  descriptor,
                  packet,
                  packet.byteSize(),
                  MSG_DONTWAIT,
                  address,
                  (int) address.byteSize()),
          errno);
    } catch (Throwable e) {
      throw impossible(e);
    }
  }

  static int bind(int descriptor, MemorySegment address) {
    MemorySegment errno = ERRNO.get();
    try {
      return answer(
          (int) BIND.invokeExact(errno, descriptor, address, (int) address.byteSize()), errno);
    } catch (Throwable e) {
      throw impossible(e);
    }
  }

  static int listen(int descriptor, int backlog) {
    MemorySegment errno = ERRNO.get();
    try {
      return answer((int) LISTEN.invokeExact(errno, descriptor, backlog), errno);
    } catch (Throwable e) {
      throw impossible(e);
    }
  }

  static int accept(int descriptor, MemorySegment address, MemorySegment addressLength) {
    MemorySegment errno = ERRNO.get();
    try {
      while (true) {
        int answer =
            answer(
                (int) ACCEPT.invokeExact(errno, descriptor, address, addressLength, SOCK_CLOEXEC),
                errno);
        if (answer != -EINTR) {
          return answer;
        }
      }
    } catch (Throwable e) {
      throw impossible(e);
    }
  }

  static int socketName(int descriptor, MemorySegment address, MemorySegment addressLength) {
    MemorySegment errno = ERRNO.get();
    try {
      return answer(
          (int) SOCKET_NAME.invokeExact(errno, descriptor, address, addressLength), errno);
    } catch (Throwable e) {
      throw impossible(e);
    }
  }

  static int setOption(int descriptor, int level, int option, MemorySegment value) {
    MemorySegment errno = ERRNO.get();
    try {
      return answer(
          (int)
              SET_OPTION.invokeExact(
                  errno, descriptor, level, option, value, (int) value.byteSize()),
          errno);
    } catch (Throwable e) {
      throw impossible(e);
    }
  }

  static int shutdown(int descriptor, int how) {
    MemorySegment errno = ERRNO.get();
    try {
      return answer((int) SHUTDOWN.invokeExact(errno, descriptor, how), errno);
    } catch (Throwable e) {
      throw impossible(e);
    }
  }

  /** Not repeated when it is interrupted: Linux has closed the descriptor then. */
  static void close(int descriptor) {
    try {
      int _ = (int) CLOSE.invokeExact(ERRNO.get(), descriptor);
    } catch (Throwable e) {
      throw impossible(e);
    }
  }

  /** Interrupted is as good as timed out: who waits looks again. */
  static int poll(MemorySegment entries, int count, int timeoutMillis) {
    MemorySegment errno = ERRNO.get();
    try {
      int answer =
          answer((int) POLL.invokeExact(errno, entries, (long) count, timeoutMillis), errno);
      return answer == -EINTR ? 0 : answer;
    } catch (Throwable e) {
      throw impossible(e);
    }
  }

  static int event() {
    MemorySegment errno = ERRNO.get();
    try {
      return answer((int) EVENT.invokeExact(errno, 0, EFD_CLOEXEC | EFD_NONBLOCK), errno);
    } catch (Throwable e) {
      throw impossible(e);
    }
  }

  static long receive(int descriptor, long address, long length, int flags) {
    MemorySegment errno = ERRNO.get();
    try {
      while (true) {
        long answer = (long) RECEIVE.invokeExact(errno, descriptor, address, length, flags);
        if (answer >= 0) {
          return answer;
        }
        int error = errno.get(JAVA_INT, ERRNO_OFFSET);
        if (error != EINTR) {
          return -error;
        }
      }
    } catch (Throwable e) {
      throw impossible(e);
    }
  }

  static long send(int descriptor, long address, long length, int flags) {
    MemorySegment errno = ERRNO.get();
    try {
      while (true) {
        long answer = (long) SEND.invokeExact(errno, descriptor, address, length, flags);
        if (answer >= 0) {
          return answer;
        }
        int error = errno.get(JAVA_INT, ERRNO_OFFSET);
        if (error != EINTR) {
          return -error;
        }
      }
    } catch (Throwable e) {
      throw impossible(e);
    }
  }

  /** Moves bytes between a pipe and a socket, whichever comes first: how many. */
  static long splice(int from, int to, long length, int flags) {
    MemorySegment errno = ERRNO.get();
    try {
      while (true) {
        long answer = (long) SPLICE.invokeExact(errno, from, 0L, to, 0L, length, flags);
        if (answer >= 0) {
          return answer;
        }
        int error = errno.get(JAVA_INT, ERRNO_OFFSET);
        if (error != EINTR) {
          return -error;
        }
      }
    } catch (Throwable e) {
      throw impossible(e);
    }
  }

  /** Sets the flags of a socket as an open file: O_NONBLOCK or none. */
  static int setFlags(int descriptor, int flags) {
    MemorySegment errno = ERRNO.get();
    try {
      return answer((int) CONTROL.invokeExact(errno, descriptor, F_SETFL, flags), errno);
    } catch (Throwable e) {
      throw impossible(e);
    }
  }

  static long read(int descriptor, MemorySegment into) {
    MemorySegment errno = ERRNO.get();
    try {
      return answer((long) READ.invokeExact(errno, descriptor, into, into.byteSize()), errno);
    } catch (Throwable e) {
      throw impossible(e);
    }
  }

  static long write(int descriptor, MemorySegment from) {
    MemorySegment errno = ERRNO.get();
    try {
      return answer((long) WRITE.invokeExact(errno, descriptor, from, from.byteSize()), errno);
    } catch (Throwable e) {
      throw impossible(e);
    }
  }

  /** Says which call failed on what, and why. */
  static IOException failure(String call, long answer) {
    int error = (int) -answer;
    String text;
    try {
      text = ((MemorySegment) ERROR_TEXT.invokeExact(error)).getString(0);
    } catch (Throwable e) {
      throw impossible(e);
    }
    return new IOException(call + ": " + text + " (error " + error + ")");
  }

  private static int answer(int returned, MemorySegment errno) {
    return returned >= 0 ? returned : -errno.get(JAVA_INT, ERRNO_OFFSET);
  }

  private static long answer(long returned, MemorySegment errno) {
    return returned >= 0 ? returned : -errno.get(JAVA_INT, ERRNO_OFFSET);
  }

  /** System calls throw nothing but what the virtual machine itself runs into. */
  private static Error impossible(Throwable thrown) {
    return thrown instanceof Error error ? error : new AssertionError(thrown);
  }
}
