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

#define CHARGE_IF(inside, operation)                                \
  do {                                                              \
    stage_inside stage_inside_now = (inside);                       \
    if (stage_inside_now) stage_charge(operation, 0, stage_inside_now); \
  } while (0)

#define PATH_CALL(operation, result, name, parameters, arguments, path)  \
  WRAP(result, name, parameters) {                                       \
    CHARGE_IF(stage_is_path_inside(path), STAGE_##operation);            \
    return REAL(name) arguments;                                         \
  }

#define PATH_AT_CALL(operation, result, name, parameters, arguments, directory, path) \
  WRAP(result, name, parameters) {                                                    \
    CHARGE_IF(stage_is_path_at_inside(directory, path), STAGE_##operation);           \
    return REAL(name) arguments;                                                      \
  }

/* Of two names it is enough that one is below a mount point. */
#define TWO_PATHS_CALL(operation, result, name, parameters, arguments, first, second) \
  WRAP(result, name, parameters) {                                                    \
    CHARGE_IF(stage_is_path_inside(first) | stage_is_path_inside(second),             \
              STAGE_##operation);                                                     \
    return REAL(name) arguments;                                                      \
  }

#define TWO_PATHS_AT_CALL(operation, result, name, parameters, arguments, first_directory, first, \
                          second_directory, second)                                               \
  WRAP(result, name, parameters) {                                                                \
    CHARGE_IF(stage_is_path_at_inside(first_directory, first) |                                   \
                  stage_is_path_at_inside(second_directory, second),                              \
              STAGE_##operation);                                                                 \
    return REAL(name) arguments;                                                                  \
  }

#define DESCRIPTOR_CALL(operation, result, name, parameters, arguments, descriptor)    \
  WRAP(result, name, parameters) {                                                     \
    CHARGE_IF(stage_is_descriptor_inside(descriptor), STAGE_##operation);              \
    return REAL(name) arguments;                                                       \
  }

static inline ssize_t stage_moved(enum stage_operation operation, int descriptor, ssize_t moved) {
  stage_inside inside = stage_is_descriptor_inside(descriptor);
  if (inside) stage_charge(operation, moved > 0 ? (uint64_t)moved : 0, inside);
  return moved;
}

#define DATA_CALL(operation, name, parameters, arguments, descriptor)                 \
  WRAP(ssize_t, name, parameters) {                                                   \
    return stage_moved(STAGE_##operation, descriptor, REAL(name) arguments);          \
  }

/* A new descriptor of no file: what its number stood for before does not hold any more. */
static inline int stage_no_file(int descriptor) {
  if (descriptor >= 0) stage_set_places(descriptor, stage_places_inside(0));
  return descriptor;
}

/* A new descriptor that a path led to, as it was found. */
static inline int stage_opened(int descriptor, struct stage_found found) {
  if (descriptor < 0) return descriptor;
  if (found.inside) {
    stage_set_places(descriptor, stage_places_inside(found.inside));
  } else {
    stage_set_note(descriptor, found.hash);
  }
  return descriptor;
}

/* A descriptor that is about to be closed: its number may be another's as soon as it is. */
static inline void stage_closing(int descriptor) {
  if (descriptor < 0) return;
  stage_places places = stage_known_places(descriptor);
  if (places == STAGE_PLACE_UNKNOWN) {
    /* Most that nobody has used were never ours: they are not worth a look. */
    stage_forget_note(descriptor);
    return;
  }
  if (stage_this_thread.in_vfork) return;
  atomic_store_explicit(&stage_descriptors[descriptor], STAGE_PLACE_UNKNOWN, memory_order_relaxed);
  stage_inside inside = stage_inside_of(places);
  if (inside) stage_charge(STAGE_CLOSE, 0, inside);
}

/* The program has made itself a sandbox of this kind. */
void stage_confined(unsigned long mode);

#endif
