#include "descriptors.h"

#include <fcntl.h>
#include <string.h>

#include "system.h"

_Atomic uint8_t stage_descriptors[STAGE_DESCRIPTORS];

/* No descriptor above has ever been known; bounds the walk when all are closed. */
static _Atomic int highest;

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

void stage_set_place(int descriptor, enum stage_place place) {
  if (stage_control == NULL || stage_this_thread.in_vfork) return;
  if (descriptor < 0 || descriptor >= STAGE_DESCRIPTORS) return;
  _Atomic uint8_t *known = &stage_descriptors[descriptor];
  /* Threads that open and close in turns would pass this cache line around. */
  if (atomic_load_explicit(known, memory_order_relaxed) == place) return;
  atomic_store_explicit(known, (uint8_t)place, memory_order_relaxed);
  int seen = atomic_load_explicit(&highest, memory_order_relaxed);
  while (descriptor > seen && !atomic_compare_exchange_weak_explicit(
                                  &highest, &seen, descriptor, memory_order_relaxed,
                                  memory_order_relaxed)) {
  }
}

enum stage_place stage_find_place(int descriptor) {
  char path[STAGE_PATH_BYTES];
  enum stage_place place =
      read_path(descriptor, path) ? stage_place_of_clean(path) : STAGE_PLACE_OUTSIDE;
  stage_set_place(descriptor, place);
  return place;
}

void stage_copy_place(int from, int to) {
  if (from < 0 || from >= STAGE_DESCRIPTORS) return;
  stage_set_place(to, (enum stage_place)atomic_load_explicit(&stage_descriptors[from],
                                                             memory_order_relaxed));
}

void stage_close_between(unsigned first, unsigned last) {
  if (stage_control == NULL || stage_this_thread.in_vfork) return;
  unsigned known = (unsigned)atomic_load_explicit(&highest, memory_order_relaxed);
  for (unsigned at = first; at <= last && at <= known; at++) {
    uint8_t place = atomic_exchange_explicit(&stage_descriptors[at], STAGE_PLACE_UNKNOWN,
                                             memory_order_relaxed);
    if (place == STAGE_PLACE_INSIDE) stage_charge(STAGE_CLOSE, 0);
  }
}

static __attribute__((noinline)) bool is_joined_inside(int directory, const char *path) {
  char buffer[STAGE_PATH_BYTES];
  return read_path(directory, buffer) && stage_is_joined_inside(buffer, path);
}

bool stage_is_path_at_inside(int directory, const char *path) {
  if (stage_control == NULL) return false;
  if (path == NULL) return stage_is_descriptor_inside(directory);
  if (path[0] == '/' || (directory == AT_FDCWD && path[0] != 0)) return stage_is_path_inside(path);
  if (directory == AT_FDCWD) return stage_is_path_inside(".");
  bool inside = stage_is_descriptor_inside(directory);
  if (path[0] == 0) return inside;
  bool above = directory < STAGE_DESCRIPTORS && directory >= 0 &&
               stage_descriptors[directory] == STAGE_PLACE_ABOVE;
  if (above || stage_this_thread.in_vfork ||
      __builtin_expect(stage_has_dots(path, strlen(path)), 0)) {
    return is_joined_inside(directory, path);
  }
  return inside;
}
