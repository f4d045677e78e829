/*
 * Runs a program under one limit, without an agent.
 *
 *   limited DIRECTORY MOUNT OPERATION RATE PROGRAM...
 *
 * Calls of the operation (its name in the layout) below the mount point are limited to the rate; 0
 * is none at all, and "none" only counts. The library is the one in LD_PRELOAD. Where this is itself run
 * within a job, its program is one of both.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fixture.h"

#define BURST_SECONDS 0.02
#define LEASE_SECONDS 0.0005
#define BEAT_MICROS 50000

static const char *const names[] = {
#define NAME(name) #name,
    STAGE_OPERATIONS(NAME)
#undef NAME
};

int main(int count, char **arguments) {
  static struct fixture fixture;
  if (count < 6) return 2;
  fixture_create(&fixture, arguments[1], arguments[2]);
  for (int i = 0; i < STAGE_OPERATION_COUNT; i++) {
    if (strcmp(names[i], arguments[3]) == 0) atomic_store(&fixture.control->channels[i], 1);
  }
  if (strcmp(arguments[4], "none") != 0) {
    double rate = atof(arguments[4]);
    double lease = rate * LEASE_SECONDS;
    fixture_limit(&fixture, 1, rate, rate * BURST_SECONDS > 1 ? rate * BURST_SECONDS : 1,
                  lease > 1 ? (uint64_t)lease : 1);
  }
  pid_t child = fork();
  if (child == 0) {
    char jobs[8192];
    const char *outer = getenv("SLUICE_STAGE");
    snprintf(jobs, sizeof jobs, "%s%s%016llx@%s", outer == NULL ? "" : outer,
             outer == NULL ? "" : ":", (unsigned long long)fixture.control->header.token,
             arguments[1]);
    setenv("SLUICE_STAGE", jobs, 1);
    execvp(arguments[5], arguments + 5);
    _exit(127);
  }
  int status = 0;
  while (waitpid(child, &status, WNOHANG) == 0) {
    fixture_beat(&fixture);
    usleep(BEAT_MICROS);
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
