/* System calls that a program makes by their numbers, past the functions of the C library. */
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/types.h>

#include "calls.h"

/* Of the kernel's newer calls, for headers that do not know them. */
#define NUMBER_OPENAT2 437
#define NUMBER_CLOSE_RANGE 436

/* How a call is charged. */
struct price {
  enum { FREE, BY_DESCRIPTOR, BY_PATH_AT, BY_BYTES, CLOSES, CLOSES_MANY, OPENS } kind;
  enum stage_operation operation;
};

static struct price price_of(long number, long third) {
  switch (number) {
    case SYS_read:
    case SYS_pread64:
    case SYS_readv:
    case SYS_preadv:
      return (struct price){BY_BYTES, STAGE_READ};
    case SYS_write:
    case SYS_pwrite64:
    case SYS_writev:
    case SYS_pwritev:
      return (struct price){BY_BYTES, STAGE_WRITE};
    case SYS_copy_file_range:
      return (struct price){BY_BYTES, STAGE_COPY};
    case SYS_fstat:
      return (struct price){BY_DESCRIPTOR, STAGE_GETATTR};
    case SYS_getdents64:
      return (struct price){BY_DESCRIPTOR, STAGE_READDIR};
    case SYS_fsync:
    case SYS_fdatasync:
      return (struct price){BY_DESCRIPTOR, STAGE_COMMIT};
    case SYS_openat:
    case NUMBER_OPENAT2:
      return (struct price){OPENS, STAGE_OPEN};
    case SYS_close:
      return (struct price){CLOSES, STAGE_CLOSE};
    case NUMBER_CLOSE_RANGE:
      return (struct price){CLOSES_MANY, STAGE_CLOSE};
    case SYS_statx:
#ifdef SYS_newfstatat
    case SYS_newfstatat:
#endif
      return (struct price){BY_PATH_AT, STAGE_GETATTR};
    case SYS_faccessat:
      return (struct price){BY_PATH_AT, STAGE_ACCESS};
    case SYS_readlinkat:
      return (struct price){BY_PATH_AT, STAGE_READLINK};
    case SYS_mkdirat:
      return (struct price){BY_PATH_AT, STAGE_MKDIR};
    case SYS_unlinkat:
      return (struct price){BY_PATH_AT, (third & AT_REMOVEDIR) != 0 ? STAGE_RMDIR : STAGE_UNLINK};
#ifdef SYS_renameat
    case SYS_renameat:
#endif
    case SYS_renameat2:
      return (struct price){BY_PATH_AT, STAGE_RENAME};
    default:
      return (struct price){FREE, STAGE_READ};
  }
}

/* Declared without the dots of its prototype: all it is given is passed on as it came. */
WRAP(long, syscall, (long number, long a, long b, long c, long d, long e, long f)) {
  struct price price = price_of(number, c);
  /* Left by a jump, not a call: a child that shares our stack may return through here. */
  if (price.kind == FREE || stage_control == NULL) return REAL(syscall)(number, a, b, c, d, e, f);
  int fd = (int)a;
  bool inside = false;
  if (price.kind == BY_DESCRIPTOR) inside = stage_is_descriptor_inside(fd);
  if (price.kind == BY_PATH_AT || price.kind == OPENS) {
    inside = stage_is_path_at_inside(fd, (const char *)b);
  }
  if (inside) stage_charge(price.operation, 0);
  if (price.kind == CLOSES) stage_closing(fd);
  long result = REAL(syscall)(number, a, b, c, d, e, f);
  if (price.kind == OPENS) stage_opened((int)result, inside);
  if (price.kind == CLOSES_MANY && result == 0 && c == 0) {
    stage_close_between((unsigned)a, (unsigned)b);
  }
  if (price.kind == BY_BYTES) {
    if (number == SYS_copy_file_range && stage_is_descriptor_inside((int)c)) fd = (int)c;
    stage_moved(price.operation, fd, result);
  }
  return result;
}
