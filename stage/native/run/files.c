#include "files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../src/jobs.h"
#include "../src/system.h"
#include "fail.h"
#include "limits.h"

#define NAME_BYTES_MAX 240
#define WALK_THROUGH 0711

/* The header of a control file and what follows it. */
#define HEAD_WORDS 16

/* The first byte of the lock says that somebody looks after the job; the second is for whoever
   writes into its control. */
#define LOOKED_AFTER 0

int keep_descriptor(int descriptor) {
  if (descriptor < 0 || descriptor > STDERR_FILENO) return descriptor;
  int kept = fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  int error = errno;
  close(descriptor);
  errno = error;
  return kept;
}

/* Whether this is a directory, no link to one, and ours: whoever owns it could put anything in. */
static bool is_own_directory(const char *path) {
  struct stat status;
  return lstat(path, &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == geteuid();
}

void find_own_directory(char directory[PATH_MAX]) {
  const char *runtime = getenv("XDG_RUNTIME_DIR");
  /* Who is root in a user namespace of his own has no right to the node's directory. */
  if (geteuid() == 0 && is_own_directory("/run")) {
    snprintf(directory, PATH_MAX, "/run/sluice");
  } else if (runtime != NULL && runtime[0] == '/' && is_own_directory(runtime)) {
    snprintf(directory, PATH_MAX, "%s/sluice", runtime);
  } else {
    snprintf(directory, PATH_MAX, "/tmp/sluice-%u", (unsigned)geteuid());
  }
}

/* A file name for any id: what is no letter, digit, dash, dot or underscore goes by number. */
static bool encode(const char *id, char name[NAME_BYTES_MAX + 4]) {
  size_t used = 0;
  for (const unsigned char *next = (const unsigned char *)id; *next != 0; next++) {
    bool plain = (*next >= 'a' && *next <= 'z') || (*next >= 'A' && *next <= 'Z') ||
                 (*next >= '0' && *next <= '9') || *next == '-' || *next == '_' ||
                 (*next == '.' && used > 0);
    if (*next < ' ' || *next == 0x7f || used + 3 > NAME_BYTES_MAX) return false;
    used += (size_t)sprintf(name + used, plain ? "%c" : "%%%02X", *next);
  }
  name[used] = 0;
  return used > 0;
}

void name_job(struct job *job, const char *base, const char *id) {
  char name[NAME_BYTES_MAX + 4];
  if (strlen(id) >= sizeof job->id || !encode(id, name)) {
    fail(EXIT_BAD_INPUT,
         "--job \"%s\": expected a job id of 1 to %d bytes, without control characters", id,
         NAME_BYTES_MAX);
  }
  if (strchr(base, ':') != NULL || base[0] != '/') {
    fail(EXIT_BAD_INPUT, "--directory %s: expected an absolute path without a colon", base);
  }
  memset(job, 0, sizeof *job);
  strcpy(job->id, id);
  int length = snprintf(job->directory, sizeof job->directory, "%s/jobs/%s", base, name);
  if (length + 16 > (int)sizeof job->directory) {
    fail(EXIT_BAD_INPUT, "--directory %s: too long a path", base);
  }
}

static void make_directory(const char *path) {
  if (mkdir(path, WALK_THROUGH) != 0 && errno != EEXIST) {
    fail(EXIT_FAILED, "%s: cannot be made: %s; --directory names another place", path,
         strerror(errno));
  }
  if (!is_own_directory(path)) {
    fail(EXIT_FAILED, "%s: expected a directory of our own; --directory names another place", path);
  }
  chmod(path, WALK_THROUGH); /* Whatever the mask took away. */
}

static void path_in(const struct job *job, const char *name, char path[PATH_MAX]) {
  snprintf(path, PATH_MAX, "%.*s/%s", PATH_MAX - 16, job->directory, name);
}

/* Takes the lock; false when somebody else has it. Inherited by the monitor, as the lock of a
   process would not be. */
static bool take_lock(struct job *job) {
  char path[PATH_MAX];
  path_in(job, "lock", path);
  job->lock = keep_descriptor(open(path, O_CREAT | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (job->lock < 0) fail(EXIT_FAILED, "%s: %s", path, strerror(errno));
  struct flock lock = {
      .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = LOOKED_AFTER, .l_len = 1};
  if (fcntl(job->lock, F_OFD_SETLK, &lock) == 0) return true;
  close(job->lock);
  return false;
}

void delete_job(const struct job *job) {
  static const char *const NAMES[] = {"control", "state", "user", "lock"};
  char path[PATH_MAX];
  for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++) {
    path_in(job, NAMES[i], path);
    unlink(path);
  }
  rmdir(job->directory);
}

/* A new file of zeros, with room for all of them: who writes to it must not find the disk full. */
static void *make_file(const struct job *job, const char *name, uint32_t bytes) {
  char path[PATH_MAX];
  path_in(job, name, path);
  unlink(path);
  int file = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
  if (file < 0 || ftruncate(file, bytes) != 0 ||
      (fallocate(file, 0, 0, bytes) != 0 && errno != EOPNOTSUPP)) {
    fail(EXIT_FAILED, "%s: cannot be made: %s", path, strerror(errno));
  }
  void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (memory == MAP_FAILED) fail(EXIT_FAILED, "%s: %s", path, strerror(errno));
  close(file);
  return memory;
}

static void fill_header(struct stage_header *header, uint32_t bytes, uint64_t token) {
  header->version = STAGE_VERSION;
  header->bytes = bytes;
  header->token = token;
  header->operations = STAGE_OPERATION_COUNT;
  header->buckets = STAGE_BUCKETS;
  header->shards = STAGE_SHARDS;
  header->waiters = STAGE_WAITERS;
}

static void add_mount(struct stage_control *control, const char *path) {
  size_t length = strcmp(path, "/") == 0 ? 0 : strlen(path);
  if (control->mount_count == STAGE_MOUNTS_MAX ||
      control->mount_text_bytes + length + 1 > STAGE_MOUNT_TEXT_BYTES) {
    fail(EXIT_BAD_INPUT, "--mount %s: expected at most %u of together at most %u bytes", path,
         STAGE_MOUNTS_MAX, STAGE_MOUNT_TEXT_BYTES);
  }
  memcpy(control->mount_text + control->mount_text_bytes, path, length);
  control->mount_text_bytes += (uint32_t)length + 1;
  control->mount_count++;
}

void normalize_path(const char *start, const char *path, char normal[PATH_MAX]) {
  char given[2 * PATH_MAX];
  size_t used = 0;
  snprintf(given, sizeof given, "%s/%s", path[0] == '/' ? "" : start, path);
  char *rest = given;
  for (char *part; (part = strsep(&rest, "/")) != NULL;) {
    if (part[0] == 0 || strcmp(part, ".") == 0) continue;
    if (strcmp(part, "..") == 0) {
      while (used > 0 && normal[--used] != '/') continue;
      continue;
    }
    if (used + strlen(part) + 2 > PATH_MAX) break;
    used += (size_t)sprintf(normal + used, "/%s", part);
  }
  strcpy(normal + used, used == 0 ? "/" : "");
}

/* Under the name that was given and, where a link is on the way, under the real one: programs may
   use either. */
static void add_mounts(struct stage_control *control, const char *const mounts[], int count) {
  char here[PATH_MAX];
  char normal[PATH_MAX];
  char real[PATH_MAX];
  if (getcwd(here, sizeof here) == NULL) strcpy(here, "/");
  if (count == 0) add_mount(control, "/");
  for (int i = 0; i < count; i++) {
    if (realpath(mounts[i], real) == NULL) {
      fail(EXIT_BAD_INPUT, "--mount %s: expected a directory that is there", mounts[i]);
    }
    normalize_path(here, mounts[i], normal);
    add_mount(control, normal);
    if (strcmp(normal, real) != 0) add_mount(control, real);
  }
}

static void write_user(const struct job *job) {
  char path[PATH_MAX];
  path_in(job, "user", path);
  int file = open(path, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);
  if (file < 0 || dprintf(file, "%u", (unsigned)geteuid()) < 0) {
    fail(EXIT_FAILED, "%s: %s", path, strerror(errno));
  }
  close(file);
}

static void fill_job(struct job *job, const char *const mounts[], int mount_count) {
  char path[PATH_MAX];
  int64_t now = stage_now_nanos();
  if (getrandom(&job->token, sizeof job->token, 0) != sizeof job->token) {
    fail(EXIT_FAILED, "no random number: %s", strerror(errno));
  }
  struct stage_state *state = make_file(job, "state", STAGE_STATE_BYTES);
  fill_header(&state->header, STAGE_STATE_BYTES, job->token);
  atomic_store_explicit(&state->header.magic, STAGE_STATE_MAGIC, memory_order_release);
  munmap(state, STAGE_STATE_BYTES);
  path_in(job, "state", path);
  job->state = keep_descriptor(open(path, O_RDONLY | O_CLOEXEC));
  if (job->state < 0) fail(EXIT_FAILED, "%s: %s", path, strerror(errno));

  struct stage_control *control = make_file(job, "control", STAGE_CONTROL_BYTES);
  job->control = control;
  fill_header(&control->header, STAGE_CONTROL_BYTES, job->token);
  /* The file holds the limits by itself, whatever becomes of us. */
  atomic_store_explicit(&control->stale_after_nanos, STAGE_NEVER_STALE, memory_order_relaxed);
  atomic_store_explicit(&control->heartbeat_nanos, now, memory_order_relaxed);
  atomic_store_explicit(&control->lease_epoch, 1, memory_order_relaxed);
  add_mounts(control, mounts, mount_count);
  publish_no_limits(control, now);
  write_user(job);
}

/* A job of its own for this process: another one where it runs a run. */
static void take_run(struct job *job, const char *base) {
  for (uint32_t number = 1; number <= STAGE_JOBS_MAX; number++) {
    char id[48];
    snprintf(id, sizeof id, number == 1 ? "run-%d" : "run-%d-%u", (int)getpid(), number);
    name_job(job, base, id);
    make_directory(job->directory);
    if (take_lock(job)) return;
  }
  fail(EXIT_BAD_INPUT, "--job: this process has %u runs already", STAGE_JOBS_MAX);
}

/* What has been begun, and must not be left behind when the program ends. */
static const struct job *unfinished;

static void delete_unfinished(void) {
  if (unfinished != NULL) delete_job(unfinished);
}

void make_job(struct job *job, const char *base, const char *id, const char *const mounts[],
              int mount_count) {
  char jobs[PATH_MAX];
  struct rlimit size;
  name_job(job, base, id == NULL ? "run" : id);
  make_directory(base);
  snprintf(jobs, sizeof jobs, "%.*s/jobs", PATH_MAX - 16, base);
  make_directory(jobs);
  if (id != NULL) {
    make_directory(job->directory);
    if (!take_lock(job)) fail(EXIT_BAD_INPUT, "--job %s: is looked after already", id);
  } else {
    take_run(job, base);
  }
  unfinished = job;
  atexit(delete_unfinished);
  /* The program's limit on the size of files is not meant for ours. */
  getrlimit(RLIMIT_FSIZE, &size);
  setrlimit(RLIMIT_FSIZE, &(struct rlimit){size.rlim_max, size.rlim_max});
  fill_job(job, mounts, mount_count);
  setrlimit(RLIMIT_FSIZE, &size);
  unfinished = NULL;
}

bool open_job(struct job *job, const char *base, const char *id) {
  char path[PATH_MAX];
  struct stage_header header;
  name_job(job, base, id);
  path_in(job, "control", path);
  int control = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (control < 0) return false;
  ssize_t size = pread(control, &header, sizeof header, 0);
  close(control);
  if (size != sizeof header || atomic_load(&header.magic) != STAGE_CONTROL_MAGIC ||
      header.version != STAGE_VERSION) {
    errno = EINVAL;
    return false;
  }
  job->token = header.token;
  return true;
}

/* Whether a file of this job was made by a run, and not by an agent that may come back for it. */
static bool is_of_a_run(const struct job *job) {
  char path[PATH_MAX];
  uint64_t start[HEAD_WORDS];
  path_in(job, "control", path);
  int control = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (control < 0) return false;
  bool whole = pread(control, start, sizeof start, 0) == sizeof start;
  close(control);
  size_t stale = offsetof(struct stage_control, stale_after_nanos) / sizeof start[0];
  return whole && start[0] == STAGE_CONTROL_MAGIC && (int64_t)start[stale] == STAGE_NEVER_STALE;
}

/* Whether no process has the job's state mapped. */
bool is_unused(int state) {
  /* A lease is given only where nobody has the file open for writing, a mapping included. */
  if (fcntl(state, F_SETLEASE, F_RDLCK) != 0) return false;
  fcntl(state, F_SETLEASE, F_UNLCK);
  return true;
}

/* Whether a run was killed, and all that it ran has ended; has its lock then. */
static bool is_left(struct job *job) {
  char path[PATH_MAX];
  if (!is_of_a_run(job) || !take_lock(job)) return false;
  path_in(job, "state", path);
  int state = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  bool left = state >= 0 && is_unused(state);
  if (state >= 0) close(state);
  if (!left) close(job->lock);
  return left;
}

void sweep_beside(const struct job *own) {
  char path[PATH_MAX];
  strcpy(path, own->directory);
  *strrchr(path, '/') = 0;
  DIR *jobs = opendir(path);
  if (jobs == NULL) return;
  for (struct dirent *entry; (entry = readdir(jobs)) != NULL;) {
    struct job job = {0};
    if (entry->d_name[0] == '.') continue;
    snprintf(job.directory, sizeof job.directory, "%.*s/%.*s", PATH_MAX - 260, path, 240,
             entry->d_name);
    if (!is_left(&job)) continue;
    delete_job(&job);
    close(job.lock);
  }
  closedir(jobs);
}
