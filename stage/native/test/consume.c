/*
 * Makes the same call again and again, from several processes and threads, for a time; then prints
 * how many there were.
 *
 *   consume CALL PATH SECONDS PROCESSES THREADS [BYTES]
 *
 * CALL is stat, open, read or write; the last two move BYTES at a time.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char *call;
static const char *path;
static size_t bytes = 1;
static double until;
static _Atomic uint64_t *done; /* shared by all processes */

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void *consume(void *unused) {
  char *buffer = malloc(bytes);
  struct stat status;
  memset(buffer, 'x', bytes);
  int fd = open(path, O_RDWR);
  while (now() < until) {
    if (strcmp(call, "stat") == 0) {
      stat(path, &status);
    } else if (strcmp(call, "open") == 0) {
      close(open(path, O_RDONLY));
    } else if (strcmp(call, "read") == 0) {
      if (pread(fd, buffer, bytes, 0) < 0) break;
    } else if (pwrite(fd, buffer, bytes, 0) < 0) {
      break;
    }
    if (now() < until) atomic_fetch_add(done, 1);
  }
  close(fd);
  free(buffer);
  return unused;
}

int main(int count, char **arguments) {
  if (count < 6) return 2;
  call = arguments[1];
  path = arguments[2];
  until = now() + atof(arguments[3]);
  int processes = atoi(arguments[4]);
  int threads = atoi(arguments[5]);
  if (count > 6) bytes = (size_t)atol(arguments[6]);
  done = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  for (int i = 0; i < processes; i++) {
    if (fork() != 0) continue;
    pthread_t others[256];
    for (int k = 0; k < threads; k++) pthread_create(&others[k], NULL, consume, NULL);
    for (int k = 0; k < threads; k++) pthread_join(others[k], NULL);
    _exit(0);
  }
  while (wait(NULL) > 0) {
  }
  printf("%llu\n", (unsigned long long)atomic_load(done));
  return 0;
}
