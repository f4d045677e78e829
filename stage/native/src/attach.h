/* Finding and checking the files of the jobs that this process belongs to. */
#ifndef STAGE_ATTACH_H
#define STAGE_ATTACH_H

#include <stdbool.h>

/* The jobs, the outermost first, with colons between them: each TOKEN@DIRECTORY, or a directory
   alone. */
#define STAGE_DIRECTORY_VARIABLE "SLUICE_STAGE"

/*
 * Maps both files of every directory in the list. What is not as it should be is left out, and those
 * that are there count that something was. Whether there are any.
 */
bool stage_attach(const char *list);

#endif
