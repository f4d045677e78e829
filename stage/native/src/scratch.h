/* Room for a path, which is not taken from the stack: a signal handler's may have four kilobytes. */
#ifndef STAGE_SCRATCH_H
#define STAGE_SCRATCH_H

#include "paths.h"

/* Room that is the caller's until it is returned; null when the kernel has none. */
char *stage_borrow_scratch(void);

void stage_return_scratch(char *scratch);

#endif
