/* The processes of a job, as the system shows them: which of them the limits do not hold. */
#ifndef RUN_PROCESSES_H
#define RUN_PROCESSES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "files.h"

#define NAMED_MAX 3
#define NAME_BYTES 64

/* What was found that is not held, since the job began. */
struct not_held {
  unsigned processes;
  unsigned names_used;
  unsigned rings; /* of processes that have one in common with the kernel: io_uring, libaio */
  unsigned alone; /* processes that are held, but each as if it were alone */
  char names[NAMED_MAX][NAME_BYTES];
};

struct processes {
  const struct job *job;
  uint64_t inode; /* of the job's state */
  struct not_held found;
  struct seen {
    pid_t process;
    uint64_t started;
    uint64_t program; /* its file's number */
    bool counted;
    bool ring;
    bool alone;
  } *seen; /* not held when somebody looked last */
  unsigned seen_count;
};

void begin_looking(struct processes *processes, const struct job *job);

/* Looks at a process and all that descend from it. */
void look_at_descendants(struct processes *processes, pid_t process);

/* How many processes of the system have the job in their environment: those that run, and have not
   loaded the library. */
unsigned count_others(struct processes *processes);

#endif
