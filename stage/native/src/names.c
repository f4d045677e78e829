/* Making, changing and removing names. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include "calls.h"

TWO_PATHS_CALL(RENAME, int, rename, (const char *from, const char *to), (from, to), from, to)
TWO_PATHS_AT_CALL(RENAME, int, renameat,
                  (int from_at, const char *from, int to_at, const char *to),
                  (from_at, from, to_at, to), from_at, from, to_at, to)
TWO_PATHS_AT_CALL(RENAME, int, renameat2,
                  (int from_at, const char *from, int to_at, const char *to, unsigned flags),
                  (from_at, from, to_at, to, flags), from_at, from, to_at, to)
TWO_PATHS_CALL(LINK, int, link, (const char *from, const char *to), (from, to), from, to)
TWO_PATHS_AT_CALL(LINK, int, linkat,
                  (int from_at, const char *from, int to_at, const char *to, int flags),
                  (from_at, from, to_at, to, flags), from_at, from, to_at, to)

/* What a symbolic link holds is only text. */
PATH_CALL(SYMLINK, int, symlink, (const char *text, const char *path), (text, path), path)
PATH_AT_CALL(SYMLINK, int, symlinkat, (const char *text, int at, const char *path),
             (text, at, path), at, path)
PATH_CALL(READLINK, ssize_t, readlink, (const char *path, char *to, size_t room), (path, to, room),
          path)
PATH_CALL(READLINK, ssize_t, __readlink_chk,
          (const char *path, char *to, size_t room, size_t whole), (path, to, room, whole), path)
PATH_AT_CALL(READLINK, ssize_t, readlinkat, (int at, const char *path, char *to, size_t room),
             (at, path, to, room), at, path)
PATH_AT_CALL(READLINK, ssize_t, __readlinkat_chk,
             (int at, const char *path, char *to, size_t room, size_t whole),
             (at, path, to, room, whole), at, path)

PATH_CALL(UNLINK, int, unlink, (const char *path), (path), path)
PATH_CALL(UNLINK, int, remove, (const char *path), (path), path)
WRAP(int, unlinkat, (int at, const char *path, int flags)) {
  CHARGE_IF(stage_is_path_at_inside(at, path),
            (flags & AT_REMOVEDIR) != 0 ? STAGE_RMDIR : STAGE_UNLINK);
  return REAL(unlinkat)(at, path, flags);
}

PATH_CALL(MKNOD, int, mknod, (const char *path, mode_t mode, dev_t device), (path, mode, device),
          path)
PATH_AT_CALL(MKNOD, int, mknodat, (int at, const char *path, mode_t mode, dev_t device),
             (at, path, mode, device), at, path)
PATH_CALL(MKNOD, int, __xmknod, (int version, const char *path, mode_t mode, dev_t *device),
          (version, path, mode, device), path)
PATH_AT_CALL(MKNOD, int, __xmknodat,
             (int version, int at, const char *path, mode_t mode, dev_t *device),
             (version, at, path, mode, device), at, path)
PATH_CALL(MKNOD, int, mkfifo, (const char *path, mode_t mode), (path, mode), path)
PATH_AT_CALL(MKNOD, int, mkfifoat, (int at, const char *path, mode_t mode), (at, path, mode), at,
             path)

PATH_CALL(MKDIR, int, mkdir, (const char *path, mode_t mode), (path, mode), path)
PATH_AT_CALL(MKDIR, int, mkdirat, (int at, const char *path, mode_t mode), (at, path, mode), at,
             path)
PATH_CALL(MKDIR, char *, mkdtemp, (char *path), (path), path)
PATH_CALL(RMDIR, int, rmdir, (const char *path), (path), path)
