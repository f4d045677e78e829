/* Reading directories, which the C library does in portions of many entries. */
#include <dirent.h>
#include <sys/types.h>

#include "calls.h"

/* The head of glibc's DIR: when the portion is used up, the next entry costs a system call. */
struct portion {
  int descriptor;
  int lock;
  size_t room;
  size_t size;
  size_t used;
};

WRAP(DIR *, opendir, (const char *path)) {
  struct stage_found found = stage_find_path(path);
  CHARGE_IF(found.inside, STAGE_OPEN);
  CHARGE_IF(found.inside, STAGE_GETATTR); /* It looks whether this is a directory. */
  DIR *stream = REAL(opendir)(path);
  if (stream != NULL) stage_opened(dirfd(stream), found);
  return stream;
}

DESCRIPTOR_CALL(GETATTR, DIR *, fdopendir, (int fd), (fd), fd)

/* Apart, because the header promises that no stream is null, and a program may break that. */
static void closing(DIR *stream) {
  if (stream != NULL) stage_closing(dirfd(stream));
}

WRAP(int, closedir, (DIR * stream)) {
  closing(stream);
  return REAL(closedir)(stream);
}

static void charge_portion(DIR *stream) {
  if (stage_job_count == 0 || stream == NULL) return;
  const struct portion *portion = (const struct portion *)stream;
  if (portion->used < portion->size) return;
  CHARGE_IF(stage_is_descriptor_inside(dirfd(stream)), STAGE_READDIR);
}

#define READ_ENTRY_CALL(result, name, parameters, arguments) \
  WRAP(result, name, parameters) {                           \
    charge_portion(stream);                                  \
    return REAL(name) arguments;                             \
  }
READ_ENTRY_CALL(struct dirent *, readdir, (DIR * stream), (stream))
READ_ENTRY_CALL(struct dirent64 *, readdir64, (DIR * stream), (stream))
READ_ENTRY_CALL(int, readdir_r, (DIR * stream, struct dirent *entry, struct dirent **to),
                (stream, entry, to))
READ_ENTRY_CALL(int, readdir64_r, (DIR * stream, struct dirent64 *entry, struct dirent64 **to),
                (stream, entry, to))

DESCRIPTOR_CALL(READDIR, ssize_t, getdirentries, (int fd, char *to, size_t room, off_t *at),
                (fd, to, room, at), fd)
DESCRIPTOR_CALL(READDIR, ssize_t, getdirentries64, (int fd, char *to, size_t room, off64_t *at),
                (fd, to, room, at), fd)
DESCRIPTOR_CALL(READDIR, ssize_t, getdents64, (int fd, void *to, size_t room), (fd, to, room), fd)
