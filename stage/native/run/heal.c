#include "heal.h"

#include "../src/system.h"

void heal(const struct job *job, struct healing *healing, int64_t now) {
  (void)healing;
  atomic_store_explicit(&job->control->heartbeat_nanos, now, memory_order_release);
}
