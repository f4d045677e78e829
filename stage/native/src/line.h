/*
 * A bucket's line: how many units had been handed out at an instant, and when a ticket's turn
 * comes. Units wrap around; only differences count, and those are far below 2^63 (the agent sees to
 * it).
 */
#ifndef STAGE_LINE_H
#define STAGE_LINE_H

#include <stdbool.h>

#include "layout.h"

#define STAGE_NEVER (INT64_MAX / 2)

/* Whatever the file says, no lease is larger than this many tokens. */
#define STAGE_LEASE_TOKENS_MAX (UINT64_C(1) << 20)

struct stage_line {
  int64_t from_nanos;
  uint64_t from_units;
  uint64_t rate;
  uint64_t burst_units;
  uint64_t lease_tokens;
  bool unlimited;
};

/* Copies the line that holds; false when the agent writes faster than we read. */
static inline bool stage_read_line(struct stage_bucket_rates *rates, struct stage_line *line) {
  for (int attempt = 0; attempt < 16; attempt++) {
    uint64_t current = atomic_load_explicit(&rates->current, memory_order_acquire);
    struct stage_rate_slot *slot = &rates->slots[current % STAGE_RATE_SLOTS];
    /* Each load is ordered before the last one, which tells whether they belong together. */
    line->from_nanos = atomic_load_explicit(&slot->from_nanos, memory_order_acquire);
    line->from_units = atomic_load_explicit(&slot->from_units, memory_order_acquire);
    line->rate = atomic_load_explicit(&slot->rate, memory_order_acquire);
    line->burst_units = atomic_load_explicit(&slot->burst_units, memory_order_acquire);
    uint64_t lease = atomic_load_explicit(&slot->lease_tokens, memory_order_acquire);
    line->lease_tokens = lease > STAGE_LEASE_TOKENS_MAX ? STAGE_LEASE_TOKENS_MAX : lease;
    line->unlimited =
        (atomic_load_explicit(&slot->flags, memory_order_acquire) & STAGE_UNLIMITED) != 0;
    uint64_t after = atomic_load_explicit(&rates->current, memory_order_relaxed);
    /* As long as current has moved by less than this, nobody has begun to fill our slot again. */
    if (after - current < STAGE_RATE_SLOTS - 1) return true;
  }
  return false;
}

static inline uint64_t stage_line_at(const struct stage_line *line, int64_t now) {
  uint64_t passed = now > line->from_nanos ? (uint64_t)now - (uint64_t)line->from_nanos : 0;
  unsigned __int128 gained = (unsigned __int128)passed * line->rate;
  return line->from_units + (uint64_t)(gained >> STAGE_RATE_SHIFT);
}

/* The first instant at which the line has reached a ticket. */
static inline int64_t stage_line_reaches(const struct stage_line *line, uint64_t ticket) {
  int64_t missing = (int64_t)(ticket - line->from_units);
  if (missing <= 0) return line->from_nanos;
  if (line->rate == 0) return STAGE_NEVER;
  unsigned __int128 wanted = (unsigned __int128)(uint64_t)missing << STAGE_RATE_SHIFT;
  unsigned __int128 nanos = (wanted + line->rate - 1) / line->rate;
  if (nanos > (unsigned __int128)(INT64_MAX / 4)) return STAGE_NEVER;
  return (int64_t)((uint64_t)line->from_nanos + (uint64_t)nanos);
}

#endif
