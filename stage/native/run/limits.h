/* What can be limited, and the limits of a job as its control file has them. As
   dev.sluice.stage.limit has them; a test compares the two. */
#ifndef RUN_LIMITS_H
#define RUN_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

#include "../src/layout.h"

/* Limits that are to be set, by bucket. */
struct limits {
  bool given[STAGE_BUCKETS];
  uint64_t millionths[STAGE_BUCKETS];
};

/* Adds read=100MB/s,open=50/s to limits; ends the program when it cannot be read. */
void parse_limits(const char *text, struct limits *limits);

/* Lets nothing be limited, in a new file. */
void publish_no_limits(struct stage_control *control, int64_t now);

void publish_limits(struct stage_control *control, const struct limits *limits, int64_t now);

/* The same line, so many units further. */
void publish_moved(struct stage_control *control, uint32_t bucket, uint64_t units, int64_t now);

/* Wakes all who wait, so that they see what has changed. */
void wake_waiters(struct stage_control *control);

/* "open 50 ops/s, read 100 MB/s", or that nothing is limited. */
void describe_limits(struct stage_control *control, char *text, size_t bytes);

/* Whether a bucket has a limit. */
bool is_limited(struct stage_control *control, uint32_t bucket);

/* The operation's name as people write it. */
const char *operation_name(enum stage_operation operation);

/* Prints all scopes, and which calls are in each. */
void print_classes(void);

#endif
