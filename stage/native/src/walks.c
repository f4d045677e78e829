/*
 * Walks through a tree by the C library, which may take the working directory along. What they do
 * within is not seen.
 */
#include <ftw.h>
#include <fts.h>
#include <sys/stat.h>

#include "calls.h"

#define WALK_CALL(name, status)                                                                \
  WRAP(int, name,                                                                              \
       (const char *path, int (*each)(const char *, const struct status *, int, struct FTW *), \
        int depth, int flags)) {                                                               \
    bool moves = (flags & FTW_CHDIR) != 0;                                                     \
    if (moves) stage_working_directory_wanders(true);                                          \
    int result = REAL(name)(path, each, depth, flags);                                         \
    if (moves) stage_working_directory_wanders(false);                                         \
    return result;                                                                             \
  }
WALK_CALL(nftw, stat)
WALK_CALL(nftw64, stat64)

/* A walk step by step knows itself whether it moves. */
#define STEP_WALK_CALLS(open, close, walk, entry)                                          \
  WRAP(walk *, open,                                                                       \
       (char *const *paths, int options, int (*compare)(const entry **, const entry **))) { \
    walk *opened = REAL(open)(paths, options, compare);                                    \
    if (opened != NULL && (opened->fts_options & FTS_NOCHDIR) == 0) {             \
      stage_working_directory_wanders(true);                                               \
    }                                                                                      \
    return opened;                                                                         \
  }                                                                                        \
  WRAP(int, close, (walk * walk_to_close)) {                                               \
    bool moves = (walk_to_close->fts_options & FTS_NOCHDIR) == 0;                          \
    int result = REAL(close)(walk_to_close);                                               \
    if (moves) stage_working_directory_wanders(false);                                     \
    return result;                                                                         \
  }
STEP_WALK_CALLS(fts_open, fts_close, FTS, FTSENT)
STEP_WALK_CALLS(fts64_open, fts64_close, FTS64, FTSENT64)
