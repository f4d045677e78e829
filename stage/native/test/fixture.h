/* A job's files as an agent would make them, for tests without an agent. */
#ifndef STAGE_FIXTURE_H
#define STAGE_FIXTURE_H

#include <stdint.h>

#include "layout.h"

struct fixture {
  char directory[4096];
  struct stage_control *control;
  struct stage_state *state;
};

/* Makes the files in a directory, with one mount point and no limits. */
void fixture_create(struct fixture *fixture, const char *directory, const char *mount);

/* Maps the files that somebody else has made there. */
void fixture_open(struct fixture *fixture, const char *directory);

void fixture_beat(struct fixture *fixture);

/* Publishes a new rate for a bucket, and wakes who waits. */
void fixture_limit(struct fixture *fixture, uint32_t bucket, double tokens_per_second,
                   double burst_tokens, uint64_t lease_tokens);

void fixture_unlimit(struct fixture *fixture, uint32_t bucket);

/* Moves a bucket's line forward, as an agent does for the dead. */
void fixture_forgive(struct fixture *fixture, uint32_t bucket, uint64_t units);

uint64_t fixture_calls(struct fixture *fixture, enum stage_operation operation);

uint64_t fixture_bytes(struct fixture *fixture, enum stage_operation operation);

int64_t fixture_now(void);

/* Ends the program with the place and the text when something does not hold. */
#define CHECK(condition, ...) \
  ((condition) ? (void)0 : fixture_fail(__FILE__, __LINE__, #condition, __VA_ARGS__))

__attribute__((noreturn, format(printf, 4, 5))) void fixture_fail(const char *file, int line,
                                                                   const char *condition,
                                                                   const char *text, ...);

#endif
