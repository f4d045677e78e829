#include "processes.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "program.h"

#define SEEN_MAX 256
#define DESCENDANTS_MAX 4096
#define PIECE_BYTES 16384

/* What a process shows of itself. */
struct sight {
  bool in_job; /* by its environment */
  bool held;
  bool alone; /* held, without a share in what the others do */
  bool ring;
  bool memory; /* whether it has any: a dead one has none */
};

void begin_looking(struct processes *processes, const struct job *job) {
  static struct seen seen[SEEN_MAX];
  struct stat state;
  memset(processes, 0, sizeof *processes);
  processes->job = job;
  processes->seen = seen;
  if (fstat(job->state, &state) == 0) processes->inode = (uint64_t)state.st_ino;
}

static int open_of(pid_t process, const char *name) {
  char path[96];
  snprintf(path, sizeof path, "/proc/%d/%s", process, name);
  return open(path, O_RDONLY | O_CLOEXEC);
}

/* Calls with each piece of a process's file that ends at a separator; a longer one comes in
   parts. */
static void read_pieces(pid_t process, const char *name, char separator,
                        void (*use)(struct processes *, struct sight *, const char *, size_t),
                        struct processes *processes, struct sight *sight) {
  static char buffer[PIECE_BYTES + 1];
  size_t used = 0;
  int file = open_of(process, name);
  if (file < 0) return;
  for (ssize_t more; (more = read(file, buffer + used, PIECE_BYTES - used)) > 0;) {
    used += (size_t)more;
    char *end = memrchr(buffer, separator, used);
    size_t whole = end == NULL ? used : (size_t)(end - buffer) + 1;
    if (end == NULL && used < PIECE_BYTES) continue;
    for (char *piece = buffer; piece < buffer + whole;) {
      char *next = memchr(piece, separator, (size_t)(buffer + whole - piece));
      size_t length = next == NULL ? (size_t)(buffer + whole - piece) : (size_t)(next - piece);
      piece[length] = 0;
      use(processes, sight, piece, length);
      piece += length + 1;
    }
    memmove(buffer, buffer + whole, used - whole);
    used -= whole;
  }
  if (used > 0) {
    buffer[used] = 0;
    use(processes, sight, buffer, used);
  }
  close(file);
}

static void use_mapping(struct processes *processes, struct sight *sight, const char *line,
                        size_t length) {
  static const char NAME[] = "/state";
  uint64_t inode;
  char rights[8];
  sight->memory = true;
  /* Devices have other numbers here than elsewhere on some file systems. */
  if (length > sizeof NAME && strcmp(line + length + 1 - sizeof NAME, NAME) == 0 &&
      sscanf(line, "%*s %7s %*s %*s %" SCNu64, rights, &inode) == 2 && inode == processes->inode) {
    sight->held = true;
    sight->alone = strchr(rights, 's') == NULL;
  }
  sight->ring |= strstr(line, "[io_uring]") != NULL || strstr(line, " /[aio]") != NULL;
}

static void use_variable(struct processes *processes, struct sight *sight, const char *text,
                         size_t length) {
  static const char NAME[] = "SLUICE_STAGE=";
  char token[TOKEN_DIGITS + 2];
  if (length < sizeof NAME || strncmp(text, NAME, sizeof NAME - 1) != 0) return;
  snprintf(token, sizeof token, "%016" PRIx64 "@", processes->job->token);
  sight->in_job |= strstr(text, token) != NULL;
}

/* When a process began, in the system's ticks; its number alone may be another's by now. */
static uint64_t started_at(pid_t process) {
  char text[1024];
  uint64_t started = 0;
  int file = open_of(process, "stat");
  if (file < 0) return 0;
  ssize_t length = read(file, text, sizeof text - 1);
  close(file);
  if (length <= 0) return 0;
  text[length] = 0;
  /* The name, in brackets, may have anything in it. */
  char *rest = strrchr(text, ')');
  if (rest != NULL) {
    sscanf(rest + 1,
           " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %" SCNu64,
           &started);
  }
  return started;
}

static uint64_t program_of(pid_t process) {
  char path[64];
  struct stat status;
  snprintf(path, sizeof path, "/proc/%d/exe", process);
  return stat(path, &status) == 0 ? (uint64_t)status.st_ino : 0;
}

/* Launchers and monitors of other runs are none of the job's programs. */
static bool is_launcher(pid_t process) {
  static uint64_t own;
  if (own == 0) own = program_of(getpid());
  return program_of(process) == own;
}

static void name_program(struct not_held *found, pid_t process, const char *reason) {
  char path[64];
  char program[PATH_MAX];
  char text[NAME_BYTES];
  snprintf(path, sizeof path, "/proc/%d/exe", process);
  ssize_t length = readlink(path, program, sizeof program - 1);
  if (length <= 0) return;
  program[length] = 0;
  const char *name = strrchr(program, '/');
  snprintf(text, sizeof text, "%.30s (%s)", name == NULL ? program : name + 1, reason);
  for (unsigned i = 0; i < found->names_used && i < NAMED_MAX; i++) {
    if (strcmp(found->names[i], text) == 0) return;
  }
  if (found->names_used < NAMED_MAX) strcpy(found->names[found->names_used], text);
  found->names_used++;
}

static struct seen *find_seen(struct processes *processes, struct seen *now) {
  for (unsigned i = 0; i < processes->seen_count; i++) {
    struct seen *seen = &processes->seen[i];
    if (seen->process == now->process && seen->started == now->started &&
        seen->program == now->program) {
      return seen;
    }
  }
  if (processes->seen_count < SEEN_MAX) {
    processes->seen[processes->seen_count++] = *now;
  } else {
    processes->seen[(unsigned)now->process % SEEN_MAX] = *now;
  }
  return NULL;
}

/* One that is on its way from exec to the library's start is not held yet: unless its file says
   that it never will be, it has to be seen twice. */
static void note(struct processes *processes, pid_t process, const struct sight *sight) {
  struct seen now = {.process = process,
                     .started = started_at(process),
                     .program = program_of(process)};
  if (now.program == 0) return; /* It has ended. */
  struct seen *before = find_seen(processes, &now);
  struct seen *seen = before != NULL ? before : find_seen(processes, &now);
  if (seen == NULL) return;
  if (sight->ring && !seen->ring) {
    seen->ring = true;
    processes->found.rings++;
  }
  if (sight->alone && !seen->alone) {
    seen->alone = true;
    processes->found.alone++;
  }
  if (sight->held || seen->counted) return;
  const char *reason = why_process_not_held(process);
  if (reason == NULL && before == NULL) return;
  seen->counted = true;
  name_program(&processes->found, process, reason == NULL ? "without the library" : reason);
  processes->found.processes++;
}

/* Notes what is not held of a process. */
static void look_at(struct processes *processes, pid_t process) {
  struct sight sight = {0};
  if (is_launcher(process)) return;
  read_pieces(process, "maps", '\n', use_mapping, processes, &sight);
  if (!sight.memory) return; /* It has ended. */
  if (!sight.held || sight.ring || sight.alone) note(processes, process, &sight);
}

/* Adds the children of all threads of a process. */
static unsigned add_children(pid_t process, pid_t *all, unsigned count) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/task", process);
  DIR *threads = opendir(path);
  if (threads == NULL) return count;
  for (struct dirent *entry; (entry = readdir(threads)) != NULL;) {
    char name[48];
    char text[8192];
    if (entry->d_name[0] == '.') continue;
    snprintf(name, sizeof name, "task/%.20s/children", entry->d_name);
    int file = open_of(process, name);
    if (file < 0) continue;
    ssize_t length = read(file, text, sizeof text - 1);
    close(file);
    if (length <= 0) continue;
    text[length] = 0;
    char *rest = text;
    for (char *number; (number = strsep(&rest, " ")) != NULL && count < DESCENDANTS_MAX;) {
      if (number[0] != 0) all[count++] = (pid_t)strtol(number, NULL, 10);
    }
  }
  closedir(threads);
  return count;
}

void look_at_descendants(struct processes *processes, pid_t process) {
  static pid_t all[DESCENDANTS_MAX];
  unsigned count = 1;
  all[0] = process;
  for (unsigned i = 0; i < count; i++) {
    look_at(processes, all[i]);
    count = add_children(all[i], all, count);
  }
}

unsigned count_others(struct processes *processes) {
  unsigned count = 0;
  DIR *all = opendir("/proc");
  if (all == NULL) return 0;
  for (struct dirent *entry; (entry = readdir(all)) != NULL;) {
    if (entry->d_name[0] < '0' || entry->d_name[0] > '9') continue;
    struct sight sight = {0};
    pid_t process = (pid_t)strtol(entry->d_name, NULL, 10);
    read_pieces(process, "environ", 0, use_variable, processes, &sight);
    if (sight.in_job && !is_launcher(process)) count++;
  }
  closedir(all);
  return count;
}
