/* Finding and checking the files of the job that this process belongs to. */
#ifndef STAGE_ATTACH_H
#define STAGE_ATTACH_H

#include <stdbool.h>

/* The directory with a job's control and state. */
#define STAGE_DIRECTORY_VARIABLE "SLUICE_STAGE"

/* Maps both files of a directory; false, and nothing changes, when anything about them is not as it
   should be. */
bool stage_attach(const char *directory);

#endif
