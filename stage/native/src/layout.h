/*
 * The two files through which a node's agent and a job's processes share limits and figures.
 *
 * control: written by the agent, only read by the job. Whoever runs a job cannot raise its limits
 * by writing here, and cannot take the file away under the agent.
 * state: tickets, waiters and counters, written by the job's processes. The agent reads it as a
 * file, never through a mapping, so that a job that cuts its own file short harms only itself.
 *
 * Everything that both sides touch is defined here; dev.sluice.stage.layout.StageLayout says the
 * same in Java, and a test compares the two.
 */
#ifndef STAGE_LAYOUT_H
#define STAGE_LAYOUT_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define STAGE_CONTROL_MAGIC UINT64_C(0x314c54435f534c53) /* "SLS_CTL1" */
#define STAGE_STATE_MAGIC UINT64_C(0x315441545f534c53)   /* "SLS_TAT1" */
#define STAGE_VERSION 2u

#define STAGE_BUCKETS 64u
#define STAGE_SHARDS 128u
#define STAGE_WAITERS 1024u
#define STAGE_OPERATIONS_MAX 32u
#define STAGE_RATE_SLOTS 7u
#define STAGE_MOUNTS_MAX 1024u
#define STAGE_MOUNT_TEXT_BYTES 65528u

/* Tickets count units of 2^-10 token; rates are units in a nanosecond with 40 binary places. */
#define STAGE_UNIT_SHIFT 10
#define STAGE_RATE_SHIFT 40

#define STAGE_UNLIMITED UINT64_C(1)

/* How long an agent may be silent, where the file holds its limits by itself: what a user has put
   on his own programs does not lapse. */
#define STAGE_NEVER_STALE INT64_MAX

/* A waiter that has not been seen for so long counts as dead, to the agent, to the others, and to
   itself when it comes back. */
#define STAGE_WAITER_DEAD_NANOS INT64_C(1000000000)

/* What a call asks of the file system. The order is part of the layout. */
#define STAGE_OPERATIONS(X) \
  X(READ)                   \
  X(WRITE)                  \
  X(COMMIT)                 \
  X(TRUNCATE)               \
  X(ALLOCATE)               \
  X(COPY)                   \
  X(OPEN)                   \
  X(CLOSE)                  \
  X(ACCESS)                 \
  X(GETATTR)                \
  X(SETATTR)                \
  X(LINK)                   \
  X(SYMLINK)                \
  X(READLINK)               \
  X(MKNOD)                  \
  X(UNLINK)                 \
  X(RENAME)                 \
  X(STATFS)                 \
  X(MKDIR)                  \
  X(RMDIR)                  \
  X(READDIR)                \
  X(GETXATTR)               \
  X(SETXATTR)               \
  X(LISTXATTR)              \
  X(REMOVEXATTR)

enum stage_operation {
#define STAGE_OPERATION_NAME(name) STAGE_##name,
  STAGE_OPERATIONS(STAGE_OPERATION_NAME)
#undef STAGE_OPERATION_NAME
  STAGE_OPERATION_COUNT
};

/* What both files begin with. The token is drawn at random for each job and pairs them. */
struct stage_header {
  _Atomic uint64_t magic;
  uint32_t version;
  uint32_t bytes;
  uint64_t token;
  uint32_t operations;
  uint32_t buckets;
  uint32_t shards;
  uint32_t waiters;
  uint64_t reserved[3];
};

/*
 * A line: from_units at from_nanos, and rising by the rate. It says how many tokens have ever been
 * handed out to a bucket; the bucket's ticket counter says how many have been asked for.
 */
struct stage_rate_slot {
  _Atomic int64_t from_nanos;
  _Atomic uint64_t from_units;
  _Atomic uint64_t rate;
  _Atomic uint64_t burst_units;
  _Atomic uint64_t lease_tokens;
  _Atomic uint64_t flags;
  _Atomic uint64_t per_second; /* in millionths, as it was given, for the next agent */
  uint64_t reserved;
};

/*
 * The slot that holds is current % STAGE_RATE_SLOTS. The agent fills the next one and then moves
 * current: an agent that dies in between has changed nothing.
 */
struct stage_bucket_rates {
  _Atomic uint64_t current;
  uint64_t reserved[7];
  struct stage_rate_slot slots[STAGE_RATE_SLOTS];
};

struct stage_control {
  struct stage_header header;

  _Atomic int64_t heartbeat_nanos; /* CLOCK_MONOTONIC */
  _Atomic int64_t stale_after_nanos;
  uint64_t reserved_heartbeat[6];

  _Atomic uint32_t change_epoch; /* what waiters sleep on */
  _Atomic uint32_t lease_epoch;  /* leases of another epoch are void */
  uint64_t reserved_epoch[15];

  /* For each operation, from the lowest byte: three buckets that count calls, three that count
     bytes; 0 is none. */
  _Atomic uint64_t channels[STAGE_OPERATIONS_MAX];

  uint8_t reserved_channels[4096 - 512];
  struct stage_bucket_rates buckets[STAGE_BUCKETS];
  uint8_t reserved_buckets[65536 - 4096 - 32768];

  /* Absolute paths without a slash at their ends, each followed by a zero byte. The root is "". */
  uint32_t mount_count;
  uint32_t mount_text_bytes;
  char mount_text[STAGE_MOUNT_TEXT_BYTES];
};

/* On two cache lines: the one that every process writes is nobody else's neighbour. */
struct stage_ticket {
  _Atomic uint64_t units;
  uint64_t reserved[15];
};

/*
 * A thread that waits says so here, and says again each time that it looks at the clock. What a
 * bucket's tickets are ahead of its line by, and no such thread claims, belongs to the dead.
 */
struct stage_waiter {
  _Atomic int64_t seen_nanos; /* 0 is free */
  _Atomic uint64_t bucket_count;
  _Atomic uint64_t claims[6]; /* the bucket in the lowest byte, above it where the ticket begins */
};

struct stage_counter {
  _Atomic uint64_t calls;
  _Atomic uint64_t bytes;
  _Atomic uint64_t waits;
  _Atomic uint64_t waited_nanos;
};

struct stage_state {
  struct stage_header header;

  _Atomic uint64_t attached; /* programs that have ever loaded the library for this job */
  _Atomic uint64_t attach_failures; /* those of them, and others, that were refused something */
  _Atomic int64_t unlisted_nanos; /* when a waiter that found no room was seen last */
  uint64_t reserved_attached[5];

  uint8_t reserved_header[4096 - 128];
  struct stage_ticket tickets[STAGE_BUCKETS];
  uint8_t reserved_tickets[4096];
  struct stage_waiter waiters[STAGE_WAITERS];
  uint8_t reserved_waiters[131072 - 16384 - 65536];
  struct stage_counter counters[STAGE_SHARDS][STAGE_OPERATIONS_MAX];
};

#define STAGE_CONTROL_BYTES 131072u
#define STAGE_STATE_BYTES 262144u

_Static_assert(STAGE_OPERATION_COUNT <= STAGE_OPERATIONS_MAX, "an operation has no place");
_Static_assert(sizeof(struct stage_control) == STAGE_CONTROL_BYTES, "size of control");
_Static_assert(sizeof(struct stage_state) == STAGE_STATE_BYTES, "size of state");
_Static_assert(sizeof(struct stage_waiter) == 64, "a waiter is a cache line");
_Static_assert(sizeof(struct stage_bucket_rates) == 512, "eight cache lines");

#endif
