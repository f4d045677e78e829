/*
 * Threads or processes that live for a few calls, one after the other, for a time; then prints how
 * many calls there were in a second.
 *
 *   churn KIND CALLS SECONDS SPAWNERS PATH
 *
 * KIND is threads, processes (which share the parent's program), programs (which are loaded anew) or
 * lasting (threads that live for the whole time; CALLS is how many processes have them). SPAWNERS work
 * side by side. The first half second does not count: what was saved up before is used then.
 */
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

#define WARM_SECONDS 0.5

static int calls;
static const char *path;
static double from, until;
static const char *kind;
static _Atomic uint64_t *done; /* shared by all processes */

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void call(void) {
  struct stat status;
  stat(path, &status);
  double at = now();
  if (at >= from && at < until) atomic_fetch_add(done, 1);
}

static void *live(void *unused) {
  for (int i = 0; i < calls; i++) call();
  return unused;
}

static void spawn_process(int spawner) {
  pid_t child = fork();
  if (child == 0) {
    if (strcmp(kind, "programs") == 0) {
      char number[16];
      snprintf(number, sizeof number, "%d", calls);
      execl("/proc/self/exe", "churn", number, path, (char *)NULL);
    }
    live(NULL);
    /* Both ways out. */
    if (spawner % 2 == 0) _exit(0);
    exit(0);
  }
  int status;
  waitpid(child, &status, 0);
  /* Another program has no memory of ours to count in. */
  if (strcmp(kind, "programs") == 0 && now() >= from && now() < until) {
    atomic_fetch_add(done, (uint64_t)calls);
  }
}

static void spawn(int spawner) {
  while (now() < until) {
    if (strcmp(kind, "threads") == 0) {
      pthread_t thread;
      pthread_create(&thread, NULL, live, NULL);
      pthread_join(thread, NULL);
    } else {
      spawn_process(spawner);
    }
  }
}

static void *last(void *unused) {
  while (now() < until) call();
  return unused;
}

int main(int count, char **arguments) {
  if (count == 3) {
    struct stat status;
    for (int i = atoi(arguments[1]); i > 0; i--) stat(arguments[2], &status);
    return 0;
  }
  if (count != 6) return 2;
  kind = arguments[1];
  calls = atoi(arguments[2]);
  path = arguments[5];
  from = now() + WARM_SECONDS;
  double seconds = atof(arguments[3]);
  until = from + seconds;
  int spawners = atoi(arguments[4]);
  int lasting = strcmp(kind, "lasting") == 0;
  done = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  for (int i = 0; i < (lasting ? calls : spawners); i++) {
    if (fork() != 0) continue;
    if (lasting) {
      pthread_t threads[256];
      for (int k = 0; k < spawners; k++) pthread_create(&threads[k], NULL, last, NULL);
      for (int k = 0; k < spawners; k++) pthread_join(threads[k], NULL);
    } else {
      spawn(i);
    }
    _exit(0);
  }
  while (wait(NULL) > 0) {
  }
  printf("%.0f\n", (double)atomic_load(done) / seconds);
  return 0;
}
