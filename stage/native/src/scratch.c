#include "scratch.h"

#include <sys/mman.h>

#include "system.h"

/* More than threads look something up at the same instant. Who jumps out of a handler at the wrong
   moment, or forks, may leave one taken; then the kernel gives one. */
#define SCRATCHES 32u

static char scratches[SCRATCHES][STAGE_PATH_BYTES];
static _Atomic uint32_t taken;

char *stage_borrow_scratch(void) {
  uint32_t seen = atomic_load_explicit(&taken, memory_order_relaxed);
  while (seen != UINT32_MAX) {
    uint32_t index = (uint32_t)__builtin_ctz(~seen);
    if (atomic_compare_exchange_weak_explicit(&taken, &seen, seen | UINT32_C(1) << index,
                                              memory_order_acquire, memory_order_relaxed)) {
      return scratches[index];
    }
  }
  long at = stage_system(SYS_mmap, 0, STAGE_PATH_BYTES, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return at < 0 && at > -4096 ? NULL : (char *)at;
}

void stage_return_scratch(char *scratch) {
  uintptr_t offset = (uintptr_t)scratch - (uintptr_t)scratches;
  if (offset < sizeof scratches) {
    uint32_t bit = UINT32_C(1) << offset / STAGE_PATH_BYTES;
    atomic_fetch_and_explicit(&taken, ~bit, memory_order_release);
  } else if (scratch != NULL) {
    stage_system(SYS_munmap, (long)scratch, STAGE_PATH_BYTES, 0, 0, 0, 0);
  }
}
