#include "real.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>

/* Any later version of it would keep this library from loading on older systems. */
#if defined(__x86_64__)
__asm__(".symver dlsym,dlsym@GLIBC_2.2.5");
#elif defined(__aarch64__)
__asm__(".symver dlsym,dlsym@GLIBC_2.17");
#endif

extern struct stage_real __start_stage_real[];
extern struct stage_real __stop_stage_real[];

/* dlsym allocates when it finds nothing, and an allocator may call what is being looked up. */
static __thread bool looking_up;

long stage_missing(void) {
  errno = ENOSYS;
  return -1;
}

void *stage_look_up(struct stage_real *real) {
  if (looking_up) return (void *)stage_missing;
  int error = errno;
  looking_up = true;
  void *function = dlsym(RTLD_NEXT, real->name);
  looking_up = false;
  errno = error;
  if (function == NULL) function = (void *)stage_missing;
  atomic_store_explicit(&real->function, function, memory_order_relaxed);
  return function;
}

void stage_look_up_all(void) {
  for (struct stage_real *real = __start_stage_real; real < __stop_stage_real; real++) {
    stage_function(real);
  }
}
