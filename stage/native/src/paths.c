#include "paths.h"

#include <string.h>

#include "charge.h"
#include "system.h"

struct mount {
  const char *path;
  size_t length;
};

static char mount_text[STAGE_MOUNT_TEXT_BYTES];
static struct mount mounts[STAGE_MOUNTS_MAX];
static uint32_t mount_count;

/* No storage is behind these; they count only where they are registered themselves. */
static const struct mount pseudo[] = {{"/proc", 5}, {"/sys", 4}, {"/dev", 4}};

/*
 * The place of the working directory in the two lowest bits, and a number that every change of it
 * raises: who has looked it up meanwhile cannot store what held before.
 */
static _Atomic uint32_t working_directory;

bool stage_register_mounts(const struct stage_control *control) {
  uint32_t count = control->mount_count;
  uint32_t bytes = control->mount_text_bytes;
  if (count == 0 || count > STAGE_MOUNTS_MAX || bytes > sizeof mount_text) return false;
  memcpy(mount_text, control->mount_text, bytes);
  const char *at = mount_text;
  const char *end = mount_text + bytes;
  for (uint32_t i = 0; i < count; i++) {
    const char *zero = memchr(at, 0, (size_t)(end - at));
    if (zero == NULL || (*at != 0 && *at != '/') || (zero != at && zero[-1] == '/')) return false;
    mounts[i] = (struct mount){at, (size_t)(zero - at)};
    at = zero + 1;
  }
  mount_count = count;
  return true;
}

/* Whether a path of this length is a mount point or below it. Where the mount point would end is
   looked at first: most paths that are elsewhere have no name ending there. */
static inline bool is_below(const char *path, size_t length, const struct mount *mount) {
  return length >= mount->length &&
         (path[mount->length] == '/' || path[mount->length] == 0) &&
         memcmp(path, mount->path, mount->length) == 0;
}

static bool is_pseudo(const char *path, size_t length) {
  for (size_t i = 0; i < sizeof pseudo / sizeof *pseudo; i++) {
    if (is_below(path, length, &pseudo[i])) return true;
  }
  return false;
}

static inline bool is_inside(const char *path, size_t length) {
  for (uint32_t i = 0; i < mount_count; i++) {
    if (is_below(path, length, &mounts[i]) &&
        (mounts[i].length != 0 || !is_pseudo(path, length))) {
      return true;
    }
  }
  return false;
}

enum stage_place stage_place_of_clean(const char *path) {
  size_t length = strlen(path);
  if (is_inside(path, length)) return STAGE_PLACE_INSIDE;
  if (length == 1) length = 0;
  for (uint32_t i = 0; i < mount_count; i++) {
    if (mounts[i].length > length && mounts[i].path[length] == '/' &&
        strncmp(path, mounts[i].path, length) == 0) {
      return STAGE_PLACE_ABOVE;
    }
  }
  return STAGE_PLACE_OUTSIDE;
}

/* Sixteen characters side by side, which any processor compares at once. */
typedef uint8_t block __attribute__((vector_size(16)));

static inline block block_at(const char *text) {
  block read;
  __builtin_memcpy(&read, text, sizeof read);
  return read;
}

static inline bool is_any_set(block mask) {
  uint64_t halves[2];
  __builtin_memcpy(halves, &mask, sizeof halves);
  return (halves[0] | halves[1]) != 0;
}

bool stage_has_dots(const char *path, size_t length) {
  if (path[0] == '.' && (path[1] == '.' || path[1] == '/' || path[1] == 0)) return true;
  /* The zero at the end is read as well, by whoever looks at the last character's neighbour. */
  size_t at = 0;
  for (; at + sizeof(block) <= length; at += sizeof(block)) {
    block here = block_at(path + at);
    block next = block_at(path + at + 1);
    if (is_any_set((block)((here == '/') & ((next == '/') | (next == '.'))))) return true;
  }
  if (length >= sizeof(block)) {
    /* The rest once more together with some before it, rather than one by one. */
    at = length - sizeof(block);
    block here = block_at(path + at);
    block next = block_at(path + at + 1);
    return is_any_set((block)((here == '/') & ((next == '/') | (next == '.'))));
  }
  for (; at < length; at++) {
    if (path[at] == '/' && (path[at + 1] == '/' || path[at + 1] == '.')) return true;
  }
  return false;
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

bool stage_is_joined_inside(char directory[STAGE_PATH_BYTES], const char *path) {
  /* What the kernel names is clean, but for the root, which is "" here. */
  long length = directory[1] == 0 ? 0 : (long)strlen(directory);
  length = append(directory, length, path);
  if (length < 0) return false;
  directory[length] = 0;
  return is_inside(directory, (size_t)length);
}

static bool is_normalised_inside(const char *path) {
  char buffer[STAGE_PATH_BYTES] = "/";
  return stage_is_joined_inside(buffer, path);
}

static bool read_working_directory(char buffer[STAGE_PATH_BYTES]) {
  long length = stage_system(SYS_getcwd, (long)buffer, STAGE_PATH_BYTES, 0, 0, 0, 0);
  /* The kernel writes "(unreachable)" before what is outside our root. */
  return length > 0 && buffer[0] == '/';
}

static enum stage_place place_of_working_directory(void) {
  uint32_t seen = atomic_load_explicit(&working_directory, memory_order_acquire);
  enum stage_place place = (enum stage_place)(seen & 3);
  if (__builtin_expect(place != STAGE_PLACE_UNKNOWN, 1) && !stage_this_thread.in_vfork) {
    return place;
  }
  char buffer[STAGE_PATH_BYTES];
  place = read_working_directory(buffer) ? stage_place_of_clean(buffer) : STAGE_PLACE_OUTSIDE;
  /* A child of vfork shares our memory, not our working directory. */
  if (!stage_this_thread.in_vfork) {
    atomic_compare_exchange_strong_explicit(&working_directory, &seen,
                                            (seen & ~UINT32_C(3)) | (uint32_t)place,
                                            memory_order_release, memory_order_relaxed);
  }
  return place;
}

void stage_forget_working_directory(void) {
  uint32_t seen = atomic_load_explicit(&working_directory, memory_order_relaxed);
  while (!atomic_compare_exchange_weak_explicit(&working_directory, &seen,
                                                (seen & ~UINT32_C(3)) + 4, memory_order_release,
                                                memory_order_relaxed)) {
  }
}

static __attribute__((noinline)) bool is_relative_inside(const char *path) {
  char buffer[STAGE_PATH_BYTES];
  return read_working_directory(buffer) && stage_is_joined_inside(buffer, path);
}

bool stage_is_path_inside(const char *path) {
  if (stage_control == NULL || path == NULL || path[0] == 0) return false;
  size_t length = strlen(path);
  bool dots = stage_has_dots(path, length);
  if (path[0] == '/') {
    return __builtin_expect(dots, 0) ? is_normalised_inside(path) : is_inside(path, length);
  }
  enum stage_place place = place_of_working_directory();
  if (place == STAGE_PLACE_ABOVE || __builtin_expect(dots, 0)) {
    return is_relative_inside(path);
  }
  return place == STAGE_PLACE_INSIDE;
}
