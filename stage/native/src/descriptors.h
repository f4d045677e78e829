/* Which descriptors stand for something below the registered mount points. */
#ifndef STAGE_DESCRIPTORS_H
#define STAGE_DESCRIPTORS_H

#include "charge.h"
#include "paths.h"

#define STAGE_DESCRIPTORS (1 << 20)

extern _Atomic stage_places stage_descriptors[STAGE_DESCRIPTORS];

/* The hashes of the paths outside that led to descriptors of which no more is known; 0 is none.
   Descriptors above are asked about. */
#define STAGE_NOTES 4096
extern _Atomic uint64_t stage_notes[STAGE_NOTES];

/* No descriptor above has ever been known; bounds the walk when all are closed. -1 from the moment
   on that nothing is remembered. */
extern _Atomic int stage_highest_known;

/* Asks the kernel what a descriptor stands for, and remembers it. */
stage_places stage_find_places(int descriptor);

/* Sets what is known of a descriptor above all that are; of none where nothing is remembered. */
void stage_set_highest_places(int descriptor, stage_places places);

/* A descriptor that stands for the same as another. */
void stage_copy_places(int from, int to);

/* Counts and forgets all descriptors between two that are being closed. */
void stage_close_between(unsigned first, unsigned last);

/* From now on somebody has our memory and other descriptors, or our descriptors and another memory:
   nothing that is remembered would be right, and everything is asked. */
void stage_stop_remembering(void);

/* From now on the kernel ends who asks too much: what is not known counts as outside. */
void stage_stop_asking(void);

/* The jobs for which a path relative to a directory's descriptor is below a mount point. Its hash
   is told where the directory does not matter. */
struct stage_found stage_find_path_at(int directory, const char *path);

static inline stage_inside stage_is_path_at_inside(int directory, const char *path) {
  return stage_find_path_at(directory, path).inside;
}

/* What is known of a descriptor without asking. Of nothing anything is known while not attached. */
static inline stage_places stage_known_places(int descriptor) {
  if (descriptor >= STAGE_DESCRIPTORS) return STAGE_PLACE_UNKNOWN;
  return atomic_load_explicit(&stage_descriptors[descriptor], memory_order_relaxed);
}

static inline stage_inside stage_is_descriptor_inside(int descriptor) {
  if (__builtin_expect(stage_job_count == 0, 0) || descriptor < 0) return 0;
  stage_places places = STAGE_PLACE_UNKNOWN;
  if (descriptor < STAGE_DESCRIPTORS && !stage_this_thread.in_vfork) {
    places = atomic_load_explicit(&stage_descriptors[descriptor], memory_order_relaxed);
  }
  if (__builtin_expect(places == STAGE_PLACE_UNKNOWN, 0)) places = stage_find_places(descriptor);
  return stage_inside_of(places);
}

/* What is known of a descriptor changes; a child of vfork changes only its own, not these. */
static inline void stage_set_places(int descriptor, stage_places places) {
  /* Threads that open and close in turns would pass this cache line around. */
  if (descriptor < 0 || stage_known_places(descriptor) == places) return;
  if (stage_this_thread.in_vfork) return;
  if (descriptor > atomic_load_explicit(&stage_highest_known, memory_order_relaxed)) {
    stage_set_highest_places(descriptor, places);
    return;
  }
  atomic_store_explicit(&stage_descriptors[descriptor], places, memory_order_relaxed);
}

/* A descriptor of a file that a path outside led to. It is looked up when used, because a link may
   have led below a mount point; where the same path led outside a moment ago, it does so then. */
static inline void stage_set_note(int descriptor, uint64_t hash) {
  stage_set_places(descriptor, STAGE_PLACE_UNKNOWN);
  if (descriptor >= STAGE_NOTES || stage_this_thread.in_vfork) return;
  atomic_store_explicit(&stage_notes[descriptor], hash, memory_order_relaxed);
}

/* Of a descriptor that is closed, or of which more is known now. */
static inline void stage_forget_note(int descriptor) {
  if (descriptor >= STAGE_NOTES || stage_this_thread.in_vfork) return;
  /* Most have none, and their neighbours' threads want this cache line. */
  _Atomic uint64_t *note = &stage_notes[descriptor];
  if (atomic_load_explicit(note, memory_order_relaxed) == 0) return;
  atomic_store_explicit(note, 0, memory_order_relaxed);
}

#endif
