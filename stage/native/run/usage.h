/* What a job has done, for people. */
#ifndef RUN_USAGE_H
#define RUN_USAGE_H

#include <stdint.h>

#include "../src/layout.h"
#include "processes.h"

struct usage {
  uint64_t attached; /* processes that have ever been held */
  struct {
    uint64_t calls;
    uint64_t bytes;
    uint64_t waits;
    uint64_t waited_nanos;
  } of[STAGE_OPERATION_COUNT];
};

/* Reads what has been done so far. What is missing of the file reads as zeros. */
void read_usage(const struct job *job, struct usage *usage);

/* What was done over a time, which at the end is all of it. */
void print_summary(int to, const struct job *job, const struct usage *usage, uint64_t nanos,
                   const struct not_held *not_held, const char *reason);

/* What was done since another look; on a terminal over the one before it. */
void print_rates(int to, const struct job *job, const struct usage *now,
                 const struct usage *before, uint64_t nanos);

/* Takes away what the last look has drawn. */
void clear_rates(int to);

#endif
