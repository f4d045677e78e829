/* A job's directory with its control and state, as dev.sluice.stage.files has it. */
#ifndef RUN_FILES_H
#define RUN_FILES_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "../src/layout.h"

#define TOKEN_DIGITS 16
#define JOB_BYTES_MAX 256

struct job {
  char id[JOB_BYTES_MAX];
  char directory[PATH_MAX];
  int lock;  /* whoever has it looks after the job */
  int state; /* read-only */
  uint64_t token;
  struct stage_control *control;
};

/* Where this user's jobs are: /run/sluice for root, a private directory for others. */
void find_own_directory(char directory[PATH_MAX]);

/* The directory of a job below that of all. Ends the program when the id is none. */
void name_job(struct job *job, const char *base, const char *id);

/* Makes a new job's files, in which nothing is limited; ends the program when that cannot be.
   Without an id it is the run of this process, of which there may be several, one in another. */
void make_job(struct job *job, const char *base, const char *id, const char *const mounts[],
              int mount_count);

/* Opens the files of a job that somebody else looks after, as far as joining it takes; false, and
   errno tells why, when that cannot be. */
bool open_job(struct job *job, const char *base, const char *id);

/* Takes the job's files away. Uses nothing but system calls and the stack. */
void delete_job(const struct job *job);

/* Whether no process has the state mapped that this descriptor, not open for writing, is of. */
bool is_unused(int state);

/* Takes away what runs that were killed have left beside a job. */
void sweep_beside(const struct job *job);

/* An absolute path without . and .., as it was written from a start: links stay. */
void normalize_path(const char *start, const char *path, char normal[PATH_MAX]);

/* The descriptor under a number that is none of the standard ones, closed by exec. */
int keep_descriptor(int descriptor);

#endif
