/* Gives back what waiters that were killed had reserved, as the agent does for its jobs. */
#ifndef RUN_HEAL_H
#define RUN_HEAL_H

#include <stdbool.h>
#include <stdint.h>

#include "files.h"

struct healing {
  uint64_t unclaimed[STAGE_BUCKETS]; /* when somebody looked last */
};

void heal(const struct job *job, struct healing *healing, int64_t now);

#endif
