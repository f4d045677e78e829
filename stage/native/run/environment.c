#include "environment.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "../src/jobs.h"
#include "fail.h"

#define SYSTEM_LIBRARY "/usr/lib/sluice/" LIBRARY_NAME

static bool find_own_program(char path[PATH_MAX]) {
  ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);
  if (length <= 0) return false;
  path[length] = 0;
  return true;
}

bool find_library(char library[PATH_MAX], const char **reason) {
  static const char *const PLACES[] = {"", "../lib/sluice/"};
  char program[PATH_MAX];
  struct statvfs mounted;
  bool found = false;
  if (find_own_program(program)) {
    *strrchr(program, '/') = 0;
    for (size_t i = 0; i < 2 && !found; i++) {
      char place[2 * PATH_MAX];
      snprintf(place, sizeof place, "%s/%s" LIBRARY_NAME, program, PLACES[i]);
      found = realpath(place, library) != NULL;
    }
  }
  if (!found && access(SYSTEM_LIBRARY, R_OK) == 0) {
    strcpy(library, SYSTEM_LIBRARY);
    found = true;
  }
  *reason = NULL;
  if (!found) {
    *reason = LIBRARY_NAME " is not installed";
  } else if (strpbrk(library, ": \t\n") != NULL) {
    *reason = "the library's path has a blank or a colon";
  } else if (access(library, R_OK) != 0) {
    *reason = "the library cannot be read";
  } else if (statvfs(library, &mounted) == 0 && (mounted.f_flag & ST_NOEXEC) != 0) {
    *reason = "the library is where nothing may be executed";
  }
  return *reason == NULL;
}

/* Whether an entry of the variable is about a job's directory: its token may be another node's. */
static bool is_about(const char *entry, size_t length, const struct job *job) {
  size_t directory = strlen(job->directory);
  return length == TOKEN_DIGITS + 1 + directory &&
         strncmp(entry + TOKEN_DIGITS + 1, job->directory, directory) == 0;
}

static void refuse_more(uint32_t count) {
  fail(EXIT_BAD_INPUT, "%u limits are around this program already, one in another; expected fewer",
       count);
}

void check_room(void) {
  const char *outer = getenv(STAGE_VARIABLE);
  uint32_t count = outer == NULL || outer[0] == 0 ? 0 : 1;
  for (; outer != NULL && *outer != 0; outer++) count += *outer == ':';
  if (count >= STAGE_JOBS_MAX) refuse_more(count);
}

void enter_job(const struct job *job) {
  const char *outer = getenv(STAGE_VARIABLE);
  if (outer == NULL) outer = "";
  size_t room = strlen(outer) + strlen(job->directory) + TOKEN_DIGITS + 3;
  char *all = malloc(room);
  if (all == NULL) fail(EXIT_FAILED, "no memory");
  char *end = all;
  uint32_t count = 0;
  for (const char *next = outer; *next != 0;) {
    size_t length = strcspn(next, ":");
    if (length > 0 && !is_about(next, length, job)) {
      end = mempcpy(end, next, length);
      *end++ = ':';
      count++;
    }
    next += length + (next[length] != 0);
  }
  if (count >= STAGE_JOBS_MAX) refuse_more(count);
  snprintf(end, room - (size_t)(end - all), "%016" PRIx64 "@%s", job->token, job->directory);
  if (setenv(STAGE_VARIABLE, all, 1) != 0) fail(EXIT_FAILED, "no memory");
  free(all);
}

static bool is_ours(const char *library, size_t length) {
  size_t name = strlen(LIBRARY_NAME);
  return length >= name && strncmp(library + length - name, LIBRARY_NAME, name) == 0 &&
         (length == name || library[length - name - 1] == '/');
}

/* Whatever else is preloaded stays; ours twice would count every call twice. */
void preload(const char *library) {
  const char *before = getenv(PRELOAD_VARIABLE);
  if (before == NULL) before = "";
  char *all = malloc(strlen(library) + strlen(before) + 2);
  if (all == NULL) fail(EXIT_FAILED, "no memory");
  char *end = stpcpy(all, library);
  for (const char *next = before; *next != 0;) {
    size_t length = strcspn(next, ": ");
    if (length > 0 && !is_ours(next, length)) {
      *end++ = ':';
      end = mempcpy(end, next, length);
    }
    next += length + (next[length] != 0);
  }
  *end = 0;
  if (setenv(PRELOAD_VARIABLE, all, 1) != 0) fail(EXIT_FAILED, "no memory");
  free(all);
}

static void check_inside(void) {
  const char *stage = getenv(STAGE_VARIABLE);
  if (stage == NULL || stage[0] == 0) {
    fail(EXIT_FAILED, "no limits are around this: expected to be started by sluice-run, or --join");
  }
}

void print_environment(void) {
  check_inside();
  const char *library = getenv(PRELOAD_VARIABLE);
  printf("%s=%s\n%s=%s\n", PRELOAD_VARIABLE, library == NULL ? "" : library, STAGE_VARIABLE,
         getenv(STAGE_VARIABLE));
}

void print_binds(void) {
  check_inside();
  const char *library = getenv(PRELOAD_VARIABLE);
  for (const char *next = library == NULL ? "" : library; *next != 0;) {
    size_t length = strcspn(next, ": ");
    if (is_ours(next, length)) printf("%.*s\n", (int)length, next);
    next += length + (next[length] != 0);
  }
  for (const char *next = getenv(STAGE_VARIABLE); *next != 0;) {
    size_t length = strcspn(next, ":");
    const char *at = memchr(next, '@', length);
    if (at != NULL) printf("%.*s\n", (int)(next + length - at - 1), at + 1);
    next += length + (next[length] != 0);
  }
}
