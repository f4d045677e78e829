#include "attach.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "clock.h"
#include "jobs.h"
#include "paths.h"
#include "system.h"

/* AT_EMPTY_PATH, and what of statx is needed here; old headers have neither. */
#define EMPTY_PATH 0x1000
#define WANTED_STATUS 0x7ff

#define TOKEN_DIGITS 16u

/* The kernel's struct statx, as far as it is read here; the same on every architecture. */
struct file_status {
  uint32_t mask;
  uint32_t block_bytes;
  uint64_t attributes;
  uint32_t links;
  uint32_t user;
  uint32_t group;
  uint16_t mode;
  uint16_t reserved;
  uint64_t inode;
  uint64_t bytes;
  uint8_t rest[256 - 48];
};

/* One job of the list. */
struct entry {
  const char *directory;
  size_t length;
  bool has_token;
  uint64_t token;
};

/*
 * Whether a file can only be what the agent made. Who names its token has it from whoever made it,
 * and the file is checked for that; in a user namespace its owner may have no number. Without one,
 * another user's word is not taken.
 */
static bool is_trusted(int descriptor, uint32_t bytes, bool has_token) {
  struct file_status status;
  if (stage_system(SYS_statx, descriptor, (long)"", EMPTY_PATH, WANTED_STATUS, (long)&status, 0)) {
    return false;
  }
  uint32_t user = (uint32_t)stage_system(SYS_geteuid, 0, 0, 0, 0, 0, 0);
  return S_ISREG(status.mode) && status.bytes == bytes && status.links == 1 &&
         (has_token || status.user == 0 || status.user == user) && (status.mode & S_IWOTH) == 0;
}

static void *map(const struct entry *entry, const char *name, uint32_t bytes, bool writable) {
  char path[STAGE_PATH_BYTES];
  if (entry->length + strlen(name) + 2 > sizeof path) return NULL;
  memcpy(path, entry->directory, entry->length);
  path[entry->length] = '/';
  memcpy(path + entry->length + 1, name, strlen(name) + 1);
  long flags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
  long access = writable ? O_RDWR : O_RDONLY;
  long sharing = MAP_SHARED;
  int descriptor = (int)stage_system(SYS_openat, AT_FDCWD, (long)path, flags | access, 0, 0, 0);
  if (descriptor == -EROFS && writable) {
    /* In a container that has the job's files, but as all others only to read: the process counts
       for itself alone, and has the job's rates for itself, which is better than none. */
    descriptor = (int)stage_system(SYS_openat, AT_FDCWD, (long)path, flags | O_RDONLY, 0, 0, 0);
    sharing = MAP_PRIVATE;
  }
  if (descriptor < 0) return NULL;
  long at = -1;
  if (is_trusted(descriptor, bytes, entry->has_token)) {
    long protection = writable ? PROT_READ | PROT_WRITE : PROT_READ;
    at = stage_system(SYS_mmap, 0, bytes, protection, sharing, descriptor, 0);
  }
  stage_system(SYS_close, descriptor, 0, 0, 0, 0, 0);
  return at < 0 && at > -4096 ? NULL : (void *)at;
}

static bool is_ours(struct stage_header *header, uint64_t magic, uint32_t bytes) {
  return atomic_load_explicit(&header->magic, memory_order_acquire) == magic &&
         header->version == STAGE_VERSION && header->bytes == bytes &&
         header->operations == STAGE_OPERATION_COUNT && header->buckets == STAGE_BUCKETS &&
         header->shards == STAGE_SHARDS && header->waiters == STAGE_WAITERS;
}

static bool is_attached(uint64_t token) {
  for (uint32_t i = 0; i < stage_job_count; i++) {
    if (stage_jobs[i].control->header.token == token) return true;
  }
  return false;
}

static void unmap(void *memory, uint32_t bytes) {
  if (memory != NULL) stage_system(SYS_munmap, (long)memory, bytes, 0, 0, 0, 0);
}

/* Attaches to one job. A state of the right job whose limits cannot be had is told so. */
static bool attach_one(const struct entry *entry) {
  struct stage_control *control = map(entry, "control", STAGE_CONTROL_BYTES, false);
  struct stage_state *state = map(entry, "state", STAGE_STATE_BYTES, true);
  bool state_is_good = state != NULL &&
                       is_ours(&state->header, STAGE_STATE_MAGIC, STAGE_STATE_BYTES) &&
                       (!entry->has_token || state->header.token == entry->token);
  bool good = state_is_good && control != NULL &&
              is_ours(&control->header, STAGE_CONTROL_MAGIC, STAGE_CONTROL_BYTES) &&
              control->header.token == state->header.token;
  if (good && is_attached(control->header.token)) {
    unmap(control, STAGE_CONTROL_BYTES);
    unmap(state, STAGE_STATE_BYTES);
    return true;
  }
  if (good && stage_job_count < STAGE_JOBS_MAX &&
      stage_register_mounts(stage_job_count, control)) {
    stage_jobs[stage_job_count++] = (struct stage_job){control, state};
    atomic_fetch_add_explicit(&state->attached, 1, memory_order_relaxed);
    return true;
  }
  if (state_is_good) {
    atomic_fetch_add_explicit(&state->attach_failures, 1, memory_order_relaxed);
  }
  unmap(control, STAGE_CONTROL_BYTES);
  unmap(state, STAGE_STATE_BYTES);
  return false;
}

static int hex_digit(char digit) {
  if (digit >= '0' && digit <= '9') return digit - '0';
  return digit >= 'a' && digit <= 'f' ? digit - 'a' + 10 : -1;
}

/* Reads one part of the list; whether it is one. */
static bool read_entry(const char *text, size_t length, struct entry *entry) {
  *entry = (struct entry){.directory = text, .length = length};
  if (length == 0 || text[0] == '/') return length != 0;
  if (length < TOKEN_DIGITS + 2 || text[TOKEN_DIGITS] != '@' || text[TOKEN_DIGITS + 1] != '/') {
    return false;
  }
  for (unsigned i = 0; i < TOKEN_DIGITS; i++) {
    int digit = hex_digit(text[i]);
    if (digit < 0) return false;
    entry->token = entry->token << 4 | (uint64_t)digit;
  }
  entry->has_token = true;
  entry->directory += TOKEN_DIGITS + 1;
  entry->length -= TOKEN_DIGITS + 1;
  return true;
}

bool stage_attach(const char *list) {
  bool all = true;
  for (const char *at = list;;) {
    const char *colon = strchr(at, ':');
    size_t length = colon == NULL ? strlen(at) : (size_t)(colon - at);
    struct entry entry;
    if (!read_entry(at, length, &entry) || !attach_one(&entry)) all = false;
    if (colon == NULL) break;
    at = colon + 1;
  }
  for (uint32_t i = 0; i < stage_job_count && !all; i++) {
    atomic_fetch_add_explicit(&stage_jobs[i].state->attach_failures, 1, memory_order_relaxed);
  }
  if (stage_job_count != 0) stage_match_clock(stage_jobs[0].control);
  return stage_job_count != 0;
}
