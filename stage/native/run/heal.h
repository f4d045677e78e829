/* Gives back what waiters that were killed had reserved, as the agent does for its jobs. */
#ifndef RUN_HEAL_H
#define RUN_HEAL_H

#include <stdbool.h>
#include <stdint.h>

#include "files.h"

#define LOOKS_MAX 16u

/* Where each bucket's tickets ended at the looks of the last second and a little more. */
struct healing {
  unsigned first;
  unsigned count;
  struct {
    int64_t at;
    uint64_t tickets[STAGE_BUCKETS];
  } looks[LOOKS_MAX];
};

/* To be called several times a second. */
void heal(const struct job *job, struct healing *healing, int64_t now);

#endif
