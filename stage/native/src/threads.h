/* What the library has to know of the host's threads: that they end, and that they are cancelled. */
#ifndef STAGE_THREADS_H
#define STAGE_THREADS_H

#include "layout.h"

/* Once, when the library is loaded. */
void stage_watch_threads(void);

/* Has the calling thread's end return what it has leased. */
void stage_watch_thread(void);

/* Around a sleep: where the call itself may be cancelled, so may its wait. Takes the answer back. */
int stage_allow_cancel(enum stage_operation operation);
void stage_forbid_cancel(int type);

#endif
