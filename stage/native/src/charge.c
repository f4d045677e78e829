#include "charge.h"

#include <linux/futex.h>

#include "clock.h"
#include "line.h"
#include "system.h"
#include "threads.h"

/* How long a waiter sleeps at most before it looks whether the agent is still there. */
#define SLICE_NANOS INT64_C(100000000)

/* Whatever the file says, an agent that has been silent for longer is dead. */
#define STALE_NANOS_MAX INT64_C(10000000000)

/* What a thread may use of a bucket without a limit, until the epoch changes. */
#define ENDLESS (INT64_MAX / 4)

#define BUCKETS_PER_CALL 6

/* What is left of a ticket's number in an entry beside the bucket's. */
#define CLAIM_SHIFT 8

struct stage_job stage_jobs[STAGE_JOBS_MAX];
uint32_t stage_job_count;
__thread struct stage_thread stage_this_thread;

/* What one call has reserved in one bucket: its turn comes when the line reaches the ticket. */
struct claim {
  uint32_t bucket;
  uint64_t units;
  uint64_t ticket;
  int64_t lease_tokens; /* what is left of it for the calls that follow */
};

/* What one call has reserved of one job. */
struct booking {
  struct claim claims[BUCKETS_PER_CALL];
  int count;
  bool delayed; /* whether this job, too, made the call wait */
  int64_t turn; /* the instant at which the last of the claims is due */
  struct stage_waiter *entry;
};

static _Atomic uint32_t threads_seen;

/* Picks the counters that the calling thread writes to. */
static void pick_shard(void) {
  /* The process is mixed in, or all processes of a job would meet on the first shards. */
  uint32_t process =
      stage_this_thread.strict ? 0 : (uint32_t)stage_system(SYS_getpid, 0, 0, 0, 0, 0, 0);
  uint32_t thread = atomic_fetch_add_explicit(&threads_seen, 1, memory_order_relaxed);
  stage_this_thread.shard = (process * 7 + thread) % STAGE_SHARDS + 1;
}

void stage_forget_thread(void) {
  stage_this_thread.shard = 0;
  for (uint32_t bucket = 0; bucket < STAGE_BUCKETS; bucket++) {
    stage_this_thread.leases[bucket] = (struct stage_lease){0};
  }
}

void stage_return_leases(void) {
  if (stage_job_count == 0 || stage_this_thread.in_vfork) return;
  struct stage_job *job = &stage_jobs[0];
  uint32_t epoch = atomic_load_explicit(&job->control->lease_epoch, memory_order_relaxed);
  for (uint32_t bucket = 1; bucket < STAGE_BUCKETS; bucket++) {
    struct stage_lease *lease = &stage_this_thread.leases[bucket];
    int64_t tokens = lease->tokens;
    lease->tokens = 0;
    /* More than a lease can have is an endless one. */
    if (lease->epoch != epoch || tokens <= 0 || tokens > 2 * (int64_t)STAGE_LEASE_TOKENS_MAX) {
      continue;
    }
    atomic_fetch_sub_explicit(&job->state->tickets[bucket].units,
                              (uint64_t)tokens << STAGE_UNIT_SHIFT, memory_order_relaxed);
  }
}

void stage_end_thread(void) {
  if (stage_this_thread.in_vfork) return;
  stage_this_thread.watched = false;
  stage_this_thread.ending = true;
  stage_return_leases();
}

static bool agent_is_silent(struct stage_control *control, int64_t now) {
  int64_t beat = atomic_load_explicit(&control->heartbeat_nanos, memory_order_relaxed);
  int64_t stale = atomic_load_explicit(&control->stale_after_nanos, memory_order_relaxed);
  if (stale == STAGE_NEVER_STALE) return false;
  if (stale < 0 || stale > STALE_NANOS_MAX) stale = STALE_NANOS_MAX;
  /* A beat from the future is a clock of another start of this machine. */
  return beat < now - stale || beat > now + stale;
}

/* How many tokens to take at once, so that the calls after this one need not come here. */
static uint64_t next_lease_size(struct stage_lease *lease, const struct stage_line *line) {
  if (stage_this_thread.ending) return 0;
  uint32_t size = lease->size == 0 ? 1 : lease->size * 2;
  if (size > line->lease_tokens) size = (uint32_t)line->lease_tokens;
  lease->size = size;
  return size;
}

/*
 * Takes units out of a bucket; the ticket at which they end. Tickets never lag behind the line by
 * more than the burst: what was not used for longer than that is lost.
 */
static uint64_t take(struct stage_job *job, uint32_t bucket, const struct stage_line *line,
                     uint64_t units, int64_t now) {
  _Atomic uint64_t *tickets = &job->state->tickets[bucket].units;
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

/* Reserves what a call needs of a bucket whose tokens are leased; false when nothing has to be
   waited for. */
static bool reserve_lease(uint32_t bucket, uint64_t tokens, uint32_t epoch, int64_t now,
                          struct claim *claim) {
  struct stage_job *job = &stage_jobs[0];
  struct stage_line line;
  struct stage_lease *lease = &stage_this_thread.leases[bucket];
  if (!stage_read_line(&job->control->buckets[bucket], &line)) return false;
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
  claim->ticket = take(job, bucket, &line, claim->units, now);
  return true;
}

/* The same where calls are paid one by one. */
static bool reserve_once(struct stage_job *job, uint32_t bucket, uint64_t tokens, int64_t now,
                         struct claim *claim) {
  struct stage_line line;
  if (!stage_read_line(&job->control->buckets[bucket], &line) || line.unlimited) return false;
  claim->bucket = bucket;
  claim->units = tokens << STAGE_UNIT_SHIFT;
  claim->lease_tokens = 0;
  claim->ticket = take(job, bucket, &line, claim->units, now);
  return true;
}

/* Reserves what a call needs of one job. */
static void book(uint32_t index, uint64_t channels, uint64_t bytes, int64_t now,
                 struct booking *booking) {
  struct stage_job *job = &stage_jobs[index];
  if (channels == 0 || agent_is_silent(job->control, now)) return;
  uint32_t epoch = atomic_load_explicit(&job->control->lease_epoch, memory_order_acquire);
  for (int shift = 0; shift < 8 * BUCKETS_PER_CALL; shift += 8) {
    uint32_t bucket = (uint32_t)(channels >> shift) % STAGE_BUCKETS;
    uint64_t tokens = shift < 24 ? 1 : bytes;
    if (bucket == 0 || tokens == 0) continue;
    struct claim *claim = &booking->claims[booking->count];
    bool waits = index == 0 ? reserve_lease(bucket, tokens, epoch, now, claim)
                            : reserve_once(job, bucket, tokens, now, claim);
    if (waits) booking->count++;
  }
}

/* Takes new tickets instead of those that the agent may have given to others meanwhile. */
static void book_again(struct stage_job *job, struct booking *booking, int64_t now) {
  for (int i = 0; i < booking->count; i++) {
    struct claim *claim = &booking->claims[i];
    struct stage_line line;
    if (!stage_read_line(&job->control->buckets[claim->bucket], &line)) continue;
    claim->ticket = take(job, claim->bucket, &line, claim->units, now);
  }
}

static int64_t turn_of(struct stage_job *job, const struct booking *booking) {
  int64_t turn = 0;
  for (int i = 0; i < booking->count; i++) {
    const struct claim *claim = &booking->claims[i];
    struct stage_line line;
    if (!stage_read_line(&job->control->buckets[claim->bucket], &line) || line.unlimited) continue;
    int64_t due = stage_line_reaches(&line, claim->ticket);
    if (due > turn) turn = due;
  }
  return turn;
}

/* Enters a waiter where the agent can see it; null when there is no room. */
static struct stage_waiter *enter(struct stage_state *state, const struct booking *booking,
                                  int64_t now) {
  uint32_t start = stage_this_thread.shard * 8;
  for (uint32_t i = 0; i < STAGE_WAITERS; i++) {
    struct stage_waiter *waiter = &state->waiters[(start + i) % STAGE_WAITERS];
    int64_t seen = atomic_load_explicit(&waiter->seen_nanos, memory_order_relaxed);
    if (seen != 0 && seen > now - STAGE_WAITER_DEAD_NANOS && seen <= now + STAGE_WAITER_DEAD_NANOS) {
      continue;
    }
    if (!atomic_compare_exchange_strong_explicit(&waiter->seen_nanos, &seen, now,
                                                 memory_order_acquire, memory_order_relaxed)) {
      continue;
    }
    for (int k = 0; k < BUCKETS_PER_CALL; k++) {
      const struct claim *claim = &booking->claims[k];
      uint64_t text =
          k < booking->count ? (claim->ticket - claim->units) << CLAIM_SHIFT | claim->bucket : 0;
      atomic_store_explicit(&waiter->claims[k], text, memory_order_relaxed);
    }
    atomic_store_explicit(&waiter->bucket_count, (uint64_t)booking->count, memory_order_release);
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

/* Has the agent of a job see that somebody waits. Who finds no room says at least that the list is
   not all: then the agent gives nothing to anybody. */
static void show(struct stage_state *state, struct booking *booking, int64_t last, int64_t now) {
  if (booking->entry == NULL || !mark(booking->entry, last, now)) {
    booking->entry = enter(state, booking, now);
  }
  if (booking->entry == NULL) {
    atomic_store_explicit(&state->unlisted_nanos, now, memory_order_relaxed);
  }
}

static void leave(struct booking *booking, int64_t last) {
  if (booking->entry != NULL) mark(booking->entry, last, 0);
  booking->entry = NULL;
}

static void sleep_until(int64_t deadline, struct stage_control *control, uint32_t epoch) {
  deadline += stage_clock_offset;
  struct timespec until = {.tv_sec = deadline / 1000000000, .tv_nsec = deadline % 1000000000};
  stage_system(SYS_futex, (long)&control->change_epoch, FUTEX_WAIT_BITSET, (long)epoch,
               (long)&until, 0, (long)FUTEX_BITSET_MATCH_ANY);
}

/*
 * Sleeps until all claims are due, the limits are gone, or the agents are. No lock is held. Who waits
 * for several jobs sleeps for the strictest: no change of another can end the wait earlier.
 *
 * The clock is read after the lines. An agent moves a line past a ticket only when it has not seen
 * its owner for longer than the threshold; whoever has been away for less, by a clock that was read
 * later than the line, still owns his. Others take a new one.
 */
static int64_t wait_for_turn(enum stage_operation operation, struct booking *bookings,
                             int64_t started) {
  int64_t seen = started;
  for (;;) {
    uint32_t epochs[STAGE_JOBS_MAX];
    for (uint32_t i = 0; i < stage_job_count; i++) {
      if (bookings[i].count == 0) continue;
      epochs[i] = atomic_load_explicit(&stage_jobs[i].control->change_epoch, memory_order_acquire);
      bookings[i].turn = turn_of(&stage_jobs[i], &bookings[i]);
    }
    int64_t now = stage_agent_nanos();
    if (now - seen > STAGE_WAITER_DEAD_NANOS) {
      for (uint32_t i = 0; i < stage_job_count; i++) {
        leave(&bookings[i], seen);
        book_again(&stage_jobs[i], &bookings[i], now);
      }
      seen = now;
      continue;
    }
    uint32_t strictest = STAGE_JOBS_MAX;
    for (uint32_t i = 0; i < stage_job_count; i++) {
      struct booking *booking = &bookings[i];
      if (booking->count == 0 || booking->turn <= now) continue;
      if (agent_is_silent(stage_jobs[i].control, now)) continue;
      booking->delayed = true;
      if (strictest == STAGE_JOBS_MAX || booking->turn > bookings[strictest].turn) strictest = i;
    }
    if (strictest == STAGE_JOBS_MAX) {
      for (uint32_t i = 0; i < stage_job_count; i++) leave(&bookings[i], seen);
      return now;
    }
    for (uint32_t i = 0; i < stage_job_count; i++) {
      if (bookings[i].count != 0) show(stage_jobs[i].state, &bookings[i], seen, now);
    }
    seen = now;
    int64_t turn = bookings[strictest].turn;
    int type = stage_allow_cancel(operation);
    sleep_until(turn < now + SLICE_NANOS ? turn : now + SLICE_NANOS,
                stage_jobs[strictest].control, epochs[strictest]);
    stage_forbid_cancel(type);
  }
}

/* Counts a wait where it was caused. */
static void count_wait(struct stage_job *job, enum stage_operation operation, int64_t nanos) {
  uint32_t shard = stage_this_thread.shard;
  struct stage_counter *counter = &job->state->counters[(shard - 1) % STAGE_SHARDS][operation];
  atomic_fetch_add_explicit(&counter->waits, 1, memory_order_relaxed);
  atomic_fetch_add_explicit(&counter->waited_nanos, (uint64_t)nanos, memory_order_relaxed);
}

/* Takes tokens out of a lease; whether it had enough. */
static inline bool lease_covers(uint32_t bucket, uint64_t tokens, uint32_t epoch) {
  struct stage_lease *lease = &stage_this_thread.leases[bucket];
  if (lease->epoch != epoch) return false;
  int64_t left = lease->tokens - (int64_t)tokens;
  if (left < 0) return false;
  lease->tokens = left;
  return true;
}

/* Of the first job's channels those that the thread's leases do not cover. */
static inline uint64_t lacking_of(uint64_t channels, uint64_t bytes) {
  uint32_t epoch = atomic_load_explicit(&stage_jobs[0].control->lease_epoch, memory_order_relaxed);
  uint64_t lacking = 0;
  for (int shift = 0; shift < 8 * BUCKETS_PER_CALL && channels >> shift != 0; shift += 8) {
    uint32_t bucket = (uint32_t)(channels >> shift) % STAGE_BUCKETS;
    uint64_t tokens = shift < 24 ? 1 : bytes;
    if (bucket != 0 && tokens != 0 && !lease_covers(bucket, tokens, epoch)) {
      lacking |= (uint64_t)bucket << shift;
    }
  }
  return lacking;
}

/* Charges the jobs after the first, takes what is lacking out of the buckets, and waits for it. */
static __attribute__((noinline)) void charge_slowly(enum stage_operation operation, uint64_t bytes,
                                                    stage_inside inside, uint64_t lacking) {
  uint64_t channels[STAGE_JOBS_MAX] = {lacking};
  uint64_t any = lacking;
  for (uint32_t i = 1; i < stage_job_count; i++) {
    if (!stage_is_inside_for(inside, i)) continue;
    stage_count(&stage_jobs[i], operation, bytes);
    channels[i] =
        atomic_load_explicit(&stage_jobs[i].control->channels[operation], memory_order_relaxed);
    any |= channels[i];
  }
  /* Who may neither sleep nor ask for the time is counted, and passes. */
  if (any == 0 || stage_this_thread.strict) return;

  int64_t started = stage_agent_nanos();
  struct booking bookings[STAGE_JOBS_MAX];
  int claims = 0;
  /* All is reserved before anything is waited for: two limits delay a call once. */
  for (uint32_t i = 0; i < stage_job_count; i++) {
    bookings[i].count = 0;
    bookings[i].delayed = false;
    bookings[i].entry = NULL;
    book(i, channels[i], bytes, started, &bookings[i]);
    claims += bookings[i].count;
  }
  if (claims == 0) return;
  if (!stage_this_thread.watched && !stage_this_thread.ending) stage_watch_thread();
  int64_t ended = wait_for_turn(operation, bookings, started);
  for (uint32_t i = 0; i < stage_job_count; i++) {
    if (bookings[i].delayed) count_wait(&stage_jobs[i], operation, ended - started);
  }
  for (int i = 0; i < bookings[0].count; i++) {
    /* A signal handler may have leased meanwhile: what it left stays. */
    struct claim *claim = &bookings[0].claims[i];
    stage_this_thread.leases[claim->bucket].tokens += claim->lease_tokens;
  }
}

void stage_charge_limited(enum stage_operation operation, uint64_t bytes, uint64_t channels) {
  uint64_t lacking = lacking_of(channels, bytes);
  if (__builtin_expect(lacking != 0, 0)) charge_slowly(operation, bytes, 1, lacking);
}

void stage_charge_jobs(enum stage_operation operation, uint64_t bytes, stage_inside inside) {
  if (stage_this_thread.shard == 0) pick_shard();
  uint64_t lacking = 0;
  if (stage_is_inside_for(inside, 0)) {
    struct stage_job *first = &stage_jobs[0];
    stage_count(first, operation, bytes);
    lacking = lacking_of(
        atomic_load_explicit(&first->control->channels[operation], memory_order_relaxed), bytes);
  }
  if (lacking != 0 || inside > 1) charge_slowly(operation, bytes, inside, lacking);
}
