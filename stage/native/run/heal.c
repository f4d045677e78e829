#include "heal.h"

#include <fcntl.h>
#include <unistd.h>

#include "../src/line.h"
#include "../src/system.h"
#include "limits.h"

/* Lines and tickets that are further apart would soon be too far to be compared. */
#define IDLE_UNITS_MAX (INT64_C(1) << 60)

/* A claim has the bucket in its lowest byte, above it where the ticket begins. */
#define CLAIM_BITS 8

/* The byte of the lock that whoever writes into the control takes. */
#define WRITERS_BYTE 1

/* Whether tickets of any bucket are ahead of its line. */
static bool somebody_waits(const struct job *job,
                           const struct stage_ticket tickets[STAGE_BUCKETS]) {
  bool some = false;
  int64_t now = stage_now_nanos(); /* After the tickets were read: what has come due is not owed. */
  for (uint32_t bucket = 1; bucket < STAGE_BUCKETS; bucket++) {
    struct stage_line line;
    if (!stage_read_line(&job->control->buckets[bucket], &line) || line.unlimited) continue;
    uint64_t ticket = atomic_load_explicit(&tickets[bucket].units, memory_order_relaxed);
    int64_t backlog = (int64_t)(ticket - stage_line_at(&line, now));
    if (backlog < -IDLE_UNITS_MAX) {
      publish_moved(job->control, bucket, (uint64_t)backlog + line.burst_units, now);
    }
    some |= backlog > 0;
  }
  return some;
}

/* How many units before a bucket's last ticket its first living waiter's begin. */
static bool find_claims(const struct job *job, const struct stage_ticket tickets[STAGE_BUCKETS],
                        int64_t now, uint64_t claimed[STAGE_BUCKETS]) {
  static struct stage_waiter waiters[STAGE_WAITERS];
  int64_t unlisted;
  if (pread(job->state, waiters, sizeof waiters, offsetof(struct stage_state, waiters)) !=
          sizeof waiters ||
      pread(job->state, &unlisted, sizeof unlisted, offsetof(struct stage_state, unlisted_nanos)) !=
          sizeof unlisted) {
    return false;
  }
  int64_t dead = now - STAGE_WAITER_DEAD_NANOS;
  if (unlisted > dead) return false; /* The list is not all. */
  for (uint32_t i = 0; i < STAGE_WAITERS; i++) {
    uint64_t count = atomic_load_explicit(&waiters[i].bucket_count, memory_order_relaxed);
    if (atomic_load_explicit(&waiters[i].seen_nanos, memory_order_relaxed) <= dead) continue;
    for (uint64_t k = 0; k < count && k < 6; k++) {
      uint64_t claim = atomic_load_explicit(&waiters[i].claims[k], memory_order_relaxed);
      uint32_t bucket = (uint32_t)claim % STAGE_BUCKETS;
      uint64_t last = atomic_load_explicit(&tickets[bucket].units, memory_order_relaxed);
      uint64_t before = ((last << CLAIM_BITS) - (claim >> CLAIM_BITS << CLAIM_BITS)) >> CLAIM_BITS;
      if (before > claimed[bucket]) claimed[bucket] = before;
    }
  }
  return true;
}

/* Only one writes into the control at a time: ./sluice limit takes its turn, too. */
static void lock_control(const struct job *job, short type) {
  struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_start = WRITERS_BYTE, .l_len = 1};
  fcntl(job->lock, F_OFD_SETLKW, &lock);
}

static unsigned place(const struct healing *healing, unsigned number) {
  return (healing->first + number) % LOOKS_MAX;
}

/* Remembers where tickets end, and forgets what is older than is needed. */
static void look(struct healing *healing, const struct stage_ticket tickets[STAGE_BUCKETS],
                 int64_t now) {
  while (healing->count == LOOKS_MAX ||
         (healing->count > 1 &&
          now - healing->looks[place(healing, 1)].at > STAGE_WAITER_DEAD_NANOS)) {
    healing->first = place(healing, 1);
    healing->count--;
  }
  unsigned last = place(healing, healing->count++);
  healing->looks[last].at = now;
  for (uint32_t bucket = 0; bucket < STAGE_BUCKETS; bucket++) {
    healing->looks[last].tickets[bucket] =
        atomic_load_explicit(&tickets[bucket].units, memory_order_relaxed);
  }
}

/*
 * A line is moved up to the first ticket that somebody stands behind. A thread that has just taken
 * its ticket is not in the list yet: it took it after one of the looks of the last second, beyond
 * where tickets ended then, and no line is moved beyond there either.
 */
static bool give_back(const struct job *job, const struct healing *healing,
                      const struct stage_ticket tickets[STAGE_BUCKETS],
                      const uint64_t claimed[STAGE_BUCKETS]) {
  bool moved = false;
  for (uint32_t bucket = 1; bucket < STAGE_BUCKETS; bucket++) {
    struct stage_line line;
    if (!stage_read_line(&job->control->buckets[bucket], &line) || line.unlimited) continue;
    int64_t now = stage_now_nanos();
    uint64_t reached = stage_line_at(&line, now);
    uint64_t last = atomic_load_explicit(&tickets[bucket].units, memory_order_relaxed);
    int64_t ghosts = (int64_t)(last - claimed[bucket] - reached);
    for (unsigned i = 0; i < healing->count; i++) {
      int64_t ended = (int64_t)(healing->looks[place(healing, i)].tickets[bucket] - reached);
      if (ended < ghosts) ghosts = ended;
    }
    if (ghosts <= 0) continue;
    publish_moved(job->control, bucket, (uint64_t)ghosts, now);
    moved = true;
  }
  return moved;
}

void heal(const struct job *job, struct healing *healing, int64_t now) {
  static struct stage_ticket tickets[STAGE_BUCKETS];
  uint64_t claimed[STAGE_BUCKETS] = {0};
  atomic_store_explicit(&job->control->heartbeat_nanos, now, memory_order_release);
  if (pread(job->state, tickets, sizeof tickets, offsetof(struct stage_state, tickets)) !=
      sizeof tickets) {
    return;
  }
  lock_control(job, F_WRLCK);
  if (!somebody_waits(job, tickets)) {
    healing->count = 0;
  } else {
    look(healing, tickets, now);
    if (now - healing->looks[healing->first].at > STAGE_WAITER_DEAD_NANOS &&
        find_claims(job, tickets, now, claimed) && give_back(job, healing, tickets, claimed)) {
      wake_waiters(job->control);
    }
  }
  lock_control(job, F_UNLCK);
}
