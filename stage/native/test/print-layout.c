/* Prints the layout, one name and number a line, for comparison with what Java believes. */
#include <stdio.h>

#include "layout.h"

#define VALUE(name, value) printf("%s %llu\n", name, (unsigned long long)(value))

int main(void) {
  VALUE("CONTROL_MAGIC", STAGE_CONTROL_MAGIC);
  VALUE("STATE_MAGIC", STAGE_STATE_MAGIC);
  VALUE("VERSION", STAGE_VERSION);
  VALUE("CONTROL_BYTES", STAGE_CONTROL_BYTES);
  VALUE("STATE_BYTES", STAGE_STATE_BYTES);
  VALUE("BUCKETS", STAGE_BUCKETS);
  VALUE("SHARDS", STAGE_SHARDS);
  VALUE("WAITERS", STAGE_WAITERS);
  VALUE("RATE_SLOTS", STAGE_RATE_SLOTS);
  VALUE("MOUNTS_MAX", STAGE_MOUNTS_MAX);
  VALUE("MOUNT_TEXT_BYTES", STAGE_MOUNT_TEXT_BYTES);
  VALUE("UNIT_SHIFT", STAGE_UNIT_SHIFT);
  VALUE("RATE_SHIFT", STAGE_RATE_SHIFT);
  VALUE("UNLIMITED", STAGE_UNLIMITED);
  VALUE("WAITER_DEAD_NANOS", STAGE_WAITER_DEAD_NANOS);

  VALUE("HEADER_MAGIC", offsetof(struct stage_header, magic));
  VALUE("HEADER_VERSION", offsetof(struct stage_header, version));
  VALUE("HEADER_BYTES", offsetof(struct stage_header, bytes));
  VALUE("HEADER_TOKEN", offsetof(struct stage_header, token));
  VALUE("HEADER_OPERATIONS", offsetof(struct stage_header, operations));
  VALUE("HEADER_BUCKETS", offsetof(struct stage_header, buckets));
  VALUE("HEADER_SHARDS", offsetof(struct stage_header, shards));
  VALUE("HEADER_WAITERS", offsetof(struct stage_header, waiters));
  VALUE("HEADER_SIZE", sizeof(struct stage_header));

  VALUE("NEVER_STALE", STAGE_NEVER_STALE);
  VALUE("HEARTBEAT_NANOS", offsetof(struct stage_control, heartbeat_nanos));
  VALUE("STALE_AFTER_NANOS", offsetof(struct stage_control, stale_after_nanos));
  VALUE("CHANGE_EPOCH", offsetof(struct stage_control, change_epoch));
  VALUE("LEASE_EPOCH", offsetof(struct stage_control, lease_epoch));
  VALUE("CHANNELS", offsetof(struct stage_control, channels));
  VALUE("BUCKET_RATES", offsetof(struct stage_control, buckets));
  VALUE("BUCKET_RATES_SIZE", sizeof(struct stage_bucket_rates));
  VALUE("MOUNT_COUNT", offsetof(struct stage_control, mount_count));
  VALUE("MOUNT_TEXT_USED", offsetof(struct stage_control, mount_text_bytes));
  VALUE("MOUNT_TEXT", offsetof(struct stage_control, mount_text));

  VALUE("RATES_CURRENT", offsetof(struct stage_bucket_rates, current));
  VALUE("RATES_SLOTS", offsetof(struct stage_bucket_rates, slots));
  VALUE("SLOT_SIZE", sizeof(struct stage_rate_slot));
  VALUE("SLOT_FROM_NANOS", offsetof(struct stage_rate_slot, from_nanos));
  VALUE("SLOT_FROM_UNITS", offsetof(struct stage_rate_slot, from_units));
  VALUE("SLOT_RATE", offsetof(struct stage_rate_slot, rate));
  VALUE("SLOT_BURST_UNITS", offsetof(struct stage_rate_slot, burst_units));
  VALUE("SLOT_LEASE_TOKENS", offsetof(struct stage_rate_slot, lease_tokens));
  VALUE("SLOT_FLAGS", offsetof(struct stage_rate_slot, flags));
  VALUE("SLOT_PER_SECOND", offsetof(struct stage_rate_slot, per_second));

  VALUE("ATTACHED", offsetof(struct stage_state, attached));
  VALUE("ATTACH_FAILURES", offsetof(struct stage_state, attach_failures));
  VALUE("UNLISTED_NANOS", offsetof(struct stage_state, unlisted_nanos));
  VALUE("TICKETS", offsetof(struct stage_state, tickets));
  VALUE("TICKET_SIZE", sizeof(struct stage_ticket));
  VALUE("WAITER_SLOTS", offsetof(struct stage_state, waiters));
  VALUE("WAITER_SIZE", sizeof(struct stage_waiter));
  VALUE("WAITER_SEEN_NANOS", offsetof(struct stage_waiter, seen_nanos));
  VALUE("WAITER_BUCKET_COUNT", offsetof(struct stage_waiter, bucket_count));
  VALUE("WAITER_CLAIMS", offsetof(struct stage_waiter, claims));
  VALUE("COUNTERS", offsetof(struct stage_state, counters));
  VALUE("COUNTER_SHARD_SIZE", sizeof(struct stage_counter) * STAGE_OPERATIONS_MAX);
  VALUE("COUNTER_SIZE", sizeof(struct stage_counter));
  VALUE("COUNTER_CALLS", offsetof(struct stage_counter, calls));
  VALUE("COUNTER_BYTES", offsetof(struct stage_counter, bytes));
  VALUE("COUNTER_WAITS", offsetof(struct stage_counter, waits));
  VALUE("COUNTER_WAITED_NANOS", offsetof(struct stage_counter, waited_nanos));

#define OPERATION(name) VALUE("OPERATION_" #name, STAGE_##name);
  STAGE_OPERATIONS(OPERATION)
  return 0;
}
