#include "charge.h"

#include <linux/futex.h>
#include <stdbool.h>

#include "line.h"
#include "system.h"

/* How long a waiter sleeps at most before it looks whether the agent is still there. */
#define SLICE_NANOS INT64_C(100000000)

/* Whatever the file says, an agent that has been silent for longer is dead. */
#define STALE_NANOS_MAX INT64_C(10000000000)

/* A waiter that has not been seen for so long will not come back. */
#define WAITER_DEAD_NANOS INT64_C(1000000000)

/* What a thread may use of a bucket without a limit, until the epoch changes. */
#define ENDLESS (INT64_MAX / 4)

#define BUCKETS_PER_CALL 6

struct stage_control *stage_control;
struct stage_state *stage_state;
__thread struct stage_thread stage_this_thread;

/* What one call has reserved in one bucket: its turn comes when the line reaches the ticket. */
struct claim {
  uint32_t bucket;
  uint64_t units;
  uint64_t ticket;
  int64_t lease_tokens; /* what is left of it for the calls that follow */
};

static _Atomic uint32_t threads_seen;

uint32_t stage_pick_shard(void) {
  /* The process is mixed in, or all processes of a job would meet on the first shards. */
  uint32_t process = (uint32_t)stage_system(SYS_getpid, 0, 0, 0, 0, 0, 0);
  uint32_t thread = atomic_fetch_add_explicit(&threads_seen, 1, memory_order_relaxed);
  uint32_t shard = (process * 7 + thread) % STAGE_SHARDS + 1;
  stage_this_thread.shard = shard;
  return shard;
}

void stage_forget_thread(void) {
  stage_this_thread.shard = 0;
  for (uint32_t bucket = 0; bucket < STAGE_BUCKETS; bucket++) {
    stage_this_thread.leases[bucket] = (struct stage_lease){0};
  }
}

static bool agent_is_silent(int64_t now) {
  int64_t beat = atomic_load_explicit(&stage_control->heartbeat_nanos, memory_order_relaxed);
  int64_t stale = atomic_load_explicit(&stage_control->stale_after_nanos, memory_order_relaxed);
  if (stale == STAGE_NEVER_STALE) return false;
  if (stale < 0 || stale > STALE_NANOS_MAX) stale = STALE_NANOS_MAX;
  /* A beat from the future is a clock of another start of this machine. */
  return beat < now - stale || beat > now + stale;
}

/* How many tokens to take at once, so that the calls after this one need not come here. */
static uint64_t next_lease_size(struct stage_lease *lease, const struct stage_line *line) {
  uint32_t size = lease->size == 0 ? 1 : lease->size * 2;
  if (size > line->lease_tokens) size = (uint32_t)line->lease_tokens;
  lease->size = size;
  return size;
}

/*
 * Takes units out of a bucket; the ticket at which they end. Tickets never lag behind the line by
 * more than the burst: what was not used for longer than that is lost.
 */
static uint64_t take(uint32_t bucket, const struct stage_line *line, uint64_t units, int64_t now) {
  _Atomic uint64_t *tickets = &stage_state->tickets[bucket].units;
  uint64_t floor = stage_line_at(line, now) - line->burst_units;
  uint64_t seen = atomic_load_explicit(tickets, memory_order_relaxed);
  while ((int64_t)(seen - floor) < 0) {
    if (atomic_compare_exchange_weak_explicit(tickets, &seen, floor + units, memory_order_relaxed,
                                              memory_order_relaxed)) {
      return floor + units;
    }
  }
  return atomic_fetch_add_explicit(tickets, units, memory_order_relaxed) + units;
}

/* Reserves what a call needs of one bucket; false when nothing has to be waited for. */
static bool reserve(uint32_t bucket, uint64_t tokens, uint32_t epoch, int64_t now,
                    struct claim *claim) {
  struct stage_line line;
  struct stage_lease *lease = &stage_this_thread.leases[bucket];
  if (!stage_read_line(&stage_control->buckets[bucket], &line)) return false;
  if (line.unlimited) {
    lease->epoch = epoch;
    lease->tokens = ENDLESS;
    return false;
  }
  uint64_t left = lease->epoch == epoch && lease->tokens > 0 ? (uint64_t)lease->tokens : 0;
  uint64_t ahead = next_lease_size(lease, &line);
  uint64_t taken = tokens - (left < tokens ? left : tokens);
  if (taken < ahead) taken = ahead;
  lease->epoch = epoch;
  lease->tokens = 0;

  claim->bucket = bucket;
  claim->units = taken << STAGE_UNIT_SHIFT;
  claim->lease_tokens = (int64_t)(left + taken - tokens);
  claim->ticket = take(bucket, &line, claim->units, now);
  return true;
}

/* The instant at which the last of the claims is due. */
static int64_t turn_of(const struct claim *claims, int count) {
  int64_t turn = 0;
  for (int i = 0; i < count; i++) {
    struct stage_line line;
    if (!stage_read_line(&stage_control->buckets[claims[i].bucket], &line) || line.unlimited) {
      continue;
    }
    int64_t due = stage_line_reaches(&line, claims[i].ticket);
    if (due > turn) turn = due;
  }
  return turn;
}

/* Enters a waiter where the agent can see it; null when there is no room, which only means that the
   tickets of those who die now are not given back. */
static struct stage_waiter *enter(const struct claim *claims, int count, int64_t now) {
  uint32_t start = stage_this_thread.shard * 8;
  for (uint32_t i = 0; i < STAGE_WAITERS; i++) {
    struct stage_waiter *waiter = &stage_state->waiters[(start + i) % STAGE_WAITERS];
    int64_t seen = atomic_load_explicit(&waiter->seen_nanos, memory_order_relaxed);
    if (seen != 0 && seen > now - WAITER_DEAD_NANOS && seen <= now + WAITER_DEAD_NANOS) continue;
    if (!atomic_compare_exchange_strong_explicit(&waiter->seen_nanos, &seen, now,
                                                 memory_order_acquire, memory_order_relaxed)) {
      continue;
    }
    for (int k = 0; k < BUCKETS_PER_CALL; k++) {
      uint64_t text = k < count ? claims[k].units << 8 | claims[k].bucket : 0;
      atomic_store_explicit(&waiter->claims[k], text, memory_order_relaxed);
    }
    atomic_store_explicit(&waiter->bucket_count, (uint64_t)count, memory_order_release);
    return waiter;
  }
  return NULL;
}

/* Says again that a waiter is there, or with 0 that it is not; false when it was taken for dead,
   and its entry is another's by now. */
static bool mark(struct stage_waiter *waiter, int64_t last, int64_t now) {
  return atomic_compare_exchange_strong_explicit(&waiter->seen_nanos, &last, now,
                                                 memory_order_release, memory_order_relaxed);
}

static void sleep_until(int64_t deadline, uint32_t epoch) {
  struct timespec until = {.tv_sec = deadline / 1000000000, .tv_nsec = deadline % 1000000000};
  stage_system(SYS_futex, (long)&stage_control->change_epoch, FUTEX_WAIT_BITSET, (long)epoch,
               (long)&until, 0, (long)FUTEX_BITSET_MATCH_ANY);
}

/* Sleeps until all claims are due, the limits are gone, or the agent is. No lock is held. */
static void wait_for_turn(struct stage_counter *counter, const struct claim *claims, int count,
                          int64_t started) {
  struct stage_waiter *waiter = NULL;
  int64_t entered = 0;
  int64_t now = started;
  for (;;) {
    uint32_t epoch = atomic_load_explicit(&stage_control->change_epoch, memory_order_acquire);
    int64_t turn = turn_of(claims, count);
    if (turn <= now || agent_is_silent(now)) break;
    if (waiter == NULL || !mark(waiter, entered, now)) waiter = enter(claims, count, now);
    entered = now;
    sleep_until(turn < now + SLICE_NANOS ? turn : now + SLICE_NANOS, epoch);
    now = stage_now_nanos();
  }
  if (now == started) return;
  if (waiter != NULL) mark(waiter, entered, 0);
  atomic_fetch_add_explicit(&counter->waits, 1, memory_order_relaxed);
  atomic_fetch_add_explicit(&counter->waited_nanos, (uint64_t)(now - started),
                            memory_order_relaxed);
}

void stage_charge_slowly(struct stage_counter *counter, uint64_t channels, uint64_t bytes) {
  int64_t now = stage_now_nanos();
  if (agent_is_silent(now)) return;
  uint32_t epoch = atomic_load_explicit(&stage_control->lease_epoch, memory_order_acquire);
  struct claim claims[BUCKETS_PER_CALL];
  int count = 0;
  /* All is reserved before anything is waited for: two limits delay a call once. */
  for (int shift = 0; shift < 8 * BUCKETS_PER_CALL; shift += 8) {
    uint32_t bucket = (uint32_t)(channels >> shift) % STAGE_BUCKETS;
    if (bucket == 0) continue;
    if (reserve(bucket, shift < 24 ? 1 : bytes, epoch, now, &claims[count])) count++;
  }
  wait_for_turn(counter, claims, count, now);
  for (int i = 0; i < count; i++) {
    /* A signal handler may have leased meanwhile: what it left stays. */
    stage_this_thread.leases[claims[i].bucket].tokens += claims[i].lease_tokens;
  }
}
