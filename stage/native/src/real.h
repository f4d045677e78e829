/*
 * The functions that ours stand in front of: the next of their names after this library.
 *
 * Each file names those it needs; the linker gathers them, and all are looked up when the library
 * is loaded, because looking up is nothing to do in a signal handler. Whoever calls before that,
 * from another library's constructor, looks up his own.
 */
#ifndef STAGE_REAL_H
#define STAGE_REAL_H

#include <stdatomic.h>
#include <stddef.h>

struct stage_real {
  const char *name;
  void *_Atomic function;
};

/* The function; where this C library has none, one that fails with ENOSYS. */
void *stage_look_up(struct stage_real *real);

/* The one that fails. */
long stage_missing(void);

void stage_look_up_all(void);

#define STAGE_EXPORT __attribute__((visibility("default")))

#define STAGE_REAL(result, name, parameters)                                       \
  typedef result(*stage_type_##name) parameters;                                   \
  static struct stage_real stage_real_##name __attribute__((section("stage_real"), \
                                                            used)) = {#name, NULL}

static inline void *stage_function(struct stage_real *real) {
  void *function = atomic_load_explicit(&real->function, memory_order_relaxed);
  return __builtin_expect(function != NULL, 1) ? function : stage_look_up(real);
}

/* Calls as REAL(open)(path, flags). */
#define REAL(name) ((stage_type_##name)stage_function(&stage_real_##name))

/* Begins the definition of a function that stands in front of the one of the same name. */
#define WRAP(result, name, parameters)  \
  STAGE_REAL(result, name, parameters); \
  STAGE_EXPORT result name parameters

#endif
