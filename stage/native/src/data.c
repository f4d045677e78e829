/* Reading, writing, and what else moves a file's bytes or settles them. */
#include <fcntl.h>
#include <linux/fs.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <sys/uio.h>

#include "calls.h"

DATA_CALL(READ, read, (int fd, void *to, size_t size), (fd, to, size), fd)
DATA_CALL(READ, __read, (int fd, void *to, size_t size), (fd, to, size), fd)
DATA_CALL(READ, __read_chk, (int fd, void *to, size_t size, size_t room), (fd, to, size, room), fd)
DATA_CALL(READ, pread, (int fd, void *to, size_t size, off_t at), (fd, to, size, at), fd)
DATA_CALL(READ, pread64, (int fd, void *to, size_t size, off64_t at), (fd, to, size, at), fd)
DATA_CALL(READ, __pread64, (int fd, void *to, size_t size, off64_t at), (fd, to, size, at), fd)
DATA_CALL(READ, __pread_chk, (int fd, void *to, size_t size, off_t at, size_t room),
          (fd, to, size, at, room), fd)
DATA_CALL(READ, __pread64_chk, (int fd, void *to, size_t size, off64_t at, size_t room),
          (fd, to, size, at, room), fd)
DATA_CALL(READ, readv, (int fd, const struct iovec *parts, int count), (fd, parts, count), fd)
DATA_CALL(READ, preadv, (int fd, const struct iovec *parts, int count, off_t at),
          (fd, parts, count, at), fd)
DATA_CALL(READ, preadv64, (int fd, const struct iovec *parts, int count, off64_t at),
          (fd, parts, count, at), fd)
DATA_CALL(READ, preadv2, (int fd, const struct iovec *parts, int count, off_t at, int flags),
          (fd, parts, count, at, flags), fd)
DATA_CALL(READ, preadv64v2, (int fd, const struct iovec *parts, int count, off64_t at, int flags),
          (fd, parts, count, at, flags), fd)

DATA_CALL(WRITE, write, (int fd, const void *from, size_t size), (fd, from, size), fd)
DATA_CALL(WRITE, __write, (int fd, const void *from, size_t size), (fd, from, size), fd)
DATA_CALL(WRITE, pwrite, (int fd, const void *from, size_t size, off_t at),
          (fd, from, size, at), fd)
DATA_CALL(WRITE, pwrite64, (int fd, const void *from, size_t size, off64_t at),
          (fd, from, size, at), fd)
DATA_CALL(WRITE, __pwrite64, (int fd, const void *from, size_t size, off64_t at),
          (fd, from, size, at), fd)
DATA_CALL(WRITE, writev, (int fd, const struct iovec *parts, int count), (fd, parts, count), fd)
DATA_CALL(WRITE, pwritev, (int fd, const struct iovec *parts, int count, off_t at),
          (fd, parts, count, at), fd)
DATA_CALL(WRITE, pwritev64, (int fd, const struct iovec *parts, int count, off64_t at),
          (fd, parts, count, at), fd)
DATA_CALL(WRITE, pwritev2, (int fd, const struct iovec *parts, int count, off_t at, int flags),
          (fd, parts, count, at, flags), fd)
DATA_CALL(WRITE, pwritev64v2, (int fd, const struct iovec *parts, int count, off64_t at, int flags),
          (fd, parts, count, at, flags), fd)

/* From one descriptor to another without a detour through the program. */
#define TRANSFER_CALL(name, parameters, arguments, from, to)     \
  WRAP(ssize_t, name, parameters) {                              \
    ssize_t moved = REAL(name) arguments;                        \
    stage_moved(STAGE_READ, from, moved);                        \
    return stage_moved(STAGE_WRITE, to, moved);                  \
  }
TRANSFER_CALL(sendfile, (int to, int from, off_t *at, size_t size), (to, from, at, size), from, to)
TRANSFER_CALL(sendfile64, (int to, int from, off64_t *at, size_t size), (to, from, at, size), from,
              to)
TRANSFER_CALL(splice,
              (int from, off64_t *from_at, int to, off64_t *to_at, size_t size, unsigned flags),
              (from, from_at, to, to_at, size, flags), from, to)

/* The storage copies within itself: one operation, whichever end is ours. */
WRAP(ssize_t, copy_file_range,
     (int from, off64_t *from_at, int to, off64_t *to_at, size_t size, unsigned flags)) {
  ssize_t moved = REAL(copy_file_range)(from, from_at, to, to_at, size, flags);
  return stage_moved(STAGE_COPY, stage_is_descriptor_inside(to) ? to : from, moved);
}

/* All clones share what is there: nothing is moved. */
static bool clones(unsigned long request) {
  return request == FICLONE || request == FICLONERANGE || request == FIDEDUPERANGE;
}

/* Declared without the dots of its prototype: the argument is passed on as it came. */
WRAP(int, ioctl, (int fd, unsigned long request, void *argument)) {
  if (__builtin_expect(clones(request), 0)) CHARGE_IF(stage_is_descriptor_inside(fd), STAGE_COPY);
  return REAL(ioctl)(fd, request, argument);
}

/* What is read ahead is charged by its bytes when it is read. */
DESCRIPTOR_CALL(READ, ssize_t, readahead, (int fd, off64_t at, size_t size), (fd, at, size), fd)

#define ADVISE_CALL(name, offset)                                                   \
  WRAP(int, name, (int fd, offset at, offset size, int advice)) {                   \
    if (advice == POSIX_FADV_WILLNEED) {                                            \
      CHARGE_IF(stage_is_descriptor_inside(fd), STAGE_READ);                        \
    }                                                                               \
    return REAL(name)(fd, at, size, advice);                                        \
  }
ADVISE_CALL(posix_fadvise, off_t)
ADVISE_CALL(posix_fadvise64, off64_t)

/* Of every file system, so of every job's. */
WRAP(void, sync, (void)) {
  if (stage_job_count != 0) stage_charge(STAGE_COMMIT, 0, stage_inside_all());
  REAL(sync)();
}

DESCRIPTOR_CALL(COMMIT, int, fsync, (int fd), (fd), fd)
DESCRIPTOR_CALL(COMMIT, int, fdatasync, (int fd), (fd), fd)
DESCRIPTOR_CALL(COMMIT, int, syncfs, (int fd), (fd), fd)
DESCRIPTOR_CALL(COMMIT, int, sync_file_range, (int fd, off64_t at, off64_t size, unsigned flags),
                (fd, at, size, flags), fd)

DESCRIPTOR_CALL(TRUNCATE, int, ftruncate, (int fd, off_t size), (fd, size), fd)
DESCRIPTOR_CALL(TRUNCATE, int, ftruncate64, (int fd, off64_t size), (fd, size), fd)
PATH_CALL(TRUNCATE, int, truncate, (const char *path, off_t size), (path, size), path)
PATH_CALL(TRUNCATE, int, truncate64, (const char *path, off64_t size), (path, size), path)

DESCRIPTOR_CALL(ALLOCATE, int, fallocate, (int fd, int mode, off_t at, off_t size),
                (fd, mode, at, size), fd)
DESCRIPTOR_CALL(ALLOCATE, int, fallocate64, (int fd, int mode, off64_t at, off64_t size),
                (fd, mode, at, size), fd)
DESCRIPTOR_CALL(ALLOCATE, int, posix_fallocate, (int fd, off_t at, off_t size), (fd, at, size), fd)
DESCRIPTOR_CALL(ALLOCATE, int, posix_fallocate64, (int fd, off64_t at, off64_t size),
                (fd, at, size), fd)
