/*
 * Prints all that a program can tell of how it was started, but for the two variables that put it
 * under limits. The same program started in two ways must print the same.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static void print_bytes(const char *name, const char *text) {
  printf("%s", name);
  for (; *text != 0; text++) {
    if (*text > ' ' && *text < 0x7f && *text != '\\') {
      putchar(*text);
    } else {
      printf("\\%02x", (unsigned char)*text);
    }
  }
  putchar('\n');
}

static void print_descriptors(void) {
  DIR *all = opendir("/proc/self/fd");
  int numbers[1024];
  int count = 0;
  for (struct dirent *entry; (entry = readdir(all)) != NULL;) {
    int number = atoi(entry->d_name);
    if (entry->d_name[0] != '.' && number != dirfd(all)) numbers[count++] = number;
  }
  closedir(all);
  for (int i = 0; i < count; i++) {
    char path[64];
    char target[4096];
    snprintf(path, sizeof path, "/proc/self/fd/%d", numbers[i]);
    ssize_t length = readlink(path, target, sizeof target - 1);
    target[length < 0 ? 0 : length] = 0;
    printf("descriptor %d: flags %x, status %x, at %lld, ", numbers[i], fcntl(numbers[i], F_GETFD),
           fcntl(numbers[i], F_GETFL), (long long)lseek(numbers[i], 0, SEEK_CUR));
    print_bytes("", target);
  }
}

static void print_lines(const char *file, const char *const prefixes[]) {
  char line[4096];
  FILE *from = fopen(file, "r");
  while (from != NULL && fgets(line, sizeof line, from) != NULL) {
    for (int i = 0; prefixes[i] != NULL; i++) {
      if (strncmp(line, prefixes[i], strlen(prefixes[i])) == 0) fputs(line, stdout);
    }
  }
  if (from != NULL) fclose(from);
}

int main(int count, char *values[]) {
  static const char *const STATUS[] = {
      "Uid",    "Gid",    "Groups", "SigPnd", "ShdPnd", "SigBlk",  "SigIgn",       "SigCgt", "CapInh",
      "CapPrm", "CapEff", "CapBnd", "CapAmb", "NoNew",  "Seccomp", "Cpus_allowed", NULL};
  static const char *const ALL[] = {"", NULL};
  char here[4096];
  struct itimerval timer;
  mode_t mask = umask(0);
  pid_t own = getpid();
  const char *shell = getenv("SHELL_PROCESS");
  printf("process is %sthe shell's, of %d, in group %+d, session %+d, terminal's %d\n",
         shell != NULL && atoi(shell) == own ? "" : "not ", (int)getppid(), (int)(getpgrp() - own),
         (int)(getsid(0) - own), (int)tcgetpgrp(0));
  printf("umask %o, nice %d, scheduling %d, dumpable %d, parent's death %d, subreaper %d\n", mask,
         getpriority(PRIO_PROCESS, 0), sched_getscheduler(0), prctl(PR_GET_DUMPABLE),
         prctl(PR_GET_PDEATHSIG, &(int){0}), prctl(PR_GET_CHILD_SUBREAPER, &(int){0}));
  print_bytes("in ", getcwd(here, sizeof here) == NULL ? "" : here);
  for (int i = 0; i < count; i++) print_bytes("argument ", values[i]);
  for (char **next = environ; *next != NULL; next++) {
    if (strncmp(*next, "LD_PRELOAD=", 11) == 0 || strncmp(*next, "SLUICE_STAGE=", 13) == 0 ||
        strncmp(*next, "SHELL_PROCESS=", 14) == 0) {
      continue;
    }
    print_bytes("variable ", *next);
  }
  for (int which = ITIMER_REAL; which <= ITIMER_PROF; which++) {
    getitimer(which, &timer);
    printf("timer %d: %s\n", which, timer.it_value.tv_sec > 0 ? "set" : "none");
  }
  errno = 0;
  printf("child %d", (int)waitpid(-1, NULL, WNOHANG | __WALL));
  printf(" (%s)\n", strerror(errno));
  print_descriptors();
  print_lines("/proc/self/status", STATUS);
  print_lines("/proc/self/limits", ALL);
  print_lines("/proc/self/oom_score_adj", ALL);
  print_lines("/proc/self/cgroup", ALL);
  return 0;
}
