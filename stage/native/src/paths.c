#include "paths.h"

#include <string.h>

#include "charge.h"
#include "scratch.h"
#include "system.h"

struct mount {
  const char *path;
  size_t length;
};

/* What one job has registered. */
struct mounts {
  uint32_t count;
  struct mount all[STAGE_MOUNTS_MAX];
  char text[STAGE_MOUNT_TEXT_BYTES];
};

/* What every path is compared to begins together, on one cache line. */
static struct {
  uint32_t jobs;
  struct mounts of[STAGE_JOBS_MAX];
} registered __attribute__((aligned(64)));

/* No storage is behind these; they count only where they are registered themselves. */
static const struct mount pseudo[] = {{"/proc", 5}, {"/sys", 4}, {"/dev", 4}};

/*
 * The places of the working directory in the lowest byte, and a number that every change of it
 * raises: who has looked it up meanwhile cannot store what held before.
 */
static _Atomic uint32_t working_directory;

#define PLACES_MASK UINT32_C(0xff)
#define VERSION_STEP UINT32_C(0x100)

/* How many move it out of our sight now. */
static _Atomic uint32_t wanderers;

bool stage_register_mounts(uint32_t job, const struct stage_control *control) {
  struct mounts *mounts = &registered.of[job];
  uint32_t count = control->mount_count;
  uint32_t bytes = control->mount_text_bytes;
  if (count == 0 || count > STAGE_MOUNTS_MAX || bytes > sizeof mounts->text) return false;
  memcpy(mounts->text, control->mount_text, bytes);
  const char *at = mounts->text;
  const char *end = mounts->text + bytes;
  for (uint32_t i = 0; i < count; i++) {
    const char *zero = memchr(at, 0, (size_t)(end - at));
    if (zero == NULL || (*at != 0 && *at != '/') || (zero != at && zero[-1] == '/')) return false;
    mounts->all[i] = (struct mount){at, (size_t)(zero - at)};
    at = zero + 1;
  }
  mounts->count = count;
  if (registered.jobs <= job) registered.jobs = job + 1;
  return true;
}

static inline uint64_t word_at(const char *text) {
  uint64_t word;
  __builtin_memcpy(&word, text, sizeof word);
  return word;
}

/* Here, because names are so short that to go to the C library's comparison takes as long as it. */
static inline bool begins_with(const char *path, const char *name, size_t length) {
  size_t at = 0;
  for (; at + sizeof(uint64_t) <= length; at += sizeof(uint64_t)) {
    if (word_at(path + at) != word_at(name + at)) return false;
  }
  if (length >= sizeof(uint64_t)) {
    /* The rest once more together with some before it, rather than one by one. */
    at = length - sizeof(uint64_t);
    return word_at(path + at) == word_at(name + at);
  }
  for (; at < length; at++) {
    if (path[at] != name[at]) return false;
  }
  return true;
}

/* Whether a path of this length is a mount point or below it. Where the mount point would end is
   looked at first: most paths that are elsewhere have no name ending there. */
static inline bool is_below(const char *path, size_t length, const struct mount *mount) {
  return length >= mount->length &&
         (path[mount->length] == '/' || path[mount->length] == 0) &&
         begins_with(path, mount->path, mount->length);
}

static __attribute__((noinline, cold)) bool is_pseudo(const char *path, size_t length) {
  for (size_t i = 0; i < sizeof pseudo / sizeof *pseudo; i++) {
    if (is_below(path, length, &pseudo[i])) return true;
  }
  return false;
}

static inline bool is_inside_mounts(const struct mounts *mounts, const char *path, size_t length) {
  for (uint32_t i = 0; i < mounts->count; i++) {
    if (is_below(path, length, &mounts->all[i]) &&
        (mounts->all[i].length != 0 || !is_pseudo(path, length))) {
      return true;
    }
  }
  return false;
}

static __attribute__((noinline, cold)) stage_inside is_inside_others(const char *path,
                                                                     size_t length) {
  stage_inside inside = 0;
  for (uint32_t job = 1; job < stage_job_count; job++) {
    uint32_t here = is_inside_mounts(&registered.of[job], path, length);
    inside |= (stage_inside)(here << 2 * job);
  }
  return inside;
}

static inline stage_inside is_inside(const char *path, size_t length) {
  stage_inside inside = is_inside_mounts(&registered.of[0], path, length);
  if (__builtin_expect(registered.jobs > 1, 0)) inside |= is_inside_others(path, length);
  return inside;
}

static enum stage_place place_among(const struct mounts *mounts, const char *path, size_t length) {
  if (is_inside_mounts(mounts, path, length)) return STAGE_PLACE_INSIDE;
  if (length == 1) length = 0;
  for (uint32_t i = 0; i < mounts->count; i++) {
    const struct mount *mount = &mounts->all[i];
    if (mount->length > length && mount->path[length] == '/' &&
        strncmp(path, mount->path, length) == 0) {
      return STAGE_PLACE_ABOVE;
    }
  }
  return STAGE_PLACE_OUTSIDE;
}

stage_places stage_places_of_clean(const char *path) {
  size_t length = strlen(path);
  stage_places places = 0;
  for (uint32_t job = 0; job < stage_job_count; job++) {
    places |= stage_place_for(job, place_among(&registered.of[job], path, length));
  }
  return places;
}

/* Adds a path to the clean one of this length in the buffer; the new length, -1 when too long. */
static long append(char *buffer, long length, const char *path) {
  while (*path != 0) {
    while (*path == '/') path++;
    const char *end = path;
    while (*end != 0 && *end != '/') end++;
    long size = end - path;
    if (size == 2 && path[0] == '.' && path[1] == '.') {
      while (length > 0 && buffer[length - 1] != '/') length--;
      if (length > 0) length--;
    } else if (size > 0 && !(size == 1 && path[0] == '.')) {
      if (length + size + 2 > STAGE_PATH_BYTES) return -1;
      buffer[length++] = '/';
      memmove(buffer + length, path, (size_t)size);
      length += size;
    }
    path = end;
  }
  return length;
}

stage_inside stage_is_joined_inside(char directory[STAGE_PATH_BYTES], const char *path) {
  /* What the kernel names is clean, but for the root, which is "" here. */
  long length = directory[1] == 0 ? 0 : (long)strlen(directory);
  length = append(directory, length, path);
  if (length < 0) return 0;
  directory[length] = 0;
  return is_inside(directory, (size_t)length);
}

static __attribute__((noinline)) stage_inside is_normalised_inside(const char *path) {
  char *buffer = stage_borrow_scratch();
  if (buffer == NULL) return 0;
  memcpy(buffer, "/", 2);
  stage_inside inside = stage_is_joined_inside(buffer, path);
  stage_return_scratch(buffer);
  return inside;
}

static bool read_working_directory(char buffer[STAGE_PATH_BYTES]) {
  long length = stage_system(SYS_getcwd, (long)buffer, STAGE_PATH_BYTES, 0, 0, 0, 0);
  /* The kernel writes "(unreachable)" before what is outside our root. */
  return length > 0 && buffer[0] == '/';
}

static stage_places places_outside(void) { return stage_places_inside(0); }

static __attribute__((noinline)) stage_places find_working_directory(uint32_t seen) {
  char *buffer = stage_borrow_scratch();
  if (buffer == NULL) return places_outside();
  stage_places places =
      read_working_directory(buffer) ? stage_places_of_clean(buffer) : places_outside();
  stage_return_scratch(buffer);
  /* A child of vfork shares our memory, not our working directory. */
  if (!stage_this_thread.in_vfork &&
      atomic_load_explicit(&wanderers, memory_order_relaxed) == 0) {
    atomic_compare_exchange_strong_explicit(&working_directory, &seen,
                                            (seen & ~PLACES_MASK) | places, memory_order_release,
                                            memory_order_relaxed);
  }
  return places;
}

static stage_places places_of_working_directory(void) {
  uint32_t seen = atomic_load_explicit(&working_directory, memory_order_acquire);
  stage_places places = (stage_places)(seen & PLACES_MASK);
  if (__builtin_expect(places != 0, 1) && !stage_this_thread.in_vfork) return places;
  return find_working_directory(seen);
}

void stage_forget_working_directory(void) {
  uint32_t seen = atomic_load_explicit(&working_directory, memory_order_relaxed);
  while (!atomic_compare_exchange_weak_explicit(&working_directory, &seen,
                                                (seen & ~PLACES_MASK) + VERSION_STEP,
                                                memory_order_release, memory_order_relaxed)) {
  }
}

void stage_working_directory_wanders(bool wanders) {
  atomic_fetch_add_explicit(&wanderers, wanders ? 1 : UINT32_MAX, memory_order_relaxed);
  stage_forget_working_directory();
}

static __attribute__((noinline)) stage_inside is_relative_inside(const char *path) {
  char *buffer = stage_borrow_scratch();
  if (buffer == NULL) return 0;
  stage_inside inside = read_working_directory(buffer) ? stage_is_joined_inside(buffer, path) : 0;
  stage_return_scratch(buffer);
  return inside;
}

/* Two words of a path, mixed so that each bit depends on nearly all of theirs and on their place. */
static inline uint64_t mix_at(const char *path, size_t first, size_t second) {
  const uint64_t odd = UINT64_C(0x9e3779b97f4a7c15), other = UINT64_C(0xd6e8feb86659fd93);
  unsigned __int128 product = (unsigned __int128)(word_at(path + first) ^ (odd + second)) *
                              (word_at(path + second) ^ other);
  return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* A path's hash, whose parts do not wait for each other. */
static inline uint64_t hash_of(const char *path, size_t length) {
  const size_t word = sizeof(uint64_t);
  uint64_t hash = length;
  for (size_t at = 0; at + 2 * word < length; at += 2 * word) hash ^= mix_at(path, at, at + word);
  /* The rest together with some before it, where there is some. */
  if (length >= 2 * word) return hash ^ mix_at(path, length - 2 * word, length - word);
  if (length >= word) return hash ^ mix_at(path, 0, length - word);
  char rest[2 * sizeof(uint64_t)] = {0};
  for (size_t at = 0; at < length; at++) rest[at] = path[at];
  return hash ^ mix_at(rest, 0, word);
}

/* Where a relative path leads. */
static stage_inside is_from_here_inside(const char *path, bool dots) {
  stage_places places = places_of_working_directory();
  if (stage_is_above_for_some(places) || __builtin_expect(dots, 0)) return is_relative_inside(path);
  return stage_inside_of(places);
}

/* Of a path that is empty, relative, or leads up as well as down. */
static __attribute__((noinline)) struct stage_found find_odd(const char *path,
                                                             struct stage_text text) {
  if (text.length <= 0) return (struct stage_found){0, 0};
  uint64_t hash = hash_of(path, (size_t)text.length);
  if (path[0] == '/') return (struct stage_found){hash, is_normalised_inside(path)};
  stage_inside inside = is_from_here_inside(path, text.dots);
  uint64_t version = atomic_load_explicit(&working_directory, memory_order_relaxed) / VERSION_STEP;
  return (struct stage_found){hash ^ (version + 1) << 32, inside};
}

static inline bool is_odd(const char *path, struct stage_text text) {
  return __builtin_expect(text.length <= 0 || text.dots || path[0] != '/', 0);
}

static inline struct stage_found find_text(const char *path, struct stage_text text) {
  if (is_odd(path, text)) return find_odd(path, text);
  stage_inside inside = is_inside(path, (size_t)text.length);
  return (struct stage_found){inside ? 0 : hash_of(path, (size_t)text.length), inside};
}

struct stage_found stage_find_text(const char *path, struct stage_text text) {
  return find_text(path, text);
}

#define BEGINS_A_LINE __attribute__((aligned(64)))

BEGINS_A_LINE struct stage_found stage_find_path(const char *path) {
  if (registered.jobs == 0) return (struct stage_found){0, 0};
  return find_text(path, stage_scan(path));
}

BEGINS_A_LINE stage_inside stage_is_path_inside(const char *path) {
  if (registered.jobs == 0) return 0;
  struct stage_text text = stage_scan(path);
  return is_odd(path, text) ? find_odd(path, text).inside : is_inside(path, (size_t)text.length);
}
