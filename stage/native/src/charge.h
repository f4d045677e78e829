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

/* In a new process: what was leased stays the parent's. */
void stage_forget_thread(void);

/* Gives back what the thread has leased and will not use. Its tickets are before those of others
   who wait, so that those who come next have them. */
void stage_return_leases(void);

/* Before the thread or its process ends: gives back what it has, and takes no more in advance. */
void stage_end_thread(void);

/* Takes what a counted call of the first job needs of these buckets out of the thread's leases, or
   waits for it. */
void stage_charge_limited(enum stage_operation operation, uint64_t bytes, uint64_t channels);

/* Charges a thread's first call, and those of several jobs or of others than the first. */
void stage_charge_jobs(enum stage_operation operation, uint64_t bytes, stage_inside inside);

/* Counts a call of a thread that has counters. */
static inline __attribute__((always_inline)) void stage_count(struct stage_job *job,
                                                              enum stage_operation operation,
                                                              uint64_t bytes) {
  uint32_t index = (stage_this_thread.shard - 1) % STAGE_SHARDS;
  struct stage_counter *counter = &job->state->counters[index][operation];
  atomic_fetch_add_explicit(&counter->calls, 1, memory_order_relaxed);
  if (bytes != 0) atomic_fetch_add_explicit(&counter->bytes, bytes, memory_order_relaxed);
}

/*
 * Charges one call of so many bytes to the jobs that have it inside. Neither errno nor any lock of
 * the host program is touched, so that it may be called from anywhere, signal handlers included.
 * What is part of every caller is what calls of an unlimited job need, and no more.
 */
static inline __attribute__((always_inline)) void stage_charge(enum stage_operation operation,
                                                               uint64_t bytes,
                                                               stage_inside inside) {
  if (__builtin_expect(inside != 1 || stage_this_thread.shard == 0, 0)) {
    stage_charge_jobs(operation, bytes, inside);
    return;
  }
  stage_count(&stage_jobs[0], operation, bytes);
  uint64_t channels =
      atomic_load_explicit(&stage_jobs[0].control->channels[operation], memory_order_relaxed);
  if (__builtin_expect(channels != 0, 0)) stage_charge_limited(operation, bytes, channels);
}

#endif
