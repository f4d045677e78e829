/*
 * Reading what a program points to. A pointer may be wrong, and it is the kernel's to say so: what
 * was never asked about is asked about, without reading it, and pages that could be read are
 * remembered until something is unmapped.
 */
#ifndef STAGE_READABLE_H
#define STAGE_READABLE_H

#include <stdbool.h>
#include <stddef.h>

struct stage_text {
  long length; /* -1 where it cannot be read, or is longer than any path */
  bool dots;   /* whether following it may lead somewhere else than further down */
};

/* Looks through a path. */
struct stage_text stage_scan(const char *path);

/* To be called when memory has been unmapped, or may be read no more. */
void stage_forget_readable(const void *at, size_t size);

#endif
