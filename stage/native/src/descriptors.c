#include "descriptors.h"

#include <fcntl.h>
#include <string.h>

#include "scratch.h"
#include "system.h"

_Atomic stage_places stage_descriptors[STAGE_DESCRIPTORS];

/* No descriptor above has ever been known; bounds the walk when all are closed. */
static _Atomic int highest;

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

/* The last path that this thread opened outside without knowing where it leads. */
static __thread struct {
  int descriptor;
  uint32_t looks;
  uint64_t hash;   /* 0 is none */
  uint64_t second; /* of one of the last looks */
} opened;

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

void stage_set_places(int descriptor, stage_places places) {
  if (stage_job_count == 0 || stage_this_thread.in_vfork) return;
  if (descriptor < 0 || descriptor >= STAGE_DESCRIPTORS) return;
  if (opened.descriptor == descriptor) opened.hash = 0;
  _Atomic stage_places *known = &stage_descriptors[descriptor];
  /* Threads that open and close in turns would pass this cache line around. */
  if (atomic_load_explicit(known, memory_order_relaxed) == places) return;
  if (atomic_load_explicit(&remembers_nothing, memory_order_relaxed)) return;
  atomic_store_explicit(known, places, memory_order_relaxed);
  int seen = atomic_load_explicit(&highest, memory_order_relaxed);
  while (descriptor > seen && !atomic_compare_exchange_weak_explicit(
                                  &highest, &seen, descriptor, memory_order_relaxed,
                                  memory_order_relaxed)) {
  }
}

void stage_stop_remembering(void) {
  if (stage_job_count == 0) return;
  if (!atomic_exchange_explicit(&remembers_nothing, true, memory_order_relaxed)) {
    stage_working_directory_wanders(true);
  }
  int known = atomic_load_explicit(&highest, memory_order_relaxed);
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

static inline uint64_t word_at(const char *text) {
  uint64_t word;
  __builtin_memcpy(&word, text, sizeof word);
  return word;
}

/* A path's hash; relative ones have others in every working directory. */
static uint64_t hash_of(const char *path, size_t length) {
  const uint64_t odd = UINT64_C(0x9e3779b97f4a7c15);
  uint64_t hash = length * odd;
  if (path[0] != '/') hash ^= stage_working_directory_version() + 1;
  size_t at = 0;
  for (; at + sizeof(uint64_t) <= length; at += sizeof(uint64_t)) {
    hash = (hash ^ word_at(path + at)) * odd;
    hash ^= hash >> 29;
  }
  /* The rest once more together with some before it, where there is some. */
  uint64_t rest = 0;
  if (length >= sizeof rest) {
    rest = word_at(path + length - sizeof rest);
  } else {
    for (; at < length; at++) rest = rest << 8 | (uint8_t)path[at];
  }
  hash = (hash ^ rest) * odd;
  return (hash ^ hash >> 29) | SECOND_MASK;
}

static _Atomic uint64_t *outside_path(uint64_t hash) {
  return &outside_paths[hash >> 40 & (OUTSIDE_PATHS - 1)];
}

/* Whether it was a moment ago, by a clock that is read now and then: that takes longer than all else. */
static bool is_young(uint64_t seen) {
  if (opened.looks++ % LOOKS_PER_CLOCK == 0) opened.second = second();
  return ((opened.second - seen + 1) & SECOND_MASK) <= 2;
}

void stage_opened_outside(int descriptor, const char *path, long length) {
  if (stage_job_count == 0 || stage_this_thread.in_vfork) return;
  if (length < 0) {
    stage_set_places(descriptor, STAGE_PLACE_UNKNOWN);
    return;
  }
  uint64_t hash = hash_of(path, (size_t)length);
  uint64_t seen = atomic_load_explicit(outside_path(hash), memory_order_relaxed);
  bool known = (seen | SECOND_MASK) == hash && is_young(seen);
  stage_set_places(descriptor, known ? stage_places_inside(0) : STAGE_PLACE_UNKNOWN);
  opened.descriptor = descriptor;
  opened.hash = known ? 0 : hash;
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

stage_places stage_find_places(int descriptor) {
  stage_places places = ask_places(descriptor);
  uint64_t hash = opened.descriptor == descriptor ? opened.hash : 0;
  if (hash != 0 && places == stage_places_inside(0) && !stage_this_thread.in_vfork) {
    atomic_store_explicit(outside_path(hash), (hash & ~SECOND_MASK) | second(),
                          memory_order_relaxed);
  }
  stage_set_places(descriptor, places);
  return places;
}

void stage_copy_places(int from, int to) {
  if (from < 0 || from >= STAGE_DESCRIPTORS) return;
  stage_set_places(to, atomic_load_explicit(&stage_descriptors[from], memory_order_relaxed));
}

void stage_close_between(unsigned first, unsigned last) {
  if (stage_job_count == 0 || stage_this_thread.in_vfork) return;
  unsigned known = (unsigned)atomic_load_explicit(&highest, memory_order_relaxed);
  for (unsigned at = first; at <= last && at <= known; at++) {
    stage_inside inside = stage_inside_of(atomic_exchange_explicit(
        &stage_descriptors[at], STAGE_PLACE_UNKNOWN, memory_order_relaxed));
    if (inside) stage_charge(STAGE_CLOSE, 0, inside);
  }
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
  if (stage_job_count == 0) return (struct stage_found){-1, 0};
  if (path == NULL) return (struct stage_found){-1, stage_is_descriptor_inside(directory)};
  struct stage_text text = stage_scan(path);
  if (text.length < 0) return (struct stage_found){-1, 0};
  if (text.length > 0 && (path[0] == '/' || directory == AT_FDCWD)) {
    return (struct stage_found){text.length, stage_is_text_inside(path, text)};
  }
  if (directory == AT_FDCWD) return (struct stage_found){-1, stage_is_path_inside(".")};
  return (struct stage_found){-1, is_below_inside(directory, path, text)};
}
