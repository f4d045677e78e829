/* What a file is, who owns it, who may use it. */
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/time.h>
#include <utime.h>

#include "calls.h"

PATH_CALL(GETATTR, int, stat, (const char *path, struct stat *to), (path, to), path)
PATH_CALL(GETATTR, int, stat64, (const char *path, struct stat64 *to), (path, to), path)
PATH_CALL(GETATTR, int, lstat, (const char *path, struct stat *to), (path, to), path)
PATH_CALL(GETATTR, int, lstat64, (const char *path, struct stat64 *to), (path, to), path)
DESCRIPTOR_CALL(GETATTR, int, fstat, (int fd, struct stat *to), (fd, to), fd)
DESCRIPTOR_CALL(GETATTR, int, fstat64, (int fd, struct stat64 *to), (fd, to), fd)
PATH_AT_CALL(GETATTR, int, fstatat, (int at, const char *path, struct stat *to, int flags),
             (at, path, to, flags), at, path)
PATH_AT_CALL(GETATTR, int, fstatat64, (int at, const char *path, struct stat64 *to, int flags),
             (at, path, to, flags), at, path)
PATH_AT_CALL(GETATTR, int, statx,
             (int at, const char *restrict path, int flags, unsigned mask,
              struct statx *restrict to),
             (at, path, flags, mask, to), at, path)

/* The same under the names that programs linked to an older C library know. */
PATH_CALL(GETATTR, int, __xstat, (int version, const char *path, struct stat *to),
          (version, path, to), path)
PATH_CALL(GETATTR, int, __xstat64, (int version, const char *path, struct stat64 *to),
          (version, path, to), path)
PATH_CALL(GETATTR, int, __lxstat, (int version, const char *path, struct stat *to),
          (version, path, to), path)
PATH_CALL(GETATTR, int, __lxstat64, (int version, const char *path, struct stat64 *to),
          (version, path, to), path)
DESCRIPTOR_CALL(GETATTR, int, __fxstat, (int version, int fd, struct stat *to), (version, fd, to),
                fd)
DESCRIPTOR_CALL(GETATTR, int, __fxstat64, (int version, int fd, struct stat64 *to),
                (version, fd, to), fd)
PATH_AT_CALL(GETATTR, int, __fxstatat,
             (int version, int at, const char *path, struct stat *to, int flags),
             (version, at, path, to, flags), at, path)
PATH_AT_CALL(GETATTR, int, __fxstatat64,
             (int version, int at, const char *path, struct stat64 *to, int flags),
             (version, at, path, to, flags), at, path)

PATH_CALL(ACCESS, int, access, (const char *path, int mode), (path, mode), path)
PATH_CALL(ACCESS, int, eaccess, (const char *path, int mode), (path, mode), path)
PATH_CALL(ACCESS, int, euidaccess, (const char *path, int mode), (path, mode), path)
PATH_AT_CALL(ACCESS, int, faccessat, (int at, const char *path, int mode, int flags),
             (at, path, mode, flags), at, path)

PATH_CALL(SETATTR, int, chmod, (const char *path, mode_t mode), (path, mode), path)
PATH_CALL(SETATTR, int, lchmod, (const char *path, mode_t mode), (path, mode), path)
DESCRIPTOR_CALL(SETATTR, int, fchmod, (int fd, mode_t mode), (fd, mode), fd)
PATH_AT_CALL(SETATTR, int, fchmodat, (int at, const char *path, mode_t mode, int flags),
             (at, path, mode, flags), at, path)
PATH_CALL(SETATTR, int, chown, (const char *path, uid_t user, gid_t group), (path, user, group),
          path)
PATH_CALL(SETATTR, int, lchown, (const char *path, uid_t user, gid_t group), (path, user, group),
          path)
DESCRIPTOR_CALL(SETATTR, int, fchown, (int fd, uid_t user, gid_t group), (fd, user, group), fd)
PATH_AT_CALL(SETATTR, int, fchownat,
             (int at, const char *path, uid_t user, gid_t group, int flags),
             (at, path, user, group, flags), at, path)
PATH_CALL(SETATTR, int, utime, (const char *path, const struct utimbuf *times), (path, times), path)
PATH_CALL(SETATTR, int, utimes, (const char *path, const struct timeval times[2]), (path, times),
          path)
PATH_CALL(SETATTR, int, lutimes, (const char *path, const struct timeval times[2]), (path, times),
          path)
DESCRIPTOR_CALL(SETATTR, int, futimes, (int fd, const struct timeval times[2]), (fd, times), fd)
DESCRIPTOR_CALL(SETATTR, int, futimens, (int fd, const struct timespec times[2]), (fd, times), fd)
PATH_AT_CALL(SETATTR, int, futimesat, (int at, const char *path, const struct timeval times[2]),
             (at, path, times), at, path)
PATH_AT_CALL(SETATTR, int, utimensat,
             (int at, const char *path, const struct timespec times[2], int flags),
             (at, path, times, flags), at, path)

PATH_CALL(STATFS, int, statfs, (const char *path, struct statfs *to), (path, to), path)
PATH_CALL(STATFS, int, statfs64, (const char *path, struct statfs64 *to), (path, to), path)
DESCRIPTOR_CALL(STATFS, int, fstatfs, (int fd, struct statfs *to), (fd, to), fd)
DESCRIPTOR_CALL(STATFS, int, fstatfs64, (int fd, struct statfs64 *to), (fd, to), fd)
PATH_CALL(STATFS, int, statvfs, (const char *path, struct statvfs *to), (path, to), path)
PATH_CALL(STATFS, int, statvfs64, (const char *path, struct statvfs64 *to), (path, to), path)
DESCRIPTOR_CALL(STATFS, int, fstatvfs, (int fd, struct statvfs *to), (fd, to), fd)
DESCRIPTOR_CALL(STATFS, int, fstatvfs64, (int fd, struct statvfs64 *to), (fd, to), fd)
