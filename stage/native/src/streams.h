/* The C library's own buffered files. */
#ifndef STAGE_STREAMS_H
#define STAGE_STREAMS_H

/* Puts ours before the functions by which buffered files read, write and close. */
void stage_watch_streams(void);

#endif
