/*
 * The jobs that this process belongs to. A run within a run is under the limits of both: the
 * outermost job comes first, and every call is charged to each of them that has it below its mount
 * points.
 */
#ifndef STAGE_JOBS_H
#define STAGE_JOBS_H

#include "layout.h"

#define STAGE_JOBS_MAX 4u

struct stage_job {
  struct stage_control *control;
  struct stage_state *state;
};

extern struct stage_job stage_jobs[STAGE_JOBS_MAX];

/* 0 as long as nothing is attached; every call then passes. */
extern uint32_t stage_job_count;

/*
 * Where something is, as each job sees it: two bits for each, the first job's lowest. Of something
 * that is known all jobs know it, so that 0 as a whole is unknown.
 */
typedef uint8_t stage_places;

enum stage_place {
  STAGE_PLACE_UNKNOWN,
  STAGE_PLACE_OUTSIDE,
  STAGE_PLACE_INSIDE,
  STAGE_PLACE_ABOVE /* a directory with a mount point somewhere below it */
};

/* Which jobs have something inside: the lower bit of each one's two. */
typedef uint8_t stage_inside;

#define STAGE_LOWER_BITS 0x55u

static inline stage_places stage_place_for(uint32_t job, enum stage_place place) {
  return (stage_places)((uint32_t)place << 2 * job);
}

static inline stage_inside stage_inside_of(stage_places places) {
  return (stage_inside)((uint32_t)places >> 1 & ~(uint32_t)places & STAGE_LOWER_BITS);
}

static inline int stage_is_above_for_some(stage_places places) {
  return ((uint32_t)places >> 1 & (uint32_t)places & STAGE_LOWER_BITS) != 0;
}

static inline int stage_is_inside_for(stage_inside inside, uint32_t job) {
  return (uint32_t)inside >> 2 * job & 1;
}

/* Every job that is attached. */
static inline stage_inside stage_inside_all(void) {
  return (stage_inside)(STAGE_LOWER_BITS & ((1u << 2 * stage_job_count) - 1));
}

/* Inside for these, outside for all others. */
static inline stage_places stage_places_inside(stage_inside inside) {
  return (stage_places)((uint32_t)inside << 1 | (stage_inside_all() & ~(uint32_t)inside));
}

#endif
