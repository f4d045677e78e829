/*
 * Runs a program under limits on its file calls. It makes or joins a job's files, puts the library
 * in front, and becomes the program: nothing stands between that and whoever has started it.
 */
#include <errno.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../src/system.h"
#include "agent.h"
#include "environment.h"
#include "fail.h"
#include "files.h"
#include "limits.h"
#include "monitor.h"
#include "program.h"
#include "supervise.h"

#define AGENT_DIRECTORY "/run/sluice"
#define MOUNTS_MAX 256
#define LIMITS_BYTES 4096

enum {
  OPTION_JOB = 256,
  OPTION_MOUNT,
  OPTION_LIMIT,
  OPTION_DIRECTORY,
  OPTION_WATCH,
  OPTION_NOT_HELD,
  OPTION_SUPERVISE,
  OPTION_JOIN,
  OPTION_PRINT_ENV,
  OPTION_PRINT_BINDS,
  OPTION_CLASSES,
  OPTION_ADD,
  OPTION_REMOVE,
  OPTION_USER,
};

static const struct option OPTIONS[] = {
    {"job", required_argument, NULL, OPTION_JOB},
    {"mount", required_argument, NULL, OPTION_MOUNT},
    {"limit", required_argument, NULL, OPTION_LIMIT},
    {"directory", required_argument, NULL, OPTION_DIRECTORY},
    {"watch", no_argument, NULL, OPTION_WATCH},
    {"quiet", no_argument, NULL, 'q'},
    {"not-held", required_argument, NULL, OPTION_NOT_HELD},
    {"supervise", no_argument, NULL, OPTION_SUPERVISE},
    {"join", required_argument, NULL, OPTION_JOIN},
    {"print-env", no_argument, NULL, OPTION_PRINT_ENV},
    {"print-binds", no_argument, NULL, OPTION_PRINT_BINDS},
    {"classes", no_argument, NULL, OPTION_CLASSES},
    {"add", required_argument, NULL, OPTION_ADD},
    {"remove", required_argument, NULL, OPTION_REMOVE},
    {"user", required_argument, NULL, OPTION_USER},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

static const char HELP[] =
    "Usage: sluice-run [OPTION]... [--] PROGRAM [ARGUMENT]...\n"
    "\n"
    "Run a program under limits on its file calls; no daemon is needed. The program and all\n"
    "that it starts share the limits, for as long as any of it runs. When the program ends, a\n"
    "summary goes to standard error; everything else, its exit code too, is as without us.\n"
    "\n"
    "  --limit SCOPE=RATE[,...]  a limit; may be repeated\n"
    "  --mount DIR               count and limit only what is below it; may be repeated\n"
    "  --job ID                  what ./sluice limit calls it (default: run-PID)\n"
    "  --watch                   show what it does every second\n"
    "  -q, --quiet               print no summary\n"
    "  --not-held run|refuse     what to do with a program that the limits cannot hold, such as\n"
    "                            a static one: run it and say so (the default), or refuse\n"
    "  --supervise               hold static programs and those in Go, too: the system asks\n"
    "                            about every call, which takes microseconds; io_uring is\n"
    "                            refused, and nothing that is started gains rights\n"
    "  --join JOB                enter a job of this node's agent; --limit is then below its\n"
    "  --directory DIR           where jobs' files are (default: /run/sluice for root and for\n"
    "                            --join, a private directory for others)\n"
    "\n"
    "Inside a run, for containers:\n"
    "  --print-env               print the variables that have to be set in one\n"
    "  --print-binds             print the files that it must have, under their own names\n"
    "\n"
    "For a batch system's hooks, over the agent's socket:\n"
    "  --add JOB --user UID      have the agent look after a job; with --mount and --limit\n"
    "  --remove JOB              the job is over\n"
    "\n"
    "  --classes                 print which calls are in which scope\n"
    "  -h, --help                print this\n"
    "\n"
    "SCOPE is an operation (read, write, open, getattr, ...), a class (data, metadata,\n"
    "directory, extended-attribute) or all; RATE is 50/s, 0.5/s, 20kops/s or 200MB/s; 0/s\n"
    "pauses. ./sluice limit JOB SCOPE=RATE changes them while it runs.\n"
    "\n"
    "Exit codes: the program's; 127 it was not found, 126 it cannot be run or held; 2 the\n"
    "input was bad; 1 the job's files cannot be made.\n"
    "\n"
    "Example: sluice-run --mount /scratch --limit read=100MB/s,open=50/s tar cf a.tar dir\n";

struct arguments {
  const char *job;
  const char *join;
  const char *add;
  const char *remove;
  const char *directory;
  const char *mounts[MOUNTS_MAX];
  int mount_count;
  struct limits limits;
  char limits_text[LIMITS_BYTES];
  long user;
  bool refuse;
  bool watch;
  bool quiet;
  bool supervise;
  bool print_env;
  bool print_binds;
};

static void add_limits(struct arguments *arguments, const char *text) {
  size_t used = strlen(arguments->limits_text);
  parse_limits(text, &arguments->limits);
  if (used + strlen(text) + 2 > LIMITS_BYTES) fail(EXIT_BAD_INPUT, "--limit: too many limits");
  sprintf(arguments->limits_text + used, "%s%s", used == 0 ? "" : ",", text);
}

static void add_mount(struct arguments *arguments, const char *mount) {
  if (arguments->mount_count == MOUNTS_MAX) {
    fail(EXIT_BAD_INPUT, "--mount %s: expected at most %d", mount, MOUNTS_MAX);
  }
  arguments->mounts[arguments->mount_count++] = mount;
}

static bool parse_not_held(const char *text) {
  if (strcmp(text, "refuse") != 0 && strcmp(text, "run") != 0) {
    fail(EXIT_BAD_INPUT, "--not-held %s: expected run or refuse", text);
  }
  return strcmp(text, "refuse") == 0;
}

static long parse_user(const char *text) {
  char *end;
  errno = 0;
  long user = strtol(text, &end, 10);
  if (errno != 0 || *end != 0 || end == text || user < 0 || user > INT_MAX) {
    fail(EXIT_BAD_INPUT, "--user %s: expected a user's number", text);
  }
  return user;
}

static void parse(int count, char *values[], struct arguments *arguments) {
  arguments->user = -1;
  for (int option; (option = getopt_long(count, values, "+qh", OPTIONS, NULL)) != -1;) {
    switch (option) {
      case OPTION_JOB: arguments->job = optarg; break;
      case OPTION_MOUNT: add_mount(arguments, optarg); break;
      case OPTION_LIMIT: add_limits(arguments, optarg); break;
      case OPTION_DIRECTORY: arguments->directory = optarg; break;
      case OPTION_WATCH: arguments->watch = true; break;
      case OPTION_NOT_HELD: arguments->refuse = parse_not_held(optarg); break;
      case OPTION_SUPERVISE: arguments->supervise = true; break;
      case OPTION_JOIN: arguments->join = optarg; break;
      case OPTION_PRINT_ENV: arguments->print_env = true; break;
      case OPTION_PRINT_BINDS: arguments->print_binds = true; break;
      case OPTION_ADD: arguments->add = optarg; break;
      case OPTION_REMOVE: arguments->remove = optarg; break;
      case OPTION_USER: arguments->user = parse_user(optarg); break;
      case OPTION_CLASSES: print_classes(); exit(0);
      case 'q': arguments->quiet = true; break;
      case 'h': fputs(HELP, stdout); exit(0);
      default: exit(EXIT_BAD_INPUT); /* getopt_long has said why. */
    }
  }
}

/* As a path that holds wherever the program goes. */
static const char *absolute(const char *directory) {
  char here[PATH_MAX];
  char *path = NULL;
  if (directory[0] == '/') return directory;
  if (getcwd(here, sizeof here) == NULL || asprintf(&path, "%s/%s", here, directory) < 0) {
    fail(EXIT_FAILED, "--directory %s: %s", directory, strerror(errno));
  }
  return path;
}

static void join(const struct arguments *arguments) {
  struct job job;
  const char *base = arguments->directory == NULL ? AGENT_DIRECTORY : arguments->directory;
  if (!open_job(&job, base, arguments->join)) {
    fail(EXIT_FAILED, "--join %s: %s/control: %s", arguments->join, job.directory,
         errno == EINVAL ? "made by another version, or never finished" : strerror(errno));
  }
  enter_job(&job);
}

static void make(const struct arguments *arguments, struct job *job) {
  char base[PATH_MAX];
  find_own_directory(base);
  if (arguments->directory != NULL && arguments->join == NULL) {
    snprintf(base, sizeof base, "%s", arguments->directory);
  }
  if (!arguments->supervise) check_room();
  make_job(job, base, arguments->job, arguments->mounts, arguments->mount_count);
  publish_limits(job->control, &arguments->limits, stage_now_nanos());
  atomic_store_explicit(&job->control->header.magic, STAGE_CONTROL_MAGIC, memory_order_release);
  /* What the system asks about must not be counted by the library as well. */
  if (!arguments->supervise) enter_job(job);
}

static int exit_code(int error) { return error == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_EXECUTABLE; }

static bool has_own_limits(const struct arguments *arguments) {
  return arguments->join == NULL || arguments->supervise || arguments->limits_text[0] != 0 ||
         arguments->mount_count > 0 || arguments->job != NULL;
}

static void run(const struct arguments *arguments, char *program[], const char *library,
                const char *reason) {
  char path[PATH_MAX];
  struct job job;
  int monitor = -1;
  int error = find_program(program[0], path);
  if (error != 0) fail(exit_code(error), "%s: %s", program[0], strerror(error));
  if (arguments->supervise) reason = NULL;
  if (!arguments->supervise && reason == NULL) reason = why_not_held(path);
  if (reason != NULL) {
    if (arguments->refuse) {
      fail(EXIT_NOT_EXECUTABLE, "%s: cannot be held (%s), and --not-held is refuse", program[0],
           reason);
    }
    warn("%s: NOT HELD (%s): its calls are neither limited nor counted", program[0], reason);
  }
  if (has_own_limits(arguments)) {
    make(arguments, &job);
    monitor = start_monitor(&job, &(struct monitoring){.quiet = arguments->quiet,
                                                       .watch = arguments->watch,
                                                       .supervise = arguments->supervise,
                                                       .started = stage_now_nanos(),
                                                       .reason = reason});
  }
  if (library != NULL && !arguments->supervise) preload(library);
  if (arguments->supervise) hand_on(monitor, ask_about_calls());
  execvp(program[0], program);
  error = errno;
  if (monitor >= 0) call_off(monitor);
  fail(exit_code(error), "%s: %s", program[0], strerror(error));
}

int main(int count, char *values[]) {
  static struct arguments arguments;
  char library[PATH_MAX];
  const char *reason = NULL;
  parse(count, values, &arguments);
  if (arguments.directory != NULL) arguments.directory = absolute(arguments.directory);
  const char *agent = arguments.directory == NULL ? AGENT_DIRECTORY : arguments.directory;
  if (arguments.add != NULL) {
    if (arguments.user < 0) fail(EXIT_BAD_INPUT, "--add %s: expected --user UID", arguments.add);
    add_job(agent, arguments.add, (unsigned)arguments.user, arguments.mounts,
            arguments.mount_count, arguments.limits_text);
    return 0;
  }
  if (arguments.remove != NULL) {
    remove_job(agent, arguments.remove);
    return 0;
  }
  bool loadable = find_library(library, &reason);
  if (arguments.join != NULL) join(&arguments);
  if (arguments.print_env || arguments.print_binds) {
    if (loadable && arguments.join != NULL) preload(library);
    if (arguments.print_env) print_environment();
    if (arguments.print_binds) print_binds();
    return 0;
  }
  if (optind == count) fail(EXIT_BAD_INPUT, "expected a program to run; --help tells more");
  run(&arguments, values + optind, loadable ? library : NULL, reason);
}
