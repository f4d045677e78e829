#include "limits.h"

#include <linux/futex.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "../src/line.h"
#include "../src/system.h"
#include "fail.h"
#include "quantity.h"

#define CLASSES 4
#define EVERYTHING "all"

/* What may be saved, and what a thread may hold, as times: as in TokenLine.java. */
#define BURST_NANOS UINT64_C(20000000)
#define LEASE_NANOS UINT64_C(500000)

/* A second in nanoseconds, and a token in millionths. */
#define NANOS_AND_MILLIONTHS UINT64_C(1000000000000000)

/* Which operations are in which class; the first of each, and the first of the next. */
static const struct {
  const char *name;
  uint32_t from;
  uint32_t to;
} CLASS[CLASSES] = {
    {"data", STAGE_READ, STAGE_OPEN},
    {"metadata", STAGE_OPEN, STAGE_MKDIR},
    {"directory", STAGE_MKDIR, STAGE_GETXATTR},
    {"extended-attribute", STAGE_GETXATTR, STAGE_OPERATION_COUNT},
};

/* Only these move bytes, in the order of their buckets. */
static const enum stage_operation MOVERS[] = {STAGE_READ, STAGE_WRITE, STAGE_COPY};

/* Buckets that count calls: one for each operation, each class, and all; then those that count the
   bytes of each mover, of data and of all. 0 is none. */
enum {
  BUCKET_OPERATION = 1,
  BUCKET_CLASS = BUCKET_OPERATION + STAGE_OPERATION_COUNT,
  BUCKET_ALL = BUCKET_CLASS + CLASSES,
  BUCKET_MOVER_BYTES,
  BUCKET_DATA_BYTES = BUCKET_MOVER_BYTES + 3,
  BUCKET_ALL_BYTES,
  BUCKET_END
};
_Static_assert(BUCKET_END <= STAGE_BUCKETS, "a limit has no bucket");

/* As docs/stage.md has them; a test compares the two. */
static const char *const CALLS[STAGE_OPERATION_COUNT] = {
    [STAGE_READ] =
        "read pread readv preadv preadv2 sendfile splice; of no bytes: mmap readahead "
        "posix_fadvise",
    [STAGE_WRITE] = "write pwrite writev pwritev pwritev2 sendfile splice",
    [STAGE_COMMIT] = "fsync fdatasync syncfs sync sync_file_range msync",
    [STAGE_TRUNCATE] = "truncate ftruncate",
    [STAGE_ALLOCATE] = "fallocate posix_fallocate",
    [STAGE_COPY] = "copy_file_range; of no bytes: ioctl",
    [STAGE_OPEN] = "open openat creat fopen freopen opendir mkstemp mkstemps mkostemp mkostemps",
    [STAGE_CLOSE] = "close close_range closefrom closedir",
    [STAGE_ACCESS] = "access faccessat eaccess euidaccess",
    [STAGE_GETATTR] = "stat lstat fstat fstatat statx fdopendir opendir",
    [STAGE_SETATTR] =
        "chmod lchmod fchmod fchmodat chown lchown fchown fchownat utime utimes lutimes futimes "
        "futimens futimesat utimensat",
    [STAGE_LINK] = "link linkat",
    [STAGE_SYMLINK] = "symlink symlinkat",
    [STAGE_READLINK] = "readlink readlinkat",
    [STAGE_MKNOD] = "mknod mknodat mkfifo mkfifoat",
    [STAGE_UNLINK] = "unlink unlinkat remove",
    [STAGE_RENAME] = "rename renameat renameat2",
    [STAGE_STATFS] = "statfs fstatfs statvfs fstatvfs",
    [STAGE_MKDIR] = "mkdir mkdirat mkdtemp",
    [STAGE_RMDIR] = "rmdir unlinkat",
    [STAGE_READDIR] = "readdir readdir_r getdents getdirentries",
    [STAGE_GETXATTR] = "getxattr lgetxattr fgetxattr",
    [STAGE_SETXATTR] = "setxattr lsetxattr fsetxattr",
    [STAGE_LISTXATTR] = "listxattr llistxattr flistxattr",
    [STAGE_REMOVEXATTR] = "removexattr lremovexattr fremovexattr",
};

const char *operation_name(enum stage_operation operation) {
  static char names[STAGE_OPERATION_COUNT][16];
  static const char *const UPPER[] = {
#define UPPER_NAME(name) #name,
      STAGE_OPERATIONS(UPPER_NAME)
#undef UPPER_NAME
  };
  char *name = names[operation];
  for (size_t i = 0; UPPER[operation][i] != 0; i++) name[i] = (char)(UPPER[operation][i] | 0x20);
  return name;
}

/* The scope's buckets for calls and for bytes; 0 where it moves none. False when there is no such
   scope. */
static bool find_scope(const char *name, size_t length, uint32_t *calls, uint32_t *bytes) {
  *bytes = 0;
  if (length == strlen(EVERYTHING) && strncmp(name, EVERYTHING, length) == 0) {
    *calls = BUCKET_ALL;
    *bytes = BUCKET_ALL_BYTES;
    return true;
  }
  for (uint32_t i = 0; i < CLASSES; i++) {
    if (strlen(CLASS[i].name) == length && strncmp(CLASS[i].name, name, length) == 0) {
      *calls = BUCKET_CLASS + i;
      if (i == 0) *bytes = BUCKET_DATA_BYTES;
      return true;
    }
  }
  for (uint32_t i = 0; i < STAGE_OPERATION_COUNT; i++) {
    const char *known = operation_name((enum stage_operation)i);
    if (strlen(known) != length || strncmp(known, name, length) != 0) continue;
    *calls = BUCKET_OPERATION + i;
    for (uint32_t k = 0; k < 3; k++) {
      if (MOVERS[k] == i) *bytes = BUCKET_MOVER_BYTES + k;
    }
    return true;
  }
  return false;
}

static void name_bucket(uint32_t bucket, char name[32]) {
  const char *text = EVERYTHING;
  if (bucket < BUCKET_CLASS) {
    text = operation_name((enum stage_operation)(bucket - BUCKET_OPERATION));
  } else if (bucket < BUCKET_ALL) {
    text = CLASS[bucket - BUCKET_CLASS].name;
  } else if (bucket >= BUCKET_MOVER_BYTES && bucket < BUCKET_DATA_BYTES) {
    text = operation_name(MOVERS[bucket - BUCKET_MOVER_BYTES]);
  } else if (bucket == BUCKET_DATA_BYTES) {
    text = CLASS[0].name;
  }
  snprintf(name, 32, "%s", text);
}

static bool counts_bytes(uint32_t bucket) { return bucket >= BUCKET_MOVER_BYTES; }

static void refuse_scope(const char *part) {
  char names[512] = "";
  for (uint32_t i = 0; i < STAGE_OPERATION_COUNT; i++) {
    strcat(strcat(names, operation_name((enum stage_operation)i)), ", ");
  }
  for (uint32_t i = 0; i < CLASSES; i++) strcat(strcat(names, CLASS[i].name), ", ");
  fail(EXIT_BAD_INPUT, "\"%s\": expected SCOPE=RATE, as in open=50/s, where SCOPE is one of %s%s",
       part, names, EVERYTHING);
}

static void set(struct limits *limits, const char *part, uint32_t bucket, uint64_t millionths) {
  if (limits->given[bucket]) fail(EXIT_BAD_INPUT, "\"%s\": is limited twice", part);
  limits->given[bucket] = true;
  limits->millionths[bucket] = millionths;
}

static void parse_limit(const char *part, struct limits *limits) {
  uint32_t calls;
  uint32_t bytes;
  struct rate rate;
  const char *name = part + strspn(part, " ");
  const char *equals = strchr(part, '=');
  size_t length = equals == NULL ? 0 : (size_t)(equals - name);
  while (length > 0 && name[length - 1] == ' ') length--;
  if (equals == NULL || !find_scope(name, length, &calls, &bytes)) refuse_scope(part);
  const char *value = equals + 1 + strspn(equals + 1, " ");
  if (strcmp(value, "none") == 0) return; /* Nothing is limited yet that could be freed. */
  if (!parse_rate(value, &rate)) {
    fail(EXIT_BAD_INPUT,
         "\"%s\": expected a rate such as 50/s, 0.5/s, 20 kops/s or 200 MB/s, of at most %llu and "
         "whole millionths a second, or none",
         part, (unsigned long long)RATE_MAX);
  }
  if (rate.bytes && bytes == 0) {
    fail(EXIT_BAD_INPUT, "\"%s\": %.*s moves no bytes; expected a rate such as 50/s", part,
         (int)length, name);
  }
  set(limits, part, rate.bytes ? bytes : calls, rate.millionths);
}

void parse_limits(const char *text, struct limits *limits) {
  char part[256];
  for (;;) {
    size_t length = strcspn(text, ",");
    if (length >= sizeof part) fail(EXIT_BAD_INPUT, "\"%s\": expected SCOPE=RATE", text);
    memcpy(part, text, length);
    part[length] = 0;
    parse_limit(part, limits);
    if (text[length] == 0) return;
    text += length + 1;
  }
}

static uint64_t within(uint64_t nanos, uint64_t millionths) {
  return (uint64_t)((unsigned __int128)millionths * nanos / NANOS_AND_MILLIONTHS);
}

static void publish(struct stage_bucket_rates *rates, const struct stage_line *line,
                    uint64_t millionths) {
  uint64_t next = atomic_load_explicit(&rates->current, memory_order_relaxed) + 1;
  struct stage_rate_slot *slot = &rates->slots[next % STAGE_RATE_SLOTS];
  atomic_store_explicit(&slot->from_nanos, line->from_nanos, memory_order_relaxed);
  atomic_store_explicit(&slot->from_units, line->from_units, memory_order_relaxed);
  atomic_store_explicit(&slot->rate, line->rate, memory_order_relaxed);
  atomic_store_explicit(&slot->burst_units, line->burst_units, memory_order_relaxed);
  atomic_store_explicit(&slot->lease_tokens, line->lease_tokens, memory_order_relaxed);
  atomic_store_explicit(&slot->per_second, millionths, memory_order_relaxed);
  atomic_store_explicit(&slot->flags, line->unlimited ? STAGE_UNLIMITED : 0, memory_order_relaxed);
  atomic_store_explicit(&rates->current, next, memory_order_release);
}

static uint64_t current_millionths(struct stage_bucket_rates *rates) {
  uint64_t current = atomic_load_explicit(&rates->current, memory_order_acquire);
  return atomic_load_explicit(&rates->slots[current % STAGE_RATE_SLOTS].per_second,
                              memory_order_relaxed);
}

void publish_no_limits(struct stage_control *control, int64_t now) {
  struct stage_line line = {.from_nanos = now, .unlimited = true};
  for (uint32_t bucket = 0; bucket < STAGE_BUCKETS; bucket++) {
    publish(&control->buckets[bucket], &line, 0);
  }
}

static void publish_rate(struct stage_control *control, uint32_t bucket, uint64_t millionths,
                         int64_t now) {
  struct stage_line before;
  struct stage_bucket_rates *rates = &control->buckets[bucket];
  if (!stage_read_line(rates, &before)) return; /* Only whoever else writes could cause it. */
  uint64_t burst = within(BURST_NANOS, millionths);
  uint64_t lease = within(LEASE_NANOS, millionths);
  struct stage_line line = {
      .from_nanos = now,
      .from_units = stage_line_at(&before, now),
      .rate = (uint64_t)(((unsigned __int128)millionths << (STAGE_UNIT_SHIFT + STAGE_RATE_SHIFT)) /
                         NANOS_AND_MILLIONTHS),
      .burst_units = (burst < 1 ? 1 : burst) << STAGE_UNIT_SHIFT,
      .lease_tokens = lease < 1                        ? 1
                      : lease > STAGE_LEASE_TOKENS_MAX ? STAGE_LEASE_TOKENS_MAX
                                                       : lease,
  };
  publish(rates, &line, millionths);
}

void publish_moved(struct stage_control *control, uint32_t bucket, uint64_t units, int64_t now) {
  struct stage_line line;
  struct stage_bucket_rates *rates = &control->buckets[bucket];
  if (!stage_read_line(rates, &line)) return;
  line.from_units = stage_line_at(&line, now) + units;
  line.from_nanos = now;
  publish(rates, &line, current_millionths(rates));
}

bool is_limited(struct stage_control *control, uint32_t bucket) {
  struct stage_line line;
  return stage_read_line(&control->buckets[bucket], &line) && !line.unlimited;
}

static bool concerns(uint32_t bucket, enum stage_operation operation) {
  if (bucket < BUCKET_CLASS) return bucket - BUCKET_OPERATION == operation;
  if (bucket < BUCKET_ALL) {
    return operation >= CLASS[bucket - BUCKET_CLASS].from &&
           operation < CLASS[bucket - BUCKET_CLASS].to;
  }
  if (bucket == BUCKET_ALL) return true;
  for (uint32_t k = 0; k < 3; k++) {
    if (MOVERS[k] == operation) {
      return bucket == BUCKET_MOVER_BYTES + k || bucket >= BUCKET_DATA_BYTES;
    }
  }
  return false;
}

/* An operation without limits draws from no bucket, so that it costs next to nothing. */
static void publish_channels(struct stage_control *control) {
  for (uint32_t operation = 0; operation < STAGE_OPERATION_COUNT; operation++) {
    uint64_t channels = 0;
    int shift_of_calls = 0;
    int shift_of_bytes = 24;
    for (uint32_t bucket = 1; bucket < BUCKET_END; bucket++) {
      if (!is_limited(control, bucket) || !concerns(bucket, (enum stage_operation)operation)) {
        continue;
      }
      int *shift = counts_bytes(bucket) ? &shift_of_bytes : &shift_of_calls;
      channels |= (uint64_t)bucket << *shift;
      *shift += 8;
    }
    atomic_store_explicit(&control->channels[operation], channels, memory_order_release);
  }
}

void publish_limits(struct stage_control *control, const struct limits *limits, int64_t now) {
  for (uint32_t bucket = 1; bucket < BUCKET_END; bucket++) {
    if (limits->given[bucket]) publish_rate(control, bucket, limits->millionths[bucket], now);
  }
  publish_channels(control);
}

void wake_waiters(struct stage_control *control) {
  atomic_fetch_add_explicit(&control->change_epoch, 1, memory_order_release);
  stage_system(SYS_futex, (long)&control->change_epoch, FUTEX_WAKE, INT_MAX, 0, 0, 0);
}

void describe_limits(struct stage_control *control, char *text, size_t bytes) {
  size_t used = 0;
  for (uint32_t bucket = 1; bucket < BUCKET_END && used < bytes; bucket++) {
    char name[32];
    char rate[QUANTITY_BYTES];
    if (!is_limited(control, bucket)) continue;
    name_bucket(bucket, name);
    double per_second = (double)current_millionths(&control->buckets[bucket]) / (double)MILLION;
    used += (size_t)snprintf(text + used, bytes - used, "%s%s %s", used == 0 ? "" : ", ", name,
                             format_rate(rate, per_second, counts_bytes(bucket)));
  }
  if (used == 0) snprintf(text, bytes, "nothing is limited");
}

void print_classes(void) {
  for (uint32_t i = 0; i < CLASSES; i++) {
    printf("%s\n", CLASS[i].name);
    for (uint32_t k = CLASS[i].from; k < CLASS[i].to; k++) {
      printf("  %-12s %s\n", operation_name((enum stage_operation)k), CALLS[k]);
    }
  }
  printf("%s\n  %-12s all of the above\n", EVERYTHING, "");
  printf(
      "read, write, copy, data and all can be limited in bytes too. sendfile and splice are a\n"
      "read and a write. The variants of a call, and syscall() with its number, count as it does.\n");
}
