#include "supervise.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "../src/line.h"
#include "../src/system.h"
#include "fail.h"
#include "limits.h"

#if defined(__x86_64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#define TICK_NANOS INT64_C(100000000)
#define CLAIMS_MAX 6
#define VECTOR_MAX 1024
#define NOWHERE (-1)

/* By which of its arguments a call says what it is about: a descriptor, or a path that may begin at
   one; and how many bytes it wants to move, as a size or a vector of parts. */
struct call {
  int number;
  enum stage_operation operation;
  signed char descriptor;
  signed char path;
  signed char size;
  signed char vector;
};

#define BY_DESCRIPTOR(name, operation) {SYS_##name, STAGE_##operation, 0, NOWHERE, NOWHERE, NOWHERE}
#define BY_PATH(name, operation) {SYS_##name, STAGE_##operation, NOWHERE, 0, NOWHERE, NOWHERE}
#define BY_PATH_AT(name, operation) {SYS_##name, STAGE_##operation, 0, 1, NOWHERE, NOWHERE}
#define SIZED(name, operation) {SYS_##name, STAGE_##operation, 0, NOWHERE, 2, NOWHERE}
#define VECTORED(name, operation) {SYS_##name, STAGE_##operation, 0, NOWHERE, NOWHERE, 1}

static const struct call CALLS[] = {
    SIZED(read, READ),
    SIZED(pread64, READ),
    VECTORED(readv, READ),
    VECTORED(preadv, READ),
    VECTORED(preadv2, READ),
    SIZED(write, WRITE),
    SIZED(pwrite64, WRITE),
    VECTORED(writev, WRITE),
    VECTORED(pwritev, WRITE),
    VECTORED(pwritev2, WRITE),
    {SYS_sendfile, STAGE_READ, 1, NOWHERE, 3, NOWHERE},
    {SYS_splice, STAGE_READ, 0, NOWHERE, 4, NOWHERE},
    {SYS_copy_file_range, STAGE_COPY, 2, NOWHERE, 4, NOWHERE},
    BY_DESCRIPTOR(fsync, COMMIT),
    BY_DESCRIPTOR(fdatasync, COMMIT),
    BY_DESCRIPTOR(syncfs, COMMIT),
    BY_PATH(truncate, TRUNCATE),
    BY_DESCRIPTOR(ftruncate, TRUNCATE),
    BY_DESCRIPTOR(fallocate, ALLOCATE),
    BY_PATH_AT(openat, OPEN),
    BY_PATH_AT(openat2, OPEN),
    BY_DESCRIPTOR(close, CLOSE),
    BY_PATH_AT(faccessat, ACCESS),
    BY_PATH_AT(faccessat2, ACCESS),
    BY_DESCRIPTOR(fstat, GETATTR),
    BY_PATH_AT(newfstatat, GETATTR),
    BY_PATH_AT(statx, GETATTR),
    BY_DESCRIPTOR(fchmod, SETATTR),
    BY_PATH_AT(fchmodat, SETATTR),
    BY_DESCRIPTOR(fchown, SETATTR),
    BY_PATH_AT(fchownat, SETATTR),
    BY_PATH_AT(utimensat, SETATTR),
    {SYS_linkat, STAGE_LINK, 2, 3, NOWHERE, NOWHERE},
    {SYS_symlinkat, STAGE_SYMLINK, 1, 2, NOWHERE, NOWHERE},
    BY_PATH_AT(readlinkat, READLINK),
    BY_PATH_AT(mknodat, MKNOD),
    BY_PATH_AT(unlinkat, UNLINK),
    BY_PATH_AT(renameat, RENAME),
    BY_PATH_AT(renameat2, RENAME),
    BY_PATH(statfs, STATFS),
    BY_DESCRIPTOR(fstatfs, STATFS),
    BY_PATH_AT(mkdirat, MKDIR),
    BY_DESCRIPTOR(getdents64, READDIR),
    BY_PATH(getxattr, GETXATTR),
    BY_PATH(lgetxattr, GETXATTR),
    BY_DESCRIPTOR(fgetxattr, GETXATTR),
    BY_PATH(setxattr, SETXATTR),
    BY_PATH(lsetxattr, SETXATTR),
    BY_DESCRIPTOR(fsetxattr, SETXATTR),
    BY_PATH(listxattr, LISTXATTR),
    BY_PATH(llistxattr, LISTXATTR),
    BY_DESCRIPTOR(flistxattr, LISTXATTR),
    BY_PATH(removexattr, REMOVEXATTR),
    BY_PATH(lremovexattr, REMOVEXATTR),
    BY_DESCRIPTOR(fremovexattr, REMOVEXATTR),
#if defined(__x86_64__)
    /* Newer architectures have only those that begin at a directory. */
    BY_PATH(open, OPEN),
    BY_PATH(creat, OPEN),
    BY_PATH(access, ACCESS),
    BY_PATH(stat, GETATTR),
    BY_PATH(lstat, GETATTR),
    BY_PATH(chmod, SETATTR),
    BY_PATH(chown, SETATTR),
    BY_PATH(lchown, SETATTR),
    BY_PATH(utime, SETATTR),
    BY_PATH(utimes, SETATTR),
    BY_PATH_AT(futimesat, SETATTR),
    {SYS_link, STAGE_LINK, NOWHERE, 1, NOWHERE, NOWHERE},
    {SYS_symlink, STAGE_SYMLINK, NOWHERE, 1, NOWHERE, NOWHERE},
    BY_PATH(readlink, READLINK),
    BY_PATH(mknod, MKNOD),
    BY_PATH(unlink, UNLINK),
    BY_PATH(rename, RENAME),
    BY_PATH(mkdir, MKDIR),
    BY_PATH(rmdir, RMDIR),
    BY_DESCRIPTOR(getdents, READDIR),
#endif
};

#define CALL_COUNT (sizeof CALLS / sizeof CALLS[0])

struct claim {
  uint32_t bucket;
  uint64_t units;
  uint64_t ticket;
};

/* A call that waits for its turn. */
struct pending {
  uint64_t id;
  enum stage_operation operation;
  int64_t since;
  int64_t due;
  int claim_count;
  struct claim claims[CLAIMS_MAX];
};

struct supervision {
  const struct job *job;
  struct stage_state *state;
  int listener;
  int64_t checked; /* when those that wait were last looked at */
  uint32_t epoch;  /* of the limits by which their turns were told */
  struct pending *pending;
  size_t count;
  size_t room;
};

int ask_about_calls(void) {
  /* Whatever another architecture calls them, its calls pass; then one line for each call. */
  struct sock_filter lines[CALL_COUNT + 8];
  unsigned short used = 0;
  lines[used++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
                                               offsetof(struct seccomp_data, arch));
  lines[used++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OWN_ARCHITECTURE, 1, 0);
  lines[used++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  lines[used++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
                                               offsetof(struct seccomp_data, nr));
  lines[used++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_io_uring_setup,
                                               CALL_COUNT + 2, 0);
  for (size_t i = 0; i < CALL_COUNT; i++) {
    uint32_t number = (uint32_t)CALLS[i].number;
    uint8_t to_the_question = (uint8_t)(CALL_COUNT - i);
    lines[used++] =
        (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, to_the_question, 0);
  }
  lines[used++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  lines[used++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF);
  lines[used++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS);
  struct sock_fprog program = {.len = used, .filter = lines};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
    fail(EXIT_FAILED, "--supervise: %s", strerror(errno));
  }
  long listener = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER,
                          &program);
  if (listener < 0) fail(EXIT_FAILED, "--supervise: this system does not ask: %s", strerror(errno));
  return (int)listener;
}

struct supervision *begin_supervision(const struct job *job, int listener) {
  static struct supervision supervision;
  char path[PATH_MAX + 8];
  snprintf(path, sizeof path, "%s/state", job->directory);
  int state = open(path, O_RDWR | O_CLOEXEC);
  supervision.job = job;
  supervision.listener = listener;
  supervision.state =
      mmap(NULL, STAGE_STATE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, state, 0);
  if (supervision.state == MAP_FAILED) _exit(EXIT_FAILED); /* Its calls fail, and are not free. */
  close(state);
  atomic_fetch_add_explicit(&supervision.state->attached, 1, memory_order_relaxed);
  return &supervision;
}

static const struct call *find_call(int number) {
  for (size_t i = 0; i < CALL_COUNT; i++) {
    if (CALLS[i].number == number) return &CALLS[i];
  }
  return NULL;
}

static bool is_below(const char *path, const char *mount) {
  size_t length = strlen(mount);
  return strncmp(path, mount, length) == 0 && (path[length] == '/' || path[length] == 0);
}

/* Whether a path is below one of the job's mount points, as the library sees it. */
static bool is_inside(const struct job *job, const char *path) {
  const char *mount = job->control->mount_text;
  for (uint32_t i = 0; i < job->control->mount_count; i++, mount += strlen(mount) + 1) {
    if (mount[0] == 0) {
      bool kernels = is_below(path, "/proc") || is_below(path, "/sys") || is_below(path, "/dev");
      if (!kernels) return true;
    } else if (is_below(path, mount)) {
      return true;
    }
  }
  return false;
}

/* Where a descriptor of a process leads; false where it is no file's. */
static bool read_link(uint32_t process, const char *name, char path[PATH_MAX]) {
  char link[64];
  snprintf(link, sizeof link, "/proc/%u/%s", process, name);
  ssize_t length = readlink(link, path, PATH_MAX - 1);
  if (length <= 0 || path[0] != '/') return false;
  path[length] = 0;
  return true;
}

static bool read_descriptor(uint32_t process, int descriptor, char path[PATH_MAX]) {
  char name[32];
  if (descriptor == AT_FDCWD) return read_link(process, "cwd", path);
  snprintf(name, sizeof name, "fd/%d", descriptor);
  return read_link(process, name, path);
}

/* Copies out of another's memory, up to the end of what is there; how much. */
static size_t read_memory(uint32_t process, uint64_t from, void *to, size_t size) {
  size_t done = 0;
  while (done < size) {
    /* A page at a time: what follows it may not be there. */
    size_t part = 4096 - (size_t)((from + done) % 4096);
    if (part > size - done) part = size - done;
    struct iovec ours = {(char *)to + done, part};
    struct iovec theirs = {(void *)(uintptr_t)(from + done), part};
    ssize_t more = process_vm_readv((pid_t)process, &ours, 1, &theirs, 1, 0);
    if (more <= 0) break;
    done += (size_t)more;
    if (memchr((char *)to + done - more, 0, (size_t)more) != NULL && size == PATH_MAX) break;
  }
  return done;
}

/* Whether a call is about something inside. What cannot be looked at is taken for it: nobody is
   free because we are not let see. */
static bool concerns_us(const struct supervision *supervision, const struct call *call,
                        const struct seccomp_notif *asked) {
  char path[PATH_MAX];
  char start[PATH_MAX];
  char whole[PATH_MAX];
  const __u64 *values = asked->data.args;
  int descriptor = call->descriptor == NOWHERE ? AT_FDCWD : (int)values[call->descriptor];
  if (call->path != NOWHERE) {
    size_t length = read_memory(asked->pid, values[call->path], path, sizeof path);
    if (length == 0 || memchr(path, 0, length) == NULL) return true;
    if (path[0] == '/') {
      normalize_path("/", path, whole);
      return is_inside(supervision->job, whole);
    }
    if (!read_descriptor(asked->pid, descriptor, start)) return path[0] != 0;
    normalize_path(start, path, whole);
    return is_inside(supervision->job, whole);
  }
  return read_descriptor(asked->pid, descriptor, start) && is_inside(supervision->job, start);
}

/* How many bytes a call wants to move: what it will have moved nobody knows before. */
static uint64_t bytes_of(const struct call *call, const struct seccomp_notif *asked) {
  if (call->size != NOWHERE) return asked->data.args[call->size];
  if (call->vector == NOWHERE) return 0;
  struct iovec parts[VECTOR_MAX];
  uint64_t count = asked->data.args[call->vector + 1];
  uint64_t sum = 0;
  if (count > VECTOR_MAX) count = VECTOR_MAX;
  size_t read = read_memory(asked->pid, asked->data.args[call->vector], parts,
                            (size_t)count * sizeof parts[0]);
  for (size_t i = 0; i < read / sizeof parts[0]; i++) sum += parts[i].iov_len;
  return sum;
}

/* Takes units out of a bucket; the ticket at which they end. We are the only one who does. */
static uint64_t take(struct supervision *supervision, uint32_t bucket,
                     const struct stage_line *line, uint64_t units, int64_t now) {
  _Atomic uint64_t *tickets = &supervision->state->tickets[bucket].units;
  uint64_t floor = stage_line_at(line, now) - line->burst_units;
  uint64_t ticket = atomic_load_explicit(tickets, memory_order_relaxed);
  if ((int64_t)(ticket - floor) < 0) ticket = floor;
  atomic_store_explicit(tickets, ticket + units, memory_order_relaxed);
  return ticket + units;
}

static void reserve(struct supervision *supervision, struct pending *call, uint64_t bytes) {
  struct stage_control *control = supervision->job->control;
  uint64_t channels =
      atomic_load_explicit(&control->channels[call->operation], memory_order_acquire);
  for (int shift = 0; shift < 8 * CLAIMS_MAX; shift += 8) {
    struct stage_line line;
    uint32_t bucket = (uint32_t)(channels >> shift) % STAGE_BUCKETS;
    uint64_t tokens = shift < 24 ? 1 : bytes;
    if (bucket == 0 || tokens == 0 || !stage_read_line(&control->buckets[bucket], &line) ||
        line.unlimited) {
      continue;
    }
    struct claim *claim = &call->claims[call->claim_count++];
    claim->bucket = bucket;
    claim->units = tokens << STAGE_UNIT_SHIFT;
    claim->ticket = take(supervision, bucket, &line, claim->units, call->since);
  }
}

static int64_t due_of(const struct supervision *supervision, const struct pending *call) {
  int64_t due = 0;
  for (int i = 0; i < call->claim_count; i++) {
    struct stage_line line;
    struct stage_bucket_rates *rates = &supervision->job->control->buckets[call->claims[i].bucket];
    if (!stage_read_line(rates, &line) || line.unlimited) continue;
    int64_t turn = stage_line_reaches(&line, call->claims[i].ticket);
    if (turn > due) due = turn;
  }
  return due;
}

static void let_pass(const struct supervision *supervision, uint64_t id) {
  struct seccomp_notif_resp answer = {.id = id, .flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE};
  /* Whoever asked may be gone, which is no concern of ours. */
  ioctl(supervision->listener, SECCOMP_IOCTL_NOTIF_SEND, &answer);
}

static void release(struct supervision *supervision, size_t place, int64_t now) {
  struct pending *call = &supervision->pending[place];
  struct stage_counter *counter = &supervision->state->counters[0][call->operation];
  let_pass(supervision, call->id);
  atomic_fetch_add_explicit(&counter->waits, 1, memory_order_relaxed);
  atomic_fetch_add_explicit(&counter->waited_nanos, (uint64_t)(now - call->since),
                            memory_order_relaxed);
  *call = supervision->pending[--supervision->count];
}

/* What was reserved for a call whose process was killed, or went to a signal's handler, is given to
   those behind it. */
static void drop(struct supervision *supervision, size_t place, int64_t now) {
  struct pending *call = &supervision->pending[place];
  for (int i = 0; i < call->claim_count; i++) {
    publish_moved(supervision->job->control, call->claims[i].bucket, call->claims[i].units, now);
  }
  *call = supervision->pending[--supervision->count];
}

static void answer(struct supervision *supervision, const struct seccomp_notif *asked) {
  const struct call *kind = find_call(asked->data.nr);
  if (kind == NULL || !concerns_us(supervision, kind, asked)) {
    let_pass(supervision, asked->id);
    return;
  }
  uint64_t bytes = bytes_of(kind, asked);
  struct stage_counter *counter = &supervision->state->counters[0][kind->operation];
  struct pending call = {
      .id = asked->id, .operation = kind->operation, .since = stage_now_nanos()};
  atomic_fetch_add_explicit(&counter->calls, 1, memory_order_relaxed);
  atomic_fetch_add_explicit(&counter->bytes, bytes, memory_order_relaxed);
  reserve(supervision, &call, bytes);
  call.due = due_of(supervision, &call);
  if (call.due <= call.since) {
    let_pass(supervision, asked->id);
    return;
  }
  if (supervision->count == supervision->room) {
    size_t room = supervision->room == 0 ? 64 : 2 * supervision->room;
    struct pending *more = realloc(supervision->pending, room * sizeof *more);
    if (more == NULL) return; /* It waits until there is room, which nobody promises. */
    supervision->pending = more;
    supervision->room = room;
  }
  supervision->pending[supervision->count++] = call;
}

/* Lets go whose turn has come; when the next one's comes. */
static int64_t serve(struct supervision *supervision, int64_t now) {
  int64_t next = now + TICK_NANOS;
  uint32_t epoch =
      atomic_load_explicit(&supervision->job->control->change_epoch, memory_order_acquire);
  bool check = now - supervision->checked >= TICK_NANOS;
  bool changed = epoch != supervision->epoch || check;
  supervision->epoch = epoch;
  if (check) supervision->checked = now;
  for (size_t i = 0; i < supervision->count;) {
    struct pending *call = &supervision->pending[i];
    if (check && ioctl(supervision->listener, SECCOMP_IOCTL_NOTIF_ID_VALID, &call->id) != 0) {
      drop(supervision, i, now);
      continue;
    }
    if (changed) call->due = due_of(supervision, call);
    if (call->due <= now) {
      release(supervision, i, now);
      continue;
    }
    if (call->due < next) next = call->due;
    i++;
  }
  return next;
}

bool supervise(struct supervision *supervision, int one, int other) {
  int64_t until = stage_now_nanos() + TICK_NANOS;
  for (int64_t now; (now = stage_now_nanos()) < until;) {
    int64_t wait = serve(supervision, now) - stage_now_nanos();
    struct timespec patience = {.tv_nsec = wait < 0 ? 0 : wait};
    struct pollfd all[] = {
        {.fd = supervision->listener, .events = POLLIN}, {.fd = one, .events = POLLIN},
        {.fd = other, .events = POLLIN}};
    if (ppoll(all, 3, &patience, NULL) <= 0) continue;
    if ((all[0].revents & POLLIN) != 0) {
      struct seccomp_notif asked = {0};
      if (ioctl(supervision->listener, SECCOMP_IOCTL_NOTIF_RECV, &asked) == 0) {
        answer(supervision, &asked);
      }
    } else if ((all[0].revents & POLLHUP) != 0) {
      return false;
    }
    if (all[1].revents != 0 || all[2].revents != 0) break;
  }
  return true;
}
