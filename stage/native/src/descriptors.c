#include "descriptors.h"

#include <fcntl.h>
#include <string.h>

#include "scratch.h"
#include "system.h"

_Atomic stage_places stage_descriptors[STAGE_DESCRIPTORS];

_Atomic int stage_highest_known;
_Atomic uint64_t stage_notes[STAGE_NOTES];

static _Atomic bool remembers_nothing;
static _Atomic bool asks_nothing;

/*
 * Paths that led outside a moment ago: most of a hash, and in the lowest bits the second in which
 * that was seen. Programs open the same few files again and again.
 */
#define OUTSIDE_PATHS 1024u
#define SECOND_MASK UINT64_C(0xffff)
#define LOOKS_PER_CLOCK 16u
static _Atomic uint64_t outside_paths[OUTSIDE_PATHS];

/* A clock that is read now and then: that takes longer than all else. */
static __thread struct {
  uint32_t looks;
  uint32_t second; /* of one of the last looks */
} clock_of_looks;

/* Writes the path of what a descriptor stands for; false when it has none. */
static bool read_path(int descriptor, char path[STAGE_PATH_BYTES]) {
  char link[32] = "/proc/self/fd/";
  char digits[12];
  int count = 0;
  unsigned rest = (unsigned)descriptor;
  do {
    digits[count++] = (char)('0' + rest % 10);
    rest /= 10;
  } while (rest != 0);
  size_t length = strlen(link);
  while (count > 0) link[length++] = digits[--count];
  link[length] = 0;
  long read =
      stage_system(SYS_readlinkat, AT_FDCWD, (long)link, (long)path, STAGE_PATH_BYTES - 1, 0, 0);
  if (read <= 0) return false;
  path[read] = 0;
  /* Pipes and sockets have names that are no paths. */
  return path[0] == '/';
}

void stage_set_highest_places(int descriptor, stage_places places) {
  if (stage_job_count == 0 || descriptor >= STAGE_DESCRIPTORS) return;
  if (atomic_load_explicit(&remembers_nothing, memory_order_relaxed)) return;
  atomic_store_explicit(&stage_descriptors[descriptor], places, memory_order_relaxed);
  int seen = atomic_load_explicit(&stage_highest_known, memory_order_relaxed);
  while (seen >= 0 && descriptor > seen &&
         !atomic_compare_exchange_weak_explicit(&stage_highest_known, &seen, descriptor,
                                                memory_order_relaxed, memory_order_relaxed)) {
  }
}

void stage_stop_remembering(void) {
  if (stage_job_count == 0) return;
  if (!atomic_exchange_explicit(&remembers_nothing, true, memory_order_relaxed)) {
    stage_working_directory_wanders(true);
  }
  int known = atomic_exchange_explicit(&stage_highest_known, -1, memory_order_relaxed);
  for (int at = 0; at <= known; at++) {
    atomic_store_explicit(&stage_descriptors[at], STAGE_PLACE_UNKNOWN, memory_order_relaxed);
  }
}

void stage_stop_asking(void) {
  atomic_store_explicit(&asks_nothing, true, memory_order_relaxed);
}

static uint64_t second(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return (uint64_t)now.tv_sec & SECOND_MASK;
}

static _Atomic uint64_t *outside_path(uint64_t hash) {
  return &outside_paths[hash >> 40 & (OUTSIDE_PATHS - 1)];
}

/* Whether a path of this hash led outside a moment ago. */
static bool led_outside(uint64_t hash) {
  uint64_t seen = atomic_load_explicit(outside_path(hash), memory_order_relaxed);
  if ((seen & ~SECOND_MASK) != (hash & ~SECOND_MASK)) return false;
  if (clock_of_looks.looks++ % LOOKS_PER_CLOCK == 0) clock_of_looks.second = (uint32_t)second();
  return ((clock_of_looks.second - seen + 1) & SECOND_MASK) <= 2;
}

/* What the kernel says; outside where it says nothing. */
static stage_places ask_places(int descriptor) {
  stage_places places = stage_places_inside(0);
  if (stage_this_thread.strict || atomic_load_explicit(&asks_nothing, memory_order_relaxed)) {
    return places;
  }
  char *path = stage_borrow_scratch();
  if (path != NULL && read_path(descriptor, path)) places = stage_places_of_clean(path);
  stage_return_scratch(path);
  return places;
}

/* The hash of the path that led to a descriptor; 0 where that is not known. */
static uint64_t note_of(int descriptor) {
  if (descriptor >= STAGE_NOTES || stage_this_thread.in_vfork) return 0;
  if (atomic_load_explicit(&remembers_nothing, memory_order_relaxed)) return 0;
  return atomic_load_explicit(&stage_notes[descriptor], memory_order_relaxed);
}

stage_places stage_find_places(int descriptor) {
  stage_places outside = stage_places_inside(0);
  uint64_t hash = note_of(descriptor);
  bool known = hash != 0 && led_outside(hash);
  stage_places places = known ? outside : ask_places(descriptor);
  if (hash != 0 && !known && places == outside) {
    atomic_store_explicit(outside_path(hash), (hash & ~SECOND_MASK) | second(),
                          memory_order_relaxed);
  }
  stage_forget_note(descriptor);
  stage_set_places(descriptor, places);
  return places;
}

void stage_copy_places(int from, int to) {
  if (from < 0 || from >= STAGE_DESCRIPTORS) return;
  stage_set_places(to, stage_known_places(from));
  if (to < STAGE_NOTES && !stage_this_thread.in_vfork) {
    atomic_store_explicit(&stage_notes[to], note_of(from), memory_order_relaxed);
  }
}

void stage_close_between(unsigned first, unsigned last) {
  if (stage_job_count == 0 || stage_this_thread.in_vfork) return;
  int known = atomic_load_explicit(&stage_highest_known, memory_order_relaxed);
  for (unsigned at = first; at <= last && (int64_t)at <= known; at++) {
    stage_inside inside = stage_inside_of(atomic_exchange_explicit(
        &stage_descriptors[at], STAGE_PLACE_UNKNOWN, memory_order_relaxed));
    if (inside) stage_charge(STAGE_CLOSE, 0, inside);
  }
  for (unsigned at = first; at <= last && at < STAGE_NOTES; at++) stage_forget_note((int)at);
}

static __attribute__((noinline)) stage_inside is_joined_inside(int directory, const char *path) {
  char *buffer = stage_borrow_scratch();
  if (buffer == NULL) return 0;
  stage_inside inside = read_path(directory, buffer) ? stage_is_joined_inside(buffer, path) : 0;
  stage_return_scratch(buffer);
  return inside;
}

/* From a directory that is somewhere of its own. */
static stage_inside is_below_inside(int directory, const char *path, struct stage_text text) {
  stage_inside inside = stage_is_descriptor_inside(directory);
  if (text.length == 0) return inside;
  bool above = directory >= 0 && stage_is_above_for_some(stage_known_places(directory));
  if (above || stage_this_thread.in_vfork ||
      atomic_load_explicit(&remembers_nothing, memory_order_relaxed) ||
      __builtin_expect(text.dots, 0)) {
    return is_joined_inside(directory, path);
  }
  return inside;
}

struct stage_found stage_find_path_at(int directory, const char *path) {
  if (stage_job_count == 0) return (struct stage_found){0, 0};
  if (path == NULL) return (struct stage_found){0, stage_is_descriptor_inside(directory)};
  struct stage_text text = stage_scan(path);
  if (text.length < 0) return (struct stage_found){0, 0};
  if (text.length > 0 && (path[0] == '/' || directory == AT_FDCWD)) {
    return stage_find_text(path, text);
  }
  if (directory == AT_FDCWD) return (struct stage_found){0, stage_is_path_inside(".")};
  return (struct stage_found){0, is_below_inside(directory, path, text)};
}
