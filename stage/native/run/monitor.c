#include "monitor.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../src/system.h"
#include "fail.h"
#include "heal.h"
#include "processes.h"
#include "supervise.h"
#include "usage.h"

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif
#ifndef SYS_close_range
#define SYS_close_range 436
#endif

#define SECOND INT64_C(1000000000)
#define TICK_MILLIS 100
#define WATCH_NANOS SECOND
#define LOOK_NANOS SECOND
#define FIRST_LOOK_NANOS (SECOND / 5)

/* Looking at processes may take this part of our time and no more, however many there are. */
#define LOOK_SHARE 200

/* The first process of a job: the one that the user has started. */
struct first {
  pid_t process;
  int descriptor; /* becomes readable with its end; negative on systems that have no such thing */
};

static bool has_ended(const struct first *first) {
  return kill(first->process, 0) != 0 && errno == ESRCH;
}

/* Waits until the first process ends, but for no longer than a tick; whether it has. */
static bool await_end(const struct first *first) {
  struct pollfd end = {.fd = first->descriptor, .events = POLLIN};
  int ready = poll(&end, 1, TICK_MILLIS);
  return first->descriptor < 0 ? has_ended(first) : ready > 0;
}

/* Nothing of the program's is kept: a pipe must end where its last writer ends. */
static void let_go(int keep_from, const int *kept, int count) {
  int next = keep_from;
  for (int i = 0; i < count; i++) {
    if (kept[i] > next && syscall(SYS_close_range, next, kept[i] - 1, 0) != 0) {
      for (int k = next; k < kept[i]; k++) close(k);
    }
    next = kept[i] + 1;
  }
  if (syscall(SYS_close_range, next, ~0u, 0) != 0) {
    long last = sysconf(_SC_OPEN_MAX);
    for (int k = next; k < last; k++) close(k);
  }
}

static int compare(const void *one, const void *other) {
  return *(const int *)one - *(const int *)other;
}

static void become_monitor(const struct job *job, const struct first *first, int told, bool quiet) {
  int kept[] = {job->lock, job->state, first->descriptor, told, quiet ? -1 : STDERR_FILENO};
  int count = sizeof kept / sizeof kept[0];
  sigset_t all;
  /* Whoever ends the program by a signal to all would end us too soon; we end with it anyway. */
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, NULL);
  setsid();
  prctl(PR_SET_NAME, "sluice-monitor");
  if (chdir("/") != 0) return; /* The root is always there. */
  qsort(kept, (size_t)count, sizeof kept[0], compare);
  int from = 0;
  while (kept[from] < 0) from++;
  let_go(0, kept + from, count - from);
}

/* Whether the program was started: the descriptor is closed by exec, or with the process. */
static bool was_started(int told) {
  char word;
  return recv(told, &word, 1, 0) == 0;
}

void call_off(int monitor) { send(monitor, "", 1, MSG_NOSIGNAL); }

/* Room for what goes along with a message: one descriptor. */
union passed {
  struct cmsghdr header;
  char room[CMSG_SPACE(sizeof(int))];
};

void hand_on(int monitor, int listener) {
  union passed passed = {.header = {.cmsg_len = CMSG_LEN(sizeof listener),
                                    .cmsg_level = SOL_SOCKET,
                                    .cmsg_type = SCM_RIGHTS}};
  struct iovec word = {"", 1};
  struct msghdr message = {.msg_iov = &word,
                           .msg_iovlen = 1,
                           .msg_control = &passed,
                           .msg_controllen = sizeof passed};
  memcpy(CMSG_DATA(&passed.header), &listener, sizeof listener);
  if (sendmsg(monitor, &message, MSG_NOSIGNAL) != 1) {
    fail(EXIT_FAILED, "--supervise: the monitor is gone");
  }
}

static int take_over(int told) {
  union passed passed;
  char word;
  struct iovec words = {&word, 1};
  struct msghdr message = {.msg_iov = &words,
                           .msg_iovlen = 1,
                           .msg_control = &passed,
                           .msg_controllen = sizeof passed};
  int listener;
  if (recvmsg(told, &message, MSG_CMSG_CLOEXEC) != 1 || message.msg_controllen == 0) return -1;
  memcpy(&listener, CMSG_DATA(&passed.header), sizeof listener);
  return listener;
}

/* Stays as long as anything runs of the job. */
static void linger(const struct job *job, struct processes *processes) {
  struct healing healing = {0};
  int64_t look_at_nanos = 0;
  for (;;) {
    int64_t now = stage_now_nanos();
    if (now >= look_at_nanos && is_unused(job->state)) {
      if (count_others(processes) == 0) return;
      int64_t after = stage_now_nanos();
      look_at_nanos = after + LOOK_SHARE * (after - now);
    }
    heal(job, &healing, now);
    poll(NULL, 0, TICK_MILLIS);
  }
}

/* Shows once a second what is done. */
static void watch(const struct job *job, const struct monitoring *monitoring, int64_t now) {
  static struct usage before;
  static int64_t watched;
  struct usage used;
  if (watched == 0) watched = monitoring->started;
  if (!monitoring->watch || now - watched < WATCH_NANOS) return;
  read_usage(job, &used);
  print_rates(STDERR_FILENO, job, &used, &before, (uint64_t)(now - watched));
  before = used;
  watched = now;
}

static void sum_up(const struct job *job, const struct monitoring *monitoring,
                   const struct not_held *not_held) {
  struct usage used;
  int64_t ended = stage_now_nanos();
  if (monitoring->watch) clear_rates(STDERR_FILENO);
  if (monitoring->quiet) return;
  read_usage(job, &used);
  print_summary(STDERR_FILENO, job, &used, (uint64_t)(ended - monitoring->started), not_held,
                monitoring->reason);
}

/* Answers for every call of the job, until nobody is left to ask. */
static void monitor_by_asking(const struct job *job, const struct first *first, int told,
                              const struct monitoring *monitoring) {
  static const struct not_held NOTHING;
  int listener = take_over(told);
  if (listener < 0) return;
  struct supervision *supervision = begin_supervision(job, listener);
  struct pollfd started = {.fd = told, .events = POLLIN};
  bool running = true;
  bool called_off = false;
  while (supervise(supervision, started.fd, running ? first->descriptor : -1)) {
    if (started.fd >= 0 && poll(&started, 1, 0) > 0) {
      called_off = !was_started(started.fd);
      started.fd = -1;
    }
    watch(job, monitoring, stage_now_nanos());
    struct pollfd end = {.fd = first->descriptor, .events = POLLIN};
    if (running && poll(&end, 1, 0) > 0) {
      running = false;
      if (!called_off) sum_up(job, monitoring, &NOTHING);
      close(STDERR_FILENO);
    }
  }
  if (running && !called_off) sum_up(job, monitoring, &NOTHING);
}

static void monitor(const struct job *job, const struct first *first,
                    const struct monitoring *monitoring) {
  struct processes processes;
  struct healing healing = {0};
  int64_t look_at_nanos = monitoring->started + FIRST_LOOK_NANOS;
  begin_looking(&processes, job);
  while (!await_end(first)) {
    int64_t now = stage_now_nanos();
    heal(job, &healing, now);
    if (now >= look_at_nanos) {
      look_at_descendants(&processes, first->process);
      int64_t after = stage_now_nanos();
      look_at_nanos = after + LOOK_NANOS + LOOK_SHARE * (after - now);
    }
    watch(job, monitoring, now);
  }
  sum_up(job, monitoring, &processes.found);
  bool others = !is_unused(job->state) || count_others(&processes) > 0;
  if (others && !monitoring->quiet) {
    warn("job %s: processes that it has started go on, and stay under its limits", job->id);
  }
  /* Whoever reads what the program has said must not wait for what goes on without it. */
  close(STDERR_FILENO);
  if (others) linger(job, &processes);
}

/* A child whose end nobody is told of, unlike fork's: the program must not find a signal waiting
   that it has not caused. */
static pid_t fork_silently(void) { return (pid_t)syscall(SYS_clone, 0, 0, 0, 0, 0); }

int start_monitor(const struct job *job, const struct monitoring *monitoring) {
  int tell[2];
  int status = -1;
  struct first first = {.process = getpid()};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, tell) != 0) {
    fail(EXIT_FAILED, "no monitor can be started: %s", strerror(errno));
  }
  for (int i = 0; i < 2; i++) tell[i] = keep_descriptor(tell[i]);
  first.descriptor = keep_descriptor((int)syscall(SYS_pidfd_open, first.process, 0));
  pid_t child = fork_silently();
  if (child == 0) {
    /* Twice, so that the monitor is not a child of the program's. */
    pid_t grandchild = fork_silently();
    if (grandchild != 0) _exit(grandchild < 0);
    become_monitor(job, &first, tell[0], monitoring->quiet);
    if (monitoring->supervise) {
      monitor_by_asking(job, &first, tell[0], monitoring);
    } else if (was_started(tell[0])) {
      close(tell[0]);
      monitor(job, &first, monitoring);
    }
    delete_job(job);
    sweep_beside(job);
    _exit(0);
  }
  int error = errno;
  close(tell[0]);
  if (child > 0 && waitpid(child, &status, __WALL) < 0) status = -1;
  if (status != 0) {
    delete_job(job);
    fail(EXIT_FAILED, "no monitor can be started: %s", strerror(child < 0 ? error : EAGAIN));
  }
  if (first.descriptor >= 0) close(first.descriptor);
  return tell[1];
}
