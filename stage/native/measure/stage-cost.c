/*
 * How many calls pass the stage alone when what is behind it does nothing (libnothing.so).
 *
 *   stage-cost PATH THREADS CALLS    prints millions of calls in a second of processor time
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static const char *path;
static long calls;

static void *run(void *unused) {
  for (long i = 0; i < calls; i++) open(path, O_RDONLY);
  return unused;
}

static double processor_seconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

int main(int count, char **arguments) {
  if (count != 4) return 2;
  path = arguments[1];
  int threads = atoi(arguments[2]);
  calls = atol(arguments[3]) / threads;
  pthread_t *others = calloc((size_t)threads, sizeof *others);
  double started = processor_seconds();
  for (int i = 0; i < threads; i++) pthread_create(&others[i], NULL, run, NULL);
  for (int i = 0; i < threads; i++) pthread_join(others[i], NULL);
  double used = processor_seconds() - started;
  printf("%.2f\n", (double)calls * threads / used / 1e6);
  free(others);
  return 0;
}
