/* Which descriptors stand for something below the registered mount points. */
#ifndef STAGE_DESCRIPTORS_H
#define STAGE_DESCRIPTORS_H

#include "charge.h"
#include "paths.h"

#define STAGE_DESCRIPTORS (1 << 20)

extern _Atomic uint8_t stage_descriptors[STAGE_DESCRIPTORS];

/* Asks the kernel what a descriptor stands for, and remembers it. */
enum stage_place stage_find_place(int descriptor);

/* What is known of a descriptor changes; a child of vfork changes only its own, not these. */
void stage_set_place(int descriptor, enum stage_place place);

/* A descriptor that stands for the same as another. */
void stage_copy_place(int from, int to);

/* Counts and forgets all descriptors between two that are being closed. */
void stage_close_between(unsigned first, unsigned last);

/* Whether a path relative to a directory's descriptor is below a mount point. */
bool stage_is_path_at_inside(int directory, const char *path);

/* What is known of a descriptor without asking. Of nothing anything is known while not attached. */
static inline enum stage_place stage_known_place(int descriptor) {
  if (descriptor >= STAGE_DESCRIPTORS) return STAGE_PLACE_UNKNOWN;
  return (enum stage_place)atomic_load_explicit(&stage_descriptors[descriptor],
                                                memory_order_relaxed);
}

static inline bool stage_is_descriptor_inside(int descriptor) {
  if (__builtin_expect(stage_control == NULL, 0) || descriptor < 0) return false;
  uint8_t place = STAGE_PLACE_UNKNOWN;
  if (descriptor < STAGE_DESCRIPTORS && !stage_this_thread.in_vfork) {
    place = atomic_load_explicit(&stage_descriptors[descriptor], memory_order_relaxed);
  }
  if (__builtin_expect(place == STAGE_PLACE_UNKNOWN, 0)) place = stage_find_place(descriptor);
  return place == STAGE_PLACE_INSIDE;
}

#endif
