#include "fixture.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "line.h"
#include "system.h"

int64_t fixture_now(void) { return stage_now_nanos(); }

void fixture_fail(const char *file, int line, const char *condition, const char *text, ...) {
  va_list rest;
  fprintf(stderr, "%s:%d: %s does not hold: ", file, line, condition);
  va_start(rest, text);
  vfprintf(stderr, text, rest);
  va_end(rest);
  fputc('\n', stderr);
  _exit(1);
}

/* By number: under the preloaded library these must be no calls that it sees. */
static void *map(const char *directory, const char *name, uint32_t bytes, int flags) {
  char path[4200];
  snprintf(path, sizeof path, "%s/%s", directory, name);
  int fd = (int)stage_system(SYS_openat, AT_FDCWD, (long)path, O_RDWR | O_CLOEXEC | flags, 0600, 0,
                             0);
  CHECK(fd >= 0, "%s", path);
  if (flags != 0) CHECK(stage_system(SYS_ftruncate, fd, bytes, 0, 0, 0, 0) == 0, "%s", path);
  long at =
      stage_system(SYS_mmap, 0, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  CHECK(at > 0 || at < -4096, "%s", path);
  stage_system(SYS_close, fd, 0, 0, 0, 0, 0);
  return (void *)at;
}

static void fill_header(struct stage_header *header, uint64_t magic, uint32_t bytes,
                        uint64_t token) {
  header->version = STAGE_VERSION;
  header->bytes = bytes;
  header->token = token;
  header->operations = STAGE_OPERATION_COUNT;
  header->buckets = STAGE_BUCKETS;
  header->shards = STAGE_SHARDS;
  header->waiters = STAGE_WAITERS;
  atomic_store(&header->magic, magic);
}

static void open_files(struct fixture *fixture, const char *directory, int flags) {
  snprintf(fixture->directory, sizeof fixture->directory, "%s", directory);
  fixture->control = map(directory, "control", STAGE_CONTROL_BYTES, flags);
  fixture->state = map(directory, "state", STAGE_STATE_BYTES, flags);
}

void fixture_open(struct fixture *fixture, const char *directory) {
  open_files(fixture, directory, 0);
}

void fixture_create(struct fixture *fixture, const char *directory, const char *mount) {
  open_files(fixture, directory, O_CREAT | O_TRUNC);
  struct stage_control *control = fixture->control;
  control->mount_count = 1;
  control->mount_text_bytes = (uint32_t)strlen(mount) + 1;
  memcpy(control->mount_text, mount, strlen(mount) + 1);
  atomic_store(&control->stale_after_nanos, INT64_C(2000000000));
  atomic_store(&control->lease_epoch, 1);
  fixture_beat(fixture);
  for (uint32_t bucket = 0; bucket < STAGE_BUCKETS; bucket++) {
    atomic_store(&control->buckets[bucket].slots[0].flags, STAGE_UNLIMITED);
  }
  uint64_t token = (uint64_t)fixture_now();
  fill_header(&fixture->state->header, STAGE_STATE_MAGIC, STAGE_STATE_BYTES, token);
  fill_header(&control->header, STAGE_CONTROL_MAGIC, STAGE_CONTROL_BYTES, token);
}

void fixture_beat(struct fixture *fixture) {
  atomic_store(&fixture->control->heartbeat_nanos, fixture_now());
}

static void publish(struct fixture *fixture, uint32_t bucket, const struct stage_line *next) {
  struct stage_bucket_rates *rates = &fixture->control->buckets[bucket];
  uint64_t current = atomic_load(&rates->current) + 1;
  struct stage_rate_slot *slot = &rates->slots[current % STAGE_RATE_SLOTS];
  atomic_store_explicit(&slot->from_nanos, next->from_nanos, memory_order_relaxed);
  atomic_store_explicit(&slot->from_units, next->from_units, memory_order_relaxed);
  atomic_store_explicit(&slot->rate, next->rate, memory_order_relaxed);
  atomic_store_explicit(&slot->burst_units, next->burst_units, memory_order_relaxed);
  atomic_store_explicit(&slot->lease_tokens, next->lease_tokens, memory_order_relaxed);
  atomic_store_explicit(&slot->flags, next->unlimited ? STAGE_UNLIMITED : 0, memory_order_relaxed);
  atomic_store_explicit(&rates->current, current, memory_order_release);
  atomic_fetch_add(&fixture->control->lease_epoch, 1);
  atomic_fetch_add(&fixture->control->change_epoch, 1);
  stage_system(SYS_futex, (long)&fixture->control->change_epoch, FUTEX_WAKE, INT32_MAX, 0, 0, 0);
}

static struct stage_line line_now(struct fixture *fixture, uint32_t bucket) {
  struct stage_line line;
  CHECK(stage_read_line(&fixture->control->buckets[bucket], &line), "no line");
  int64_t now = fixture_now();
  line.from_units = stage_line_at(&line, now);
  line.from_nanos = now;
  return line;
}

void fixture_limit(struct fixture *fixture, uint32_t bucket, double tokens_per_second,
                   double burst_tokens, uint64_t lease_tokens) {
  struct stage_line line = line_now(fixture, bucket);
  line.rate = (uint64_t)(tokens_per_second * 1024 / 1e9 * (double)(UINT64_C(1) << 40));
  line.burst_units = (uint64_t)(burst_tokens * 1024);
  line.lease_tokens = lease_tokens;
  line.unlimited = false;
  publish(fixture, bucket, &line);
}

void fixture_unlimit(struct fixture *fixture, uint32_t bucket) {
  struct stage_line line = line_now(fixture, bucket);
  line.unlimited = true;
  publish(fixture, bucket, &line);
}

void fixture_forgive(struct fixture *fixture, uint32_t bucket, uint64_t units) {
  struct stage_line line = line_now(fixture, bucket);
  line.from_units += units;
  publish(fixture, bucket, &line);
}

uint64_t fixture_calls(struct fixture *fixture, enum stage_operation operation) {
  uint64_t sum = 0;
  for (uint32_t shard = 0; shard < STAGE_SHARDS; shard++) {
    sum += atomic_load(&fixture->state->counters[shard][operation].calls);
  }
  return sum;
}

uint64_t fixture_bytes(struct fixture *fixture, enum stage_operation operation) {
  uint64_t sum = 0;
  for (uint32_t shard = 0; shard < STAGE_SHARDS; shard++) {
    sum += atomic_load(&fixture->state->counters[shard][operation].bytes);
  }
  return sum;
}
