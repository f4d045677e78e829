/* Calls that do nothing, to be put behind the stage when its own path is to be measured. */
#include <stdarg.h>
#include <sys/stat.h>

int open(const char *path, int flags, ...) {
  (void)path;
  (void)flags;
  return 1000;
}

int fstat(int fd, struct stat *to) {
  (void)fd;
  (void)to;
  return 0;
}
