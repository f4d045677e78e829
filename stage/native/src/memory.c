/*
 * Mapped files. What is touched later is seen by nobody, and how much that will be cannot be known
 * (a database may map a terabyte to read a page), so that a mapping is one read of no bytes.
 *
 * And what may be read no more: what a program points to is read only where that is possible.
 */
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/types.h>

#include "calls.h"
#include "readable.h"

/* The jobs of whose files one was ever mapped for writing. */
static _Atomic stage_inside writes_by_memory;

static void mapping(int protection, int flags, int fd) {
  if (fd < 0 || (flags & MAP_ANONYMOUS) != 0) return;
  stage_inside inside = stage_is_descriptor_inside(fd);
  if (!inside) return;
  if ((flags & MAP_SHARED) != 0 && (protection & PROT_WRITE) != 0) {
    atomic_fetch_or_explicit(&writes_by_memory, inside, memory_order_relaxed);
  }
  stage_charge(STAGE_READ, 0, inside);
}

#define MAP_CALL(name, offset_type)                                                      \
  WRAP(void *, name,                                                                     \
       (void *at, size_t size, int protection, int flags, int fd, offset_type offset)) { \
    mapping(protection, flags, fd);                                                      \
    void *mapped = REAL(name)(at, size, protection, flags, fd, offset);                  \
    if ((flags & MAP_FIXED) != 0) stage_forget_readable(at, size);                       \
    return mapped;                                                                       \
  }
MAP_CALL(mmap, off_t)
MAP_CALL(mmap64, off64_t)

/* Which file is mapped at an address is not kept: who writes to one of ours by memory most likely
   settles that one. */
WRAP(int, msync, (void *at, size_t size, int flags)) {
  CHARGE_IF(atomic_load_explicit(&writes_by_memory, memory_order_relaxed), STAGE_COMMIT);
  return REAL(msync)(at, size, flags);
}

#define UNMAP_CALL(name, parameters, arguments)      \
  WRAP(int, name, parameters) {                      \
    int result = REAL(name) arguments;               \
    stage_forget_readable(at, size);                 \
    return result;                                   \
  }
UNMAP_CALL(munmap, (void *at, size_t size), (at, size))
UNMAP_CALL(mprotect, (void *at, size_t size, int protection), (at, size, protection))
UNMAP_CALL(pkey_mprotect, (void *at, size_t size, int protection, int key),
           (at, size, protection, key))

WRAP(int, shmdt, (const void *at)) {
  int result = REAL(shmdt)(at);
  stage_forget_readable(at, ~(size_t)0);
  return result;
}

WRAP(void *, mremap, (void *at, size_t size, size_t new_size, int flags, ...)) {
  va_list rest;
  va_start(rest, flags);
  void *to = va_arg(rest, void *);
  va_end(rest);
  void *moved = REAL(mremap)(at, size, new_size, flags, to);
  stage_forget_readable(at, size);
  return moved;
}
