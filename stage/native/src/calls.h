/*
 * The shapes that almost all wrapped functions have. Names are charged before the call; what moves
 * bytes is charged with what it moved, after it. Neither errno nor the result changes.
 */
#ifndef STAGE_CALLS_H
#define STAGE_CALLS_H

#include <sys/types.h>

#include "charge.h"
#include "descriptors.h"
#include "paths.h"
#include "real.h"

#define PATH_CALL(operation, result, name, parameters, arguments, path)  \
  WRAP(result, name, parameters) {                                       \
    if (stage_is_path_inside(path)) stage_charge(STAGE_##operation, 0);  \
    return REAL(name) arguments;                                         \
  }

#define PATH_AT_CALL(operation, result, name, parameters, arguments, directory, path) \
  WRAP(result, name, parameters) {                                                    \
    if (stage_is_path_at_inside(directory, path)) stage_charge(STAGE_##operation, 0); \
    return REAL(name) arguments;                                                      \
  }

/* Of two names it is enough that one is below a mount point. */
#define TWO_PATHS_CALL(operation, result, name, parameters, arguments, first, second) \
  WRAP(result, name, parameters) {                                                    \
    if (stage_is_path_inside(first) || stage_is_path_inside(second)) {                \
      stage_charge(STAGE_##operation, 0);                                             \
    }                                                                                 \
    return REAL(name) arguments;                                                      \
  }

#define TWO_PATHS_AT_CALL(operation, result, name, parameters, arguments, first_directory, first, \
                          second_directory, second)                                               \
  WRAP(result, name, parameters) {                                                                \
    if (stage_is_path_at_inside(first_directory, first) ||                                        \
        stage_is_path_at_inside(second_directory, second)) {                                      \
      stage_charge(STAGE_##operation, 0);                                                         \
    }                                                                                             \
    return REAL(name) arguments;                                                                  \
  }

#define DESCRIPTOR_CALL(operation, result, name, parameters, arguments, descriptor)    \
  WRAP(result, name, parameters) {                                                     \
    if (stage_is_descriptor_inside(descriptor)) stage_charge(STAGE_##operation, 0);    \
    return REAL(name) arguments;                                                       \
  }

static inline ssize_t stage_moved(enum stage_operation operation, int descriptor, ssize_t moved) {
  if (stage_is_descriptor_inside(descriptor)) {
    stage_charge(operation, moved > 0 ? (uint64_t)moved : 0);
  }
  return moved;
}

#define DATA_CALL(operation, name, parameters, arguments, descriptor)                 \
  WRAP(ssize_t, name, parameters) {                                                   \
    return stage_moved(STAGE_##operation, descriptor, REAL(name) arguments);          \
  }

/* A new descriptor of no file: what its number stood for before does not hold any more. */
static inline int stage_no_file(int descriptor) {
  if (descriptor >= 0) stage_set_place(descriptor, STAGE_PLACE_OUTSIDE);
  return descriptor;
}

/* A new descriptor. One that a link may have led below a mount point is looked up when used. */
static inline int stage_opened(int descriptor, bool inside) {
  enum stage_place place = inside ? STAGE_PLACE_INSIDE : STAGE_PLACE_UNKNOWN;
  if (descriptor >= 0 && stage_known_place(descriptor) != place) stage_set_place(descriptor, place);
  return descriptor;
}

/* A descriptor that is about to be closed: its number may be another's as soon as it is. */
static inline void stage_closing(int descriptor) {
  if (descriptor < 0) return;
  enum stage_place place = stage_known_place(descriptor);
  /* Most that nobody has used were never ours: they are not worth a look. */
  if (place == STAGE_PLACE_UNKNOWN) return;
  bool charged = place == STAGE_PLACE_INSIDE && !stage_this_thread.in_vfork;
  stage_set_place(descriptor, STAGE_PLACE_UNKNOWN);
  if (charged) stage_charge(STAGE_CLOSE, 0);
}

#endif
