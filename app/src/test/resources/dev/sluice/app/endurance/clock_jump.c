/*
 * The time of day, so many seconds off as the file says that CLOCK_OFFSET_FILE names: what a process
 * sees when somebody sets its machine's clock.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile const int64_t *offset;

__attribute__((constructor)) static void begin(void) {
  const char *name = getenv("CLOCK_OFFSET_FILE");
  int file = name ? open(name, O_RDONLY | O_CLOEXEC) : -1;
  if (file < 0) {
    return;
  }
  void *seen = mmap(NULL, sizeof(int64_t), PROT_READ, MAP_SHARED, file, 0);
  if (seen != MAP_FAILED) {
    offset = seen;
  }
  close(file);
}

static int64_t seconds_off(void) { return offset ? *offset : 0; }

int clock_gettime(clockid_t clock, struct timespec *now) {
  int answer = (int)syscall(SYS_clock_gettime, clock, now);
  if (answer == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
    now->tv_sec += seconds_off();
  }
  return answer;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  (void)zone;
  struct timespec time_of_day;
  clock_gettime(CLOCK_REALTIME, &time_of_day);
  now->tv_sec = time_of_day.tv_sec;
  now->tv_usec = time_of_day.tv_nsec / 1000;
  return 0;
}

time_t time(time_t *now) {
  struct timespec time_of_day;
  clock_gettime(CLOCK_REALTIME, &time_of_day);
  if (now) {
    *now = time_of_day.tv_sec;
  }
  return time_of_day.tv_sec;
}
