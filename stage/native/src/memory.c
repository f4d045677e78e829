/*
 * Mapped files. What is touched later is seen by nobody, and how much that will be cannot be known
 * (a database may map a terabyte to read a page), so that a mapping is one read of no bytes.
 */
#include <sys/mman.h>
#include <sys/types.h>

#include "calls.h"

/* Whether a file of ours was ever mapped for writing. */
static _Atomic bool writes_by_memory;

#define MAP_CALL(name, offset_type)                                                      \
  WRAP(void *, name,                                                                     \
       (void *at, size_t size, int protection, int flags, int fd, offset_type offset)) { \
    if (fd >= 0 && (flags & MAP_ANONYMOUS) == 0 && stage_is_descriptor_inside(fd)) {     \
      if ((flags & MAP_SHARED) != 0 && (protection & PROT_WRITE) != 0) {                 \
        atomic_store_explicit(&writes_by_memory, true, memory_order_relaxed);            \
      }                                                                                  \
      stage_charge(STAGE_READ, 0);                                                       \
    }                                                                                    \
    return REAL(name)(at, size, protection, flags, fd, offset);                          \
  }
MAP_CALL(mmap, off_t)
MAP_CALL(mmap64, off64_t)

/* Which file is mapped at an address is not kept: who writes to one of ours by memory most likely
   settles that one. */
WRAP(int, msync, (void *at, size_t size, int flags)) {
  if (atomic_load_explicit(&writes_by_memory, memory_order_relaxed)) stage_charge(STAGE_COMMIT, 0);
  return REAL(msync)(at, size, flags);
}
