/*
 * What a call costs in processor time: the median over rounds, in nanoseconds.
 *
 *   call-cost DIRECTORY ROUNDS       prints a line "call nanoseconds" for each call
 *
 * Run with and without the preloaded library; the difference is what the library costs.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define CALLS_PER_ROUND 2000

static char path[4096];
static int fd;
static struct stat status;
static char byte;

static void call_fstat(void) { fstat(fd, &status); }

static void call_pread(void) {
  if (pread(fd, &byte, 1, 0) != 1) abort();
}

static void call_stat(void) { stat(path, &status); }

static void call_open_close(void) { close(open(path, O_RDONLY)); }

static double processor_nanos(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

int main(int count, char **arguments) {
  static const struct {
    const char *name;
    void (*call)(void);
  } calls[] = {{"fstat", call_fstat},
               {"pread", call_pread},
               {"stat", call_stat},
               {"open+close", call_open_close}};
  if (count != 3) return 2;
  int rounds = atoi(arguments[2]);
  snprintf(path, sizeof path, "%s/call-cost-file", arguments[1]);
  fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
  if (fd < 0 || write(fd, "x", 1) != 1) return 1;
  double *samples = calloc((size_t)rounds, sizeof *samples);
  for (unsigned k = 0; k < sizeof calls / sizeof *calls; k++) {
    for (int round = 0; round < rounds; round++) {
      double started = processor_nanos();
      for (int i = 0; i < CALLS_PER_ROUND; i++) calls[k].call();
      samples[round] = (processor_nanos() - started) / CALLS_PER_ROUND;
    }
    qsort(samples, (size_t)rounds, sizeof *samples, compare);
    printf("%s %.1f\n", calls[k].name, samples[rounds / 2]);
  }
  free(samples);
  unlink(path);
  return 0;
}
