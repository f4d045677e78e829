/* System calls that a program makes by their numbers, past the functions of the C library. */
#include <fcntl.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/syscall.h>
#include <sys/types.h>

#include "calls.h"

/* Of the kernel's newer calls, for headers that do not know them. */
#define NUMBER_CLOSE_RANGE 436
#define NUMBER_OPENAT2 437
#define NUMBER_FACCESSAT2 439
#define NUMBER_FCHMODAT2 452

/* How a call is charged, or what it changes of what we know. */
struct price {
  enum {
    FREE,
    BY_DESCRIPTOR,
    BY_PATH,
    BY_PATHS,
    BY_PATH_AT,
    BY_PATHS_AT,
    BY_LINK_AT, /* the path and its directory come after a text */
    BY_BYTES,
    BY_BYTES_TWICE, /* to the first, from the second */
    CLOSES,
    CLOSES_MANY,
    OPENS,
    OPENS_AT,
    DUPLICATES,
    CONTROLS,
    MOVES,
    UNSHARES,
    FORKS,
    CONFINES,
    ENDS
  } kind;
  enum stage_operation operation;
};

static struct price price_of(long number, long third) {
  switch (number) {
    case SYS_read:
    case SYS_pread64:
    case SYS_readv:
    case SYS_preadv:
    case SYS_preadv2:
      return (struct price){BY_BYTES, STAGE_READ};
    case SYS_readahead:
      return (struct price){BY_DESCRIPTOR, STAGE_READ};
    case SYS_write:
    case SYS_pwrite64:
    case SYS_writev:
    case SYS_pwritev:
    case SYS_pwritev2:
      return (struct price){BY_BYTES, STAGE_WRITE};
    case SYS_sendfile:
      return (struct price){BY_BYTES_TWICE, STAGE_WRITE};
    case SYS_copy_file_range:
      return (struct price){BY_BYTES, STAGE_COPY};
    case SYS_ftruncate:
      return (struct price){BY_DESCRIPTOR, STAGE_TRUNCATE};
    case SYS_truncate:
      return (struct price){BY_PATH, STAGE_TRUNCATE};
    case SYS_fallocate:
      return (struct price){BY_DESCRIPTOR, STAGE_ALLOCATE};
    case SYS_fstat:
      return (struct price){BY_DESCRIPTOR, STAGE_GETATTR};
    case SYS_fstatfs:
      return (struct price){BY_DESCRIPTOR, STAGE_STATFS};
    case SYS_statfs:
      return (struct price){BY_PATH, STAGE_STATFS};
    case SYS_getdents64:
      return (struct price){BY_DESCRIPTOR, STAGE_READDIR};
    case SYS_fsync:
    case SYS_fdatasync:
    case SYS_syncfs:
    case SYS_sync_file_range:
      return (struct price){BY_DESCRIPTOR, STAGE_COMMIT};
    case SYS_openat:
    case NUMBER_OPENAT2:
      return (struct price){OPENS_AT, STAGE_OPEN};
    case SYS_close:
      return (struct price){CLOSES, STAGE_CLOSE};
    case NUMBER_CLOSE_RANGE:
      return (struct price){CLOSES_MANY, STAGE_CLOSE};
    case SYS_dup:
    case SYS_dup3:
      return (struct price){DUPLICATES, STAGE_OPEN};
    case SYS_fcntl:
      return (struct price){CONTROLS, STAGE_OPEN};
    case SYS_chdir:
    case SYS_fchdir:
    case SYS_chroot:
      return (struct price){MOVES, STAGE_OPEN};
    case SYS_statx:
#ifdef SYS_newfstatat
    case SYS_newfstatat:
#endif
      return (struct price){BY_PATH_AT, STAGE_GETATTR};
    case SYS_faccessat:
    case NUMBER_FACCESSAT2:
      return (struct price){BY_PATH_AT, STAGE_ACCESS};
    case SYS_fchmodat:
    case NUMBER_FCHMODAT2:
    case SYS_fchownat:
    case SYS_utimensat:
      return (struct price){BY_PATH_AT, STAGE_SETATTR};
    case SYS_fchmod:
    case SYS_fchown:
      return (struct price){BY_DESCRIPTOR, STAGE_SETATTR};
    case SYS_readlinkat:
      return (struct price){BY_PATH_AT, STAGE_READLINK};
    case SYS_mkdirat:
      return (struct price){BY_PATH_AT, STAGE_MKDIR};
    case SYS_mknodat:
      return (struct price){BY_PATH_AT, STAGE_MKNOD};
    case SYS_linkat:
      return (struct price){BY_PATHS_AT, STAGE_LINK};
    case SYS_symlinkat:
      return (struct price){BY_LINK_AT, STAGE_SYMLINK};
    case SYS_unlinkat:
      return (struct price){BY_PATH_AT, (third & AT_REMOVEDIR) != 0 ? STAGE_RMDIR : STAGE_UNLINK};
#ifdef SYS_renameat
    case SYS_renameat:
#endif
    case SYS_renameat2:
      return (struct price){BY_PATHS_AT, STAGE_RENAME};
    case SYS_getxattr:
    case SYS_lgetxattr:
      return (struct price){BY_PATH, STAGE_GETXATTR};
    case SYS_setxattr:
    case SYS_lsetxattr:
      return (struct price){BY_PATH, STAGE_SETXATTR};
    case SYS_listxattr:
    case SYS_llistxattr:
      return (struct price){BY_PATH, STAGE_LISTXATTR};
    case SYS_removexattr:
    case SYS_lremovexattr:
      return (struct price){BY_PATH, STAGE_REMOVEXATTR};
    case SYS_fgetxattr:
      return (struct price){BY_DESCRIPTOR, STAGE_GETXATTR};
    case SYS_fsetxattr:
      return (struct price){BY_DESCRIPTOR, STAGE_SETXATTR};
    case SYS_flistxattr:
      return (struct price){BY_DESCRIPTOR, STAGE_LISTXATTR};
    case SYS_fremovexattr:
      return (struct price){BY_DESCRIPTOR, STAGE_REMOVEXATTR};
    case SYS_unshare:
      return (struct price){UNSHARES, STAGE_OPEN};
    case SYS_clone:
      return (struct price){FORKS, STAGE_OPEN};
    case SYS_seccomp:
      return (struct price){CONFINES, STAGE_OPEN};
    case SYS_exit:
    case SYS_exit_group:
    case SYS_execve:
      return (struct price){ENDS, STAGE_CLOSE};
/* What newer architectures have no numbers for. */
#ifdef SYS_open
    case SYS_open:
    case SYS_creat:
      return (struct price){OPENS, STAGE_OPEN};
    case SYS_dup2:
      return (struct price){DUPLICATES, STAGE_OPEN};
    case SYS_stat:
    case SYS_lstat:
      return (struct price){BY_PATH, STAGE_GETATTR};
    case SYS_access:
      return (struct price){BY_PATH, STAGE_ACCESS};
    case SYS_chmod:
    case SYS_chown:
    case SYS_lchown:
    case SYS_utime:
    case SYS_utimes:
      return (struct price){BY_PATH, STAGE_SETATTR};
    case SYS_readlink:
      return (struct price){BY_PATH, STAGE_READLINK};
    case SYS_mkdir:
      return (struct price){BY_PATH, STAGE_MKDIR};
    case SYS_rmdir:
      return (struct price){BY_PATH, STAGE_RMDIR};
    case SYS_mknod:
      return (struct price){BY_PATH, STAGE_MKNOD};
    case SYS_unlink:
      return (struct price){BY_PATH, STAGE_UNLINK};
    case SYS_rename:
      return (struct price){BY_PATHS, STAGE_RENAME};
    case SYS_link:
      return (struct price){BY_PATHS, STAGE_LINK};
    case SYS_symlink:
      return (struct price){BY_PATHS, STAGE_SYMLINK};
    case SYS_getdents:
      return (struct price){BY_DESCRIPTOR, STAGE_READDIR};
    case SYS_fork:
      return (struct price){FORKS, STAGE_OPEN};
#endif
    default:
      return (struct price){FREE, STAGE_READ};
  }
}

/* The jobs that have what a call is about inside, where it is charged before it is made. */
static stage_inside inside_of(struct price price, long a, long b, long c, long d) {
  switch (price.kind) {
    case BY_DESCRIPTOR:
      return stage_is_descriptor_inside((int)a);
    case BY_PATH:
    case OPENS:
      return stage_is_path_inside((const char *)a);
    case BY_PATHS:
      /* What a symbolic link holds is only text. */
      return (price.operation == STAGE_SYMLINK ? 0 : stage_is_path_inside((const char *)a)) |
             stage_is_path_inside((const char *)b);
    case BY_PATH_AT:
    case OPENS_AT:
      return stage_is_path_at_inside((int)a, (const char *)b);
    case BY_PATHS_AT:
      return stage_is_path_at_inside((int)a, (const char *)b) |
             stage_is_path_at_inside((int)c, (const char *)d);
    case BY_LINK_AT:
      return stage_is_path_at_inside((int)b, (const char *)c);
    default:
      return 0;
  }
}

/* What a call by number has changed of what we know, and what it has moved. */
static void settle(struct price price, stage_inside inside, long result, long a, long b, long c) {
  switch (price.kind) {
    case BY_BYTES:
      if (price.operation == STAGE_COPY && stage_is_descriptor_inside((int)c)) a = c;
      stage_moved(price.operation, (int)a, result);
      return;
    case BY_BYTES_TWICE:
      stage_moved(STAGE_READ, (int)b, result);
      stage_moved(STAGE_WRITE, (int)a, result);
      return;
    case OPENS:
    case OPENS_AT:
      stage_opened((int)result, (struct stage_found){0, inside});
      return;
    case CLOSES_MANY:
      if (result == 0 && c == 0) stage_close_between((unsigned)a, (unsigned)b);
      return;
    case CONTROLS:
      if (b != F_DUPFD && b != F_DUPFD_CLOEXEC) return;
      __attribute__((fallthrough));
    case DUPLICATES:
      if (result >= 0) stage_copy_places((int)a, (int)result);
      return;
    case MOVES:
      if (result == 0) stage_forget_working_directory();
      return;
    case UNSHARES:
      if (result == 0 && (a & (CLONE_FILES | CLONE_FS)) != 0) stage_stop_remembering();
      return;
    case FORKS:
      if (result == 0) stage_forget_thread();
      return;
    case CONFINES:
      if (result != 0) return;
      if (a == SECCOMP_SET_MODE_STRICT) stage_confined(SECCOMP_MODE_STRICT);
      if (a == SECCOMP_SET_MODE_FILTER) stage_confined(SECCOMP_MODE_FILTER);
      return;
    default:
      return;
  }
}

/* Whether a child would run in our memory. */
static bool shares_memory(struct price price, long number, long flags) {
  return price.kind == FORKS && number == SYS_clone && (flags & CLONE_VM) != 0;
}

/* Declared without the dots of its prototype: all it is given is passed on as it came. */
WRAP(long, syscall, (long number, long a, long b, long c, long d, long e, long f)) {
  struct price price = price_of(number, c);
  if (price.kind != FREE && shares_memory(price, number, a)) {
    if ((a & (CLONE_FILES | CLONE_FS)) != (CLONE_FILES | CLONE_FS)) stage_stop_remembering();
    price.kind = FREE;
  }
  /* Left by a jump, not a call: a child that shares our stack may return through here. */
  if (price.kind == FREE || stage_job_count == 0) return REAL(syscall)(number, a, b, c, d, e, f);
  stage_inside inside = inside_of(price, a, b, c, d);
  if (inside) stage_charge(price.operation, 0, inside);
  if (price.kind == CLOSES) stage_closing((int)a);
  if (price.kind == ENDS) stage_return_leases();
  long result = REAL(syscall)(number, a, b, c, d, e, f);
  settle(price, inside, result, a, b, c);
  return result;
}
