/* Whether a program can be held: whether the system would load the library into it. */
#ifndef RUN_PROGRAM_H
#define RUN_PROGRAM_H

#include <limits.h>
#include <stdbool.h>

/* Finds a program as execvp does; 0, or the error that execvp would end with. */
int find_program(const char *name, char path[PATH_MAX]);

/* Why the library cannot be loaded into a program; null where nothing speaks against it, and for
   this very program, which does nothing but start another. */
const char *why_not_held(const char *path);

/* The same of a process's program, which may have no name any more. */
const char *why_process_not_held(int process);

#endif
