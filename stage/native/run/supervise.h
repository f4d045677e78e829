/*
 * Holds programs that do not load the library: the system asks the monitor before each of their
 * file calls (seccomp's user notification), and it answers when the call's turn has come. Slower
 * than the library by microseconds a call, and the same for every kind of program.
 */
#ifndef RUN_SUPERVISE_H
#define RUN_SUPERVISE_H

#include <stdbool.h>

#include "files.h"

/* Has the system ask about this process's calls, and those of all that it starts, from now on; the
   descriptor on which it does. Ends the program where that cannot be. io_uring is refused. */
int ask_about_calls(void);

struct supervision;

/* Begins to answer for a job. */
struct supervision *begin_supervision(const struct job *job, int listener);

/* Answers what is asked, for at most a tenth of a second or until one of two other descriptors has
   something to tell; false when nobody is left who could ask. */
bool supervise(struct supervision *supervision, int one, int other);

#endif
