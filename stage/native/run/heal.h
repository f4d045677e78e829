/* Gives back what waiters that were killed had reserved, as the agent does for its jobs. */
#ifndef RUN_HEAL_H
#define RUN_HEAL_H

#include <stdbool.h>
#include <stdint.h>

#include "files.h"

struct healing {
  bool known[STAGE_BUCKETS];
  /* Up to which ticket nobody stood behind what was reserved, when somebody looked last. */
  uint64_t unclaimed[STAGE_BUCKETS];
};

/* To be called several times a second. */
void heal(const struct job *job, struct healing *healing, int64_t now);

#endif
