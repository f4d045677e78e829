#include "clock.h"

#include <fcntl.h>
#include <stdbool.h>
#include <string.h>

int64_t stage_clock_offset;

#define NEAR_NANOS INT64_C(1000000000)

#define OFFSETS "/proc/self/timens_offsets"

/* A number, negative ones too, with blanks before it; what follows it. */
static const char *read_number(const char *text, int64_t *number) {
  while (*text == ' ') text++;
  bool negative = *text == '-';
  if (negative) text++;
  int64_t value = 0;
  while (*text >= '0' && *text <= '9' && value < INT64_MAX / 20) value = value * 10 + (*text++ - '0');
  *number = negative ? -value : value;
  return text;
}

/* Reads what the kernel says of this process's namespace. */
static void read_offset(void) {
  char text[256];
  long file = stage_system(SYS_openat, AT_FDCWD, (long)OFFSETS, O_RDONLY | O_CLOEXEC, 0, 0, 0);
  if (file < 0) return;
  long size = stage_system(SYS_read, file, (long)text, sizeof text - 1, 0, 0, 0);
  stage_system(SYS_close, file, 0, 0, 0, 0, 0);
  if (size <= 0) return;
  text[size] = 0;
  const char *at = strstr(text, "monotonic");
  if (at == NULL) return;
  int64_t seconds, nanos;
  at = read_number(at + strlen("monotonic"), &seconds);
  read_number(at, &nanos);
  /* More than centuries is nothing that a clock could be set to. */
  if (seconds > INT32_MAX || seconds < -(int64_t)INT32_MAX) return;
  stage_clock_offset = seconds * 1000000000 + nanos;
}

void stage_match_clock(struct stage_control *control) {
  int64_t beat = atomic_load_explicit(&control->heartbeat_nanos, memory_order_relaxed);
  int64_t now = stage_now_nanos();
  /* In nearly every process this is a good agent's last beat, and nothing needs to be asked. */
  if (beat > now || beat < now - NEAR_NANOS) read_offset();
}
