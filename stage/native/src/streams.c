/*
 * Buffered files read and write inside the C library, where no symbol can be replaced, but through
 * a table of functions that the library exports for old programs. Where that table holds exactly the
 * functions that the library exports under their names, those entries are replaced; where it holds
 * anything else, it is left alone, and buffered data is not seen.
 */
#include "streams.h"

#include <dlfcn.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/types.h>

#include "calls.h"
#include "system.h"

enum { TABLE_READ = 14, TABLE_WRITE = 15, TABLE_CLOSE = 17, TABLE_STAT = 18, TABLE_SIZE = 21 };

#define PAGE_BYTES 4096ul

STAGE_REAL(ssize_t, _IO_file_read, (FILE * stream, void *to, ssize_t size));
STAGE_REAL(ssize_t, _IO_file_write, (FILE * stream, const void *from, ssize_t size));
STAGE_REAL(int, _IO_file_close, (FILE * stream));
STAGE_REAL(int, _IO_file_stat, (FILE * stream, void *to));
STAGE_REAL(void, _IO_file_jumps, (void));
STAGE_REAL(void, _IO_wfile_jumps, (void));

static ssize_t read_stream(FILE *stream, void *to, ssize_t size) {
  return stage_moved(STAGE_READ, stream->_fileno, REAL(_IO_file_read)(stream, to, size));
}

static ssize_t write_stream(FILE *stream, const void *from, ssize_t size) {
  return stage_moved(STAGE_WRITE, stream->_fileno, REAL(_IO_file_write)(stream, from, size));
}

static int close_stream(FILE *stream) {
  stage_closing(stream->_fileno);
  return REAL(_IO_file_close)(stream);
}

static int stat_stream(FILE *stream, void *to) {
  CHARGE_IF(stage_is_descriptor_inside(stream->_fileno), STAGE_GETATTR);
  return REAL(_IO_file_stat)(stream, to);
}

static void watch_table(void **table) {
  if (table[TABLE_READ] != (void *)REAL(_IO_file_read) ||
      table[TABLE_WRITE] != (void *)REAL(_IO_file_write) ||
      table[TABLE_CLOSE] != (void *)REAL(_IO_file_close) ||
      table[TABLE_STAT] != (void *)REAL(_IO_file_stat)) {
    return;
  }
  unsigned long first = (unsigned long)table & ~(PAGE_BYTES - 1);
  unsigned long end = (unsigned long)(table + TABLE_SIZE);
  long bytes = (long)((end - first + PAGE_BYTES - 1) & ~(PAGE_BYTES - 1));
  if (stage_system(SYS_mprotect, (long)first, bytes, PROT_READ | PROT_WRITE, 0, 0, 0) != 0) return;
  table[TABLE_READ] = (void *)read_stream;
  table[TABLE_WRITE] = (void *)write_stream;
  table[TABLE_CLOSE] = (void *)close_stream;
  table[TABLE_STAT] = (void *)stat_stream;
  stage_system(SYS_mprotect, (long)first, bytes, PROT_READ, 0, 0, 0);
}

void stage_watch_streams(void) {
  /* What is looked up is data here, not a function; where it is missing, the check fails. */
  void **tables[] = {(void **)REAL(_IO_file_jumps), (void **)REAL(_IO_wfile_jumps)};
  for (unsigned i = 0; i < 2; i++) {
    if ((void *)tables[i] != (void *)stage_missing) watch_table(tables[i]);
  }
}

#define OPEN_STREAM_CALL(name)                                        \
  WRAP(FILE *, name, (const char *path, const char *mode)) {          \
    struct stage_found found = stage_find_path(path);                 \
    CHARGE_IF(found.inside, STAGE_OPEN);                              \
    FILE *stream = REAL(name)(path, mode);                            \
    if (stream != NULL) stage_opened(stream->_fileno, found);         \
    return stream;                                                    \
  }
OPEN_STREAM_CALL(fopen)
OPEN_STREAM_CALL(fopen64)

#define REOPEN_STREAM_CALL(name)                                                        \
  WRAP(FILE *, name, (const char *path, const char *mode, FILE *old)) {                 \
    struct stage_found found = stage_find_path(path);                                   \
    CHARGE_IF(found.inside, STAGE_OPEN);                                                \
    FILE *stream = REAL(name)(path, mode, old);                                         \
    if (stream != NULL && path != NULL) stage_opened(stream->_fileno, found);           \
    return stream;                                                                      \
  }
REOPEN_STREAM_CALL(freopen)
REOPEN_STREAM_CALL(freopen64)
