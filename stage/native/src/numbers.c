/* The life of descriptors: which numbers stand for files of ours, and which do not any more. */
#include <fcntl.h>
#include <stdarg.h>
#include <sys/socket.h>
#include <sys/types.h>

#include "calls.h"

#define CLOSE_ON_EXEC_ONLY 4 /* CLOSE_RANGE_CLOEXEC */

#define CLOSE_CALL(name)            \
  WRAP(int, name, (int fd)) {       \
    stage_closing(fd);              \
    return REAL(name)(fd);          \
  }
CLOSE_CALL(close)
CLOSE_CALL(__close)

WRAP(int, close_range, (unsigned first, unsigned last, int flags)) {
  int result = REAL(close_range)(first, last, flags);
  if (result == 0 && (flags & CLOSE_ON_EXEC_ONLY) == 0) stage_close_between(first, last);
  return result;
}

WRAP(void, closefrom, (int first)) {
  REAL(closefrom)(first);
  stage_close_between(first < 0 ? 0 : (unsigned)first, ~0u);
}

#define DUPLICATE_CALL(name, parameters, arguments)  \
  WRAP(int, name, parameters) {                      \
    int copy = REAL(name) arguments;                 \
    if (copy >= 0) stage_copy_places(fd, copy);       \
    return copy;                                     \
  }
DUPLICATE_CALL(dup, (int fd), (fd))
DUPLICATE_CALL(dup2, (int fd, int to), (fd, to))
DUPLICATE_CALL(dup3, (int fd, int to, int flags), (fd, to, flags))

#define CONTROL_CALL(name)                                                                  \
  WRAP(int, name, (int fd, int command, ...)) {                                             \
    va_list rest;                                                                           \
    va_start(rest, command);                                                                \
    void *argument = va_arg(rest, void *);                                                  \
    va_end(rest);                                                                           \
    int result = REAL(name)(fd, command, argument);                                         \
    if (result >= 0 && (command == F_DUPFD || command == F_DUPFD_CLOEXEC)) {                \
      stage_copy_places(fd, result);                                                         \
    }                                                                                       \
    return result;                                                                          \
  }
CONTROL_CALL(fcntl)
CONTROL_CALL(fcntl64)

#define NO_FILE_CALL(name, parameters, arguments) \
  WRAP(int, name, parameters) { return stage_no_file(REAL(name) arguments); }
NO_FILE_CALL(socket, (int domain, int type, int protocol), (domain, type, protocol))
NO_FILE_CALL(accept, (int fd, struct sockaddr *address, socklen_t *size), (fd, address, size))
NO_FILE_CALL(accept4, (int fd, struct sockaddr *address, socklen_t *size, int flags),
             (fd, address, size, flags))
NO_FILE_CALL(epoll_create, (int size), (size))
NO_FILE_CALL(epoll_create1, (int flags), (flags))
NO_FILE_CALL(eventfd, (unsigned value, int flags), (value, flags))
NO_FILE_CALL(memfd_create, (const char *name, unsigned flags), (name, flags))
NO_FILE_CALL(timerfd_create, (int clock, int flags), (clock, flags))
NO_FILE_CALL(inotify_init, (void), ())
NO_FILE_CALL(inotify_init1, (int flags), (flags))

#define NO_FILES_CALL(name, parameters, arguments) \
  WRAP(int, name, parameters) {                    \
    int result = REAL(name) arguments;             \
    if (result == 0) {                             \
      stage_no_file(pair[0]);                      \
      stage_no_file(pair[1]);                      \
    }                                              \
    return result;                                 \
  }
NO_FILES_CALL(pipe, (int pair[2]), (pair))
NO_FILES_CALL(pipe2, (int pair[2], int flags), (pair, flags))
NO_FILES_CALL(socketpair, (int domain, int type, int protocol, int pair[2]),
              (domain, type, protocol, pair))
