/* What stays beside a run: it heals, watches and sums up, and ends with the job's last process. */
#ifndef RUN_MONITOR_H
#define RUN_MONITOR_H

#include <stdbool.h>
#include <stdint.h>

#include "files.h"

struct monitoring {
  bool quiet;
  bool watch;
  bool supervise;
  int64_t started; /* when the run began */
  const char *reason; /* why the program cannot be held; null where nothing speaks against it */
};

/* Starts the monitor of a job whose program this process is about to become. Gives a descriptor
   that tells it, by being closed, that it has. */
int start_monitor(const struct job *job, const struct monitoring *monitoring);

/* Hands on the descriptor on which the system asks about calls. */
void hand_on(int monitor, int listener);

/* Tells the monitor that nothing was started. */
void call_off(int monitor);

#endif
