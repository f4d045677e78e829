/*
 * What the preloaded library adds to a call, in nanoseconds of processor time.
 *
 *   call-cost DIRECTORY ROUNDS       prints a line "call bare added" for each call
 *
 * Run with the library preloaded. A round makes the same calls twice, as the program is linked, so
 * through the library, and straight into the C library; which goes first alternates. A kernel's own
 * time for a call wanders by more than the library costs, but little from one half of a round to the
 * other: the median of the differences is what is added.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define CALLS_PER_HALF 200

struct calls {
  int (*open)(const char *, int, ...);
  int (*close)(int);
  int (*stat)(const char *, struct stat *);
  int (*fstat)(int, struct stat *);
  ssize_t (*pread)(int, void *, size_t, off_t);
};

static char path[4096];
static int fd;
static struct stat status;
static char byte;

static void call_fstat(const struct calls *through) { through->fstat(fd, &status); }

static void call_pread(const struct calls *through) {
  if (through->pread(fd, &byte, 1, 0) != 1) abort();
}

static void call_stat(const struct calls *through) { through->stat(path, &status); }

static void call_open_close(const struct calls *through) {
  through->close(through->open(path, O_RDONLY));
}

static void call_open_pread_close(const struct calls *through) {
  int opened = through->open(path, O_RDONLY);
  if (through->pread(opened, &byte, 1, 0) != 1) abort();
  through->close(opened);
}

static double processor_nanos(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

/* What one call costs, of as many as half a round makes. */
static double cost(void (*call)(const struct calls *), const struct calls *through) {
  double started = processor_nanos();
  for (int i = 0; i < CALLS_PER_HALF; i++) call(through);
  return (processor_nanos() - started) / CALLS_PER_HALF;
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(double *samples, int count) {
  qsort(samples, (size_t)count, sizeof *samples, compare);
  return samples[count / 2];
}

int main(int count, char **arguments) {
  static const struct {
    const char *name;
    void (*call)(const struct calls *);
  } measured[] = {{"fstat", call_fstat},
                  {"pread", call_pread},
                  {"stat", call_stat},
                  {"open+close", call_open_close},
                  {"open+pread+close", call_open_pread_close}};
  if (count != 3) return 2;
  int rounds = atoi(arguments[2]);
  void *library = dlopen("libc.so.6", RTLD_NOW | RTLD_NOLOAD);
  if (rounds < 1 || library == NULL) return 2;
  const struct calls linked = {open, close, stat, fstat, pread};
  struct calls bare;
  *(void **)&bare.open = dlsym(library, "open");
  *(void **)&bare.close = dlsym(library, "close");
  *(void **)&bare.stat = dlsym(library, "stat");
  *(void **)&bare.fstat = dlsym(library, "fstat");
  *(void **)&bare.pread = dlsym(library, "pread");

  snprintf(path, sizeof path, "%s/call-cost-file", arguments[1]);
  fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
  if (fd < 0 || write(fd, "x", 1) != 1) return 1;
  double *without = calloc((size_t)rounds, sizeof *without);
  double *added = calloc((size_t)rounds, sizeof *added);
  for (unsigned k = 0; k < sizeof measured / sizeof *measured; k++) {
    for (int round = 0; round < rounds; round++) {
      int bare_first = round % 2;
      double first = cost(measured[k].call, bare_first ? &bare : &linked);
      double second = cost(measured[k].call, bare_first ? &linked : &bare);
      without[round] = bare_first ? first : second;
      added[round] = bare_first ? second - first : first - second;
    }
    printf("%s %.1f %.1f\n", measured[k].name, median(without, rounds), median(added, rounds));
  }
  free(without);
  free(added);
  unlink(path);
  return 0;
}
