/* Counting a call and, where its job is limited, letting it wait for its turn. */
#ifndef STAGE_CHARGE_H
#define STAGE_CHARGE_H

#include <stdbool.h>

#include "jobs.h"

/* Tokens that a thread has taken out of a bucket of the outermost job and not used yet. What other
   jobs limit is taken call by call: threads are small, and few runs are inside another. */
struct stage_lease {
  int64_t tokens;
  uint32_t epoch;
  uint32_t size; /* of the last one taken; doubles, so that short-lived threads waste little */
};

struct stage_thread {
  uint32_t shard; /* plus 1; 0 is none yet */
  uint32_t in_vfork;
  bool ending;    /* takes no more than it uses: nobody would return the rest */
  bool watched;   /* its end will be seen, and what it has leased goes back */
  bool strict;    /* may make no system calls but to read and write */
  struct stage_lease leases[STAGE_BUCKETS];
};

/* Part of every thread from its start (-ftls-model=initial-exec): reading it never allocates, also
   in a signal handler. */
extern __thread struct stage_thread stage_this_thread;

/* Picks the counters that the calling thread writes to; its index. */
uint32_t stage_pick_shard(void);

/* In a new process: what was leased stays the parent's. */
void stage_forget_thread(void);

/* Gives back what the thread has leased and will not use. Its tickets are before those of others
   who wait, so that those who come next have them. */
void stage_return_leases(void);

/* Before the thread or its process ends: gives back what it has, and takes no more in advance. */
void stage_end_thread(void);

/* Charges the jobs after the first, takes what is lacking out of the buckets, and waits for it. */
void stage_charge_slowly(enum stage_operation operation, uint64_t bytes, stage_inside inside,
                         uint64_t lacking);

/* Takes tokens out of a lease; whether it had enough. */
static inline int stage_lease_covers(uint32_t bucket, uint64_t tokens, uint32_t epoch) {
  struct stage_lease *lease = &stage_this_thread.leases[bucket];
  if (lease->epoch != epoch) return 0;
  int64_t left = lease->tokens - (int64_t)tokens;
  if (left < 0) return 0;
  lease->tokens = left;
  return 1;
}

static inline __attribute__((always_inline)) struct stage_counter *stage_count(
    struct stage_job *job, enum stage_operation operation, uint64_t bytes) {
  uint32_t shard = stage_this_thread.shard;
  if (__builtin_expect(shard == 0, 0)) shard = stage_pick_shard();
  struct stage_counter *counter = &job->state->counters[(shard - 1) % STAGE_SHARDS][operation];
  atomic_fetch_add_explicit(&counter->calls, 1, memory_order_relaxed);
  if (bytes != 0) atomic_fetch_add_explicit(&counter->bytes, bytes, memory_order_relaxed);
  return counter;
}

/* Counts a call of the first job; the channels that its leases do not cover. */
static inline __attribute__((always_inline)) uint64_t stage_charge_first(
    enum stage_operation operation, uint64_t bytes) {
  struct stage_control *control = stage_jobs[0].control;
  stage_count(&stage_jobs[0], operation, bytes);
  uint64_t channels = atomic_load_explicit(&control->channels[operation], memory_order_relaxed);
  if (channels == 0) return 0;
  uint32_t epoch = atomic_load_explicit(&control->lease_epoch, memory_order_relaxed);
  uint64_t lacking = 0;
  for (int shift = 0; shift < 48 && channels >> shift != 0; shift += 8) {
    uint32_t bucket = (uint32_t)(channels >> shift) % STAGE_BUCKETS;
    uint64_t tokens = shift < 24 ? 1 : bytes;
    if (bucket != 0 && tokens != 0 && !stage_lease_covers(bucket, tokens, epoch)) {
      lacking |= (uint64_t)bucket << shift;
    }
  }
  return lacking;
}

/*
 * Charges one call of so many bytes to the jobs that have it inside. Neither errno nor any lock of
 * the host program is touched, so that it may be called from anywhere, signal handlers included.
 */
static inline __attribute__((always_inline)) void stage_charge(enum stage_operation operation,
                                                               uint64_t bytes,
                                                               stage_inside inside) {
  uint64_t lacking = 0;
  if (__builtin_expect(inside & 1, 1)) lacking = stage_charge_first(operation, bytes);
  if (__builtin_expect(lacking != 0 || inside > 1, 0)) {
    stage_charge_slowly(operation, bytes, inside, lacking);
  }
}

#endif
