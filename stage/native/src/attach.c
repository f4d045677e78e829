#include "attach.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "charge.h"
#include "paths.h"
#include "real.h"
#include "system.h"

/* AT_EMPTY_PATH, and what of statx is needed here; old headers have neither. */
#define EMPTY_PATH 0x1000
#define WANTED_STATUS 0x7ff

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

/* Whether a file can only be what the agent made: another user's word is not taken. */
static bool is_trusted(int descriptor, uint32_t bytes) {
  struct file_status status;
  if (stage_system(SYS_statx, descriptor, (long)"", EMPTY_PATH, WANTED_STATUS, (long)&status, 0)) {
    return false;
  }
  uint32_t user = (uint32_t)stage_system(SYS_geteuid, 0, 0, 0, 0, 0, 0);
  return S_ISREG(status.mode) && status.bytes == bytes && status.links == 1 &&
         (status.user == 0 || status.user == user) && (status.mode & S_IWOTH) == 0;
}

static void *map(const char *directory, const char *name, uint32_t bytes, bool writable) {
  char path[STAGE_PATH_BYTES];
  size_t length = strlen(directory);
  if (length + strlen(name) + 2 > sizeof path) return NULL;
  memcpy(path, directory, length);
  path[length] = '/';
  memcpy(path + length + 1, name, strlen(name) + 1);
  long flags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | (writable ? O_RDWR : O_RDONLY);
  int descriptor = (int)stage_system(SYS_openat, AT_FDCWD, (long)path, flags, 0, 0, 0);
  if (descriptor < 0) return NULL;
  long at = -1;
  if (is_trusted(descriptor, bytes)) {
    long protection = writable ? PROT_READ | PROT_WRITE : PROT_READ;
    at = stage_system(SYS_mmap, 0, bytes, protection, MAP_SHARED, descriptor, 0);
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

bool stage_attach(const char *directory) {
  struct stage_control *control = map(directory, "control", STAGE_CONTROL_BYTES, false);
  struct stage_state *state = map(directory, "state", STAGE_STATE_BYTES, true);
  if (control != NULL && state != NULL &&
      is_ours(&control->header, STAGE_CONTROL_MAGIC, STAGE_CONTROL_BYTES) &&
      is_ours(&state->header, STAGE_STATE_MAGIC, STAGE_STATE_BYTES) &&
      control->header.token == state->header.token && stage_register_mounts(control)) {
    stage_state = state;
    stage_control = control;
    atomic_fetch_add_explicit(&state->attached, 1, memory_order_relaxed);
    return true;
  }
  if (control != NULL) stage_system(SYS_munmap, (long)control, STAGE_CONTROL_BYTES, 0, 0, 0, 0);
  if (state != NULL) stage_system(SYS_munmap, (long)state, STAGE_STATE_BYTES, 0, 0, 0, 0);
  return false;
}
