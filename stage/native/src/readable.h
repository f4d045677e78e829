/*
 * Reading what a program points to. A pointer may be wrong, and it is the kernel's to say so: what
 * was never asked about is asked about, without reading it, and pages that could be read are
 * remembered until something is unmapped.
 */
#ifndef STAGE_READABLE_H
#define STAGE_READABLE_H

#include <stddef.h>

/* The length of a text, or -1 where it cannot be read or is longer than any path. */
long stage_text_length(const char *text);

/* To be called when memory has been unmapped, or may be read no more. */
void stage_forget_readable(const void *at, size_t size);

#endif
