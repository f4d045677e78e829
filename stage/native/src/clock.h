/* The clock that the agent writes into its files. */
#ifndef STAGE_CLOCK_H
#define STAGE_CLOCK_H

#include "layout.h"
#include "system.h"

/* By how much a time namespace has put this process's clock forward. */
extern int64_t stage_clock_offset;

/* Learns it, where an agent's heart does not seem to beat now. */
void stage_match_clock(struct stage_control *control);

static inline int64_t stage_agent_nanos(void) { return stage_now_nanos() - stage_clock_offset; }

#endif
