/* The two variables by which a program, and all that it starts, is under limits. */
#ifndef RUN_ENVIRONMENT_H
#define RUN_ENVIRONMENT_H

#include <limits.h>
#include <stdbool.h>

#include "files.h"

#define STAGE_VARIABLE "SLUICE_STAGE"
#define PRELOAD_VARIABLE "LD_PRELOAD"
#define LIBRARY_NAME "libsluice.so"

/* Finds the library: beside this program, in lib/sluice beside its directory, or where the system
   has it. False when there is none that programs can load; reason says why. */
bool find_library(char library[PATH_MAX], const char **reason);

/* Ends the program where no more limits can be put below those that are around us already. */
void check_room(void);

/* Puts a job's limits below those that are around us already. */
void enter_job(const struct job *job);

/* Puts the library in front of the programs that are started from here. */
void preload(const char *library);

/* Prints both variables, for programs that start others with an environment of their own. */
void print_environment(void);

/* Prints the files and directories that a container must have under their own names. */
void print_binds(void);

#endif
