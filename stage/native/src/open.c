/* Opening files. */
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/types.h>

#include "calls.h"
#include "system.h"

/* Only a call that may make a file has a mode. */
#define MODE_AFTER(flags)                      \
  mode_t mode = 0;                             \
  if ((flags) & (O_CREAT | __O_TMPFILE)) {     \
    va_list rest;                              \
    va_start(rest, flags);                     \
    mode = va_arg(rest, mode_t);               \
    va_end(rest);                              \
  }

#define OPEN_CALL(name)                                                     \
  WRAP(int, name, (const char *path, int flags, ...)) {                     \
    MODE_AFTER(flags)                                                       \
    struct stage_found found = stage_find_path(path);                       \
    CHARGE_IF(found.inside, STAGE_OPEN);                                    \
    return stage_opened(REAL(name)(path, flags, mode), found);              \
  }
OPEN_CALL(open)
OPEN_CALL(open64)
OPEN_CALL(__open)
OPEN_CALL(__open64)

#define OPEN_AT_CALL(name)                                                                    \
  WRAP(int, name, (int directory, const char *path, int flags, ...)) {                        \
    MODE_AFTER(flags)                                                                         \
    struct stage_found found = stage_find_path_at(directory, path);                           \
    CHARGE_IF(found.inside, STAGE_OPEN);                                                      \
    return stage_opened(REAL(name)(directory, path, flags, mode), found);                     \
  }
OPEN_AT_CALL(openat)
OPEN_AT_CALL(openat64)

#define OPENED_BY_PATH(name, parameters, arguments, path)   \
  WRAP(int, name, parameters) {                             \
    struct stage_found found = stage_find_path(path);       \
    CHARGE_IF(found.inside, STAGE_OPEN);                    \
    return stage_opened(REAL(name) arguments, found);       \
  }
OPENED_BY_PATH(__open_2, (const char *path, int flags), (path, flags), path)
OPENED_BY_PATH(__open64_2, (const char *path, int flags), (path, flags), path)
OPENED_BY_PATH(creat, (const char *path, mode_t mode), (path, mode), path)
OPENED_BY_PATH(creat64, (const char *path, mode_t mode), (path, mode), path)
OPENED_BY_PATH(mkstemp, (char *path), (path), path)
OPENED_BY_PATH(mkstemp64, (char *path), (path), path)
OPENED_BY_PATH(mkostemp, (char *path, int flags), (path, flags), path)
OPENED_BY_PATH(mkostemp64, (char *path, int flags), (path, flags), path)
OPENED_BY_PATH(mkstemps, (char *path, int suffix), (path, suffix), path)
OPENED_BY_PATH(mkstemps64, (char *path, int suffix), (path, suffix), path)
OPENED_BY_PATH(mkostemps, (char *path, int suffix, int flags), (path, suffix, flags), path)
OPENED_BY_PATH(mkostemps64, (char *path, int suffix, int flags), (path, suffix, flags), path)

#define OPENED_AT(name)                                                                 \
  WRAP(int, name, (int directory, const char *path, int flags)) {                       \
    struct stage_found found = stage_find_path_at(directory, path);                     \
    CHARGE_IF(found.inside, STAGE_OPEN);                                                \
    return stage_opened(REAL(name)(directory, path, flags), found);                     \
  }
OPENED_AT(__openat_2)
OPENED_AT(__openat64_2)
