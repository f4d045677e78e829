/*
 * An NFSv3 load client over libnfs: keeps a fixed number of calls in flight and says what came of
 * them.
 *
 *   nfs-client [OPTION VALUE]... EXPORT OPERATION:DEPTH...
 *
 * Each operation runs for the same time with DEPTH calls in flight on each connection and gives one
 * line: operation and depth, operations, seconds, operations/s, MB/s, latency p50 and p99 in
 * microseconds, and the server's processor time per operation in microseconds (0 without
 * --server-pid).
 *
 *   write, read                  1 MiB, sequential, wrapping around at the end of the file
 *   random-write, random-read    4 KiB at random multiples of 4 KiB
 *   getattr, lookup              of 1,000 files, in turn
 *   create, unlink               of new files; unlink takes those that create made
 *
 * With --jobs N every call is another job's in turn, of the jobs 1 to N: EXPORT is mounted as
 * /@1EXPORT, /@2EXPORT and so on, and the jobs share the files.
 *
 * The raw calls are used, because libnfs's own file functions send more than one call for each of
 * these operations and keep what they learn: here one operation is one call.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <nfsc/libnfs.h>
#include <nfsc/libnfs-raw.h>
#include <nfsc/libnfs-raw-mount.h>
#include <nfsc/libnfs-raw-nfs.h>

enum {
  LARGE_BYTES = 1 << 20,
  SMALL_BYTES = 4 << 10,
  ENTRIES = 1000,
  ENTRY_NAME_BYTES = 32,
  CONNECTIONS_MAX = 256,
  JOBS_MAX = 10000,
  DEPTH_MAX = 256,
  TIMELINE_MILLIS = 50,
  SILENCE_MILLIS = 60 * 1000,
};

#define NANOS_PER_SECOND 1000000000ULL
#define NANOS_PER_MICRO 1000ULL

enum operation { WRITE, READ, RANDOM_WRITE, RANDOM_READ, GETATTR, LOOKUP, CREATE, UNLINK };

static const char *const operation_names[] = {
    [WRITE] = "write",     [READ] = "read",
    [RANDOM_WRITE] = "random-write", [RANDOM_READ] = "random-read",
    [GETATTR] = "getattr", [LOOKUP] = "lookup",
    [CREATE] = "create",   [UNLINK] = "unlink",
};
enum { OPERATIONS = sizeof operation_names / sizeof *operation_names };

static struct {
  const char *address;
  int port;
  int mount_port;
  int uid;
  int connections;
  int jobs; /* 0: the export is mounted as it stands */
  double seconds;
  const char *file;
  uint64_t file_bytes;
  enum stable_how stable;
  const char *timeline;
  int server_pid;
  const char *export;
} options = {
    .address = "127.0.0.1",
    .port = 2049,
    .mount_port = 20048,
    .uid = 0,
    .connections = 1,
    .seconds = 5,
    .file = "data",
    .file_bytes = 256 << 20,
    .stable = UNSTABLE,
    .server_pid = 0,
};

/* An export as one job sees it: the handles tell the server the job. */
struct view {
  nfs_fh3 root;
  nfs_fh3 file;
};

struct connection {
  struct rpc_context *rpc;
  struct view *views;
  uint64_t next_offset;
};

/* A place for one call in flight. */
struct slot {
  struct connection *connection;
  uint64_t sent_nanos;
};

static struct connection connections[CONNECTIONS_MAX];
static struct slot slots[CONNECTIONS_MAX * DEPTH_MAX];
static char entry_names[ENTRIES][ENTRY_NAME_BYTES];
static nfs_fh3 entry_handles[ENTRIES];
static uint64_t files_created, files_unlinked;
static char payload[LARGE_BYTES];
static uint64_t random_state = 0x9e3779b97f4a7c15;

/*
 * Latencies in buckets that grow with the value: exact below 64 microseconds, within 1/32 above.
 */
enum { BUCKETS_PER_DOUBLING = 32, BUCKETS = 64 + 32 * BUCKETS_PER_DOUBLING };

static struct {
  enum operation operation;
  uint64_t end_nanos;
  uint64_t operations;
  uint64_t bytes;
  int in_flight;
  uint64_t latencies[BUCKETS];
  uint64_t timeline_start_millis;
  uint64_t *timeline_bytes;
  size_t timeline_length;
} run;

static void fail(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("nfs-client: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  exit(1);
}

static uint64_t nanos_of(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (uint64_t)now.tv_sec * NANOS_PER_SECOND + (uint64_t)now.tv_nsec;
}

static uint64_t now_nanos(void) { return nanos_of(CLOCK_MONOTONIC); }

/* Wall-clock time, so that timelines of several clients can be laid over each other. */
static uint64_t wall_millis(void) { return nanos_of(CLOCK_REALTIME) / 1000000; }

static uint64_t next_random(void) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return random_state;
}

/* ---- Latencies ---- */

static int bucket_of(uint64_t micros) {
  if (micros < 64) return (int)micros;
  int doubling = 63 - __builtin_clzll(micros) - 6;
  int within = (int)(micros >> (doubling + 1)) & (BUCKETS_PER_DOUBLING - 1);
  int bucket = 64 + doubling * BUCKETS_PER_DOUBLING + within;
  return bucket < BUCKETS ? bucket : BUCKETS - 1;
}

static uint64_t bucket_start_micros(int bucket) {
  if (bucket < 64) return (uint64_t)bucket;
  int doubling = (bucket - 64) / BUCKETS_PER_DOUBLING;
  uint64_t within = (uint64_t)((bucket - 64) % BUCKETS_PER_DOUBLING);
  return (BUCKETS_PER_DOUBLING + within) << (doubling + 1);
}

static uint64_t percentile_micros(int percent) {
  uint64_t rank = (run.operations * (uint64_t)percent + 99) / 100, seen = 0;
  for (int bucket = 0; bucket < BUCKETS; bucket++) {
    seen += run.latencies[bucket];
    if (seen >= rank) return bucket_start_micros(bucket);
  }
  return 0;
}

/* ---- Calls, one at a time ---- */

static void service(int connection_count) {
  struct pollfd polled[CONNECTIONS_MAX];
  for (int i = 0; i < connection_count; i++) {
    polled[i].fd = rpc_get_fd(connections[i].rpc);
    polled[i].events = (short)rpc_which_events(connections[i].rpc);
    polled[i].revents = 0;
  }
  int ready = poll(polled, (nfds_t)connection_count, SILENCE_MILLIS);
  if (ready == 0) fail("no answer from the server for %d s", SILENCE_MILLIS / 1000);
  if (ready < 0 && errno != EINTR) fail("poll: %s", strerror(errno));
  for (int i = 0; i < connection_count; i++) {
    if (polled[i].revents && rpc_service(connections[i].rpc, polled[i].revents) < 0) {
      fail("the connection broke: %s", rpc_get_error(connections[i].rpc));
    }
  }
}

/* What the one call in flight is waited for, and where its file handle and size go. */
struct answer {
  bool arrived;
  int status;
  nfs_fh3 handle;
  uint64_t size;
};

static void await(struct rpc_context *rpc, struct answer *answer, int queued, const char *what) {
  if (queued < 0) fail("%s: %s", what, rpc_get_error(rpc));
  while (!answer->arrived) {
    struct pollfd polled = {.fd = rpc_get_fd(rpc), .events = (short)rpc_which_events(rpc)};
    int ready = poll(&polled, 1, SILENCE_MILLIS);
    if (ready == 0) fail("%s: no answer for %d s", what, SILENCE_MILLIS / 1000);
    if (rpc_service(rpc, polled.revents) < 0) fail("%s: %s", what, rpc_get_error(rpc));
  }
}

static void copy_handle(nfs_fh3 *to, const char *bytes, u_int length) {
  to->data.data_len = length;
  to->data.data_val = malloc(length);
  if (!to->data.data_val) fail("out of memory");
  memcpy(to->data.data_val, bytes, length);
}

static void check_rpc(int status, const void *data, const char *what) {
  if (status != RPC_STATUS_SUCCESS) {
    fail("%s: %s", what, status == RPC_STATUS_ERROR && data ? (const char *)data : "cancelled");
  }
}

static void on_connected(struct rpc_context *rpc, int status, void *data, void *private_data) {
  (void)rpc;
  check_rpc(status, data, "connecting");
  ((struct answer *)private_data)->arrived = true;
}

static void on_mounted(struct rpc_context *rpc, int status, void *data, void *private_data) {
  (void)rpc;
  check_rpc(status, data, "mounting");
  struct answer *answer = private_data;
  mountres3 *result = data;
  answer->arrived = true;
  answer->status = (int)result->fhs_status;
  if (result->fhs_status == MNT3_OK) {
    const fhandle3 *handle = &result->mountres3_u.mountinfo.fhandle;
    copy_handle(&answer->handle, handle->fhandle3_val, handle->fhandle3_len);
  }
}

static void on_looked_up(struct rpc_context *rpc, int status, void *data, void *private_data) {
  (void)rpc;
  check_rpc(status, data, "lookup");
  struct answer *answer = private_data;
  LOOKUP3res *result = data;
  answer->arrived = true;
  answer->status = (int)result->status;
  if (result->status == NFS3_OK) {
    const LOOKUP3resok *found = &result->LOOKUP3res_u.resok;
    copy_handle(&answer->handle, found->object.data.data_val, found->object.data.data_len);
    if (found->obj_attributes.attributes_follow) {
      answer->size = found->obj_attributes.post_op_attr_u.attributes.size;
    }
  }
}

/* For results of which only the status counts; it stands first in every NFSv3 result. */
static void on_done(struct rpc_context *rpc, int status, void *data, void *private_data) {
  (void)rpc;
  check_rpc(status, data, "call");
  struct answer *answer = private_data;
  answer->arrived = true;
  answer->status = (int)*(nfsstat3 *)data;
}

static struct rpc_context *connect_to(int port, int program, int version) {
  struct rpc_context *rpc = rpc_init_context();
  if (!rpc) fail("out of memory");
  rpc_set_uid(rpc, options.uid);
  rpc_set_gid(rpc, options.uid);
  struct answer answer = {0};
  int queued = rpc_connect_port_async(rpc, options.address, port, program, version, on_connected,
                                      &answer);
  await(rpc, &answer, queued, "connecting");
  int yes = 1;
  setsockopt(rpc_get_fd(rpc), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  return rpc;
}

static nfs_fh3 mount_export(const char *path) {
  struct rpc_context *rpc = connect_to(options.mount_port, MOUNT_PROGRAM, MOUNT_V3);
  struct answer answer = {0};
  char *copy = strdup(path); /* libnfs takes it as changeable */
  await(rpc, &answer, rpc_mount3_mnt_async(rpc, on_mounted, copy, &answer), "mounting");
  if (answer.status != MNT3_OK) fail("mounting %s: refused with %d", path, answer.status);
  free(copy);
  rpc_destroy_context(rpc);
  return answer.handle;
}

static struct answer look_up(struct rpc_context *rpc, nfs_fh3 directory, char *name) {
  struct answer answer = {0};
  LOOKUP3args arguments = {.what = {.dir = directory, .name = name}};
  await(rpc, &answer, rpc_nfs3_lookup_async(rpc, on_looked_up, &arguments, &answer), "lookup");
  return answer;
}

static CREATE3args create_arguments(nfs_fh3 directory, char *name) {
  CREATE3args arguments = {.where = {.dir = directory, .name = name}};
  arguments.how.mode = UNCHECKED;
  sattr3 *attributes = &arguments.how.createhow3_u.obj_attributes;
  attributes->mode.set_it = 1;
  attributes->mode.set_mode3_u.mode = 0666;
  return arguments;
}

/* Finds a file, or makes it. */
static struct answer find_or_create(struct rpc_context *rpc, nfs_fh3 directory, char *name) {
  struct answer found = look_up(rpc, directory, name);
  if (found.status == NFS3_OK) return found;
  if (found.status != NFS3ERR_NOENT) fail("lookup %s: status %d", name, found.status);
  struct answer created = {0};
  CREATE3args arguments = create_arguments(directory, name);
  await(rpc, &created, rpc_nfs3_create_async(rpc, on_done, &arguments, &created), "create");
  if (created.status != NFS3_OK) fail("create %s: status %d", name, created.status);
  found = look_up(rpc, directory, name);
  if (found.status != NFS3_OK) fail("lookup %s: status %d", name, found.status);
  return found;
}

static void fill(struct rpc_context *rpc, nfs_fh3 file, uint64_t from) {
  for (uint64_t offset = from; offset < options.file_bytes; offset += LARGE_BYTES) {
    struct answer answer = {0};
    WRITE3args arguments = {.file = file, .offset = offset, .count = LARGE_BYTES,
                            .stable = UNSTABLE,
                            .data = {.data_len = LARGE_BYTES, .data_val = payload}};
    await(rpc, &answer, rpc_nfs3_write_async(rpc, on_done, &arguments, &answer), "write");
    if (answer.status != NFS3_OK) fail("write: status %d", answer.status);
  }
}

static int view_count(void) { return options.jobs > 0 ? options.jobs : 1; }

/* Connects, and makes the connection's own file as long as asked for. */
static void open_connection(int index) {
  struct connection *connection = &connections[index];
  connection->rpc = connect_to(options.port, NFS_PROGRAM, NFS_V3);
  connection->views = calloc((size_t)view_count(), sizeof *connection->views);
  if (!connection->views) fail("out of memory");
  char name[256], path[4096];
  snprintf(name, sizeof name, "%s-%d", options.file, index);
  for (int i = 0; i < view_count(); i++) {
    struct view *view = &connection->views[i];
    if (options.jobs > 0) {
      snprintf(path, sizeof path, "/@%d%s", i + 1, options.export);
    } else {
      snprintf(path, sizeof path, "%s", options.export);
    }
    view->root = mount_export(path);
    struct answer file = find_or_create(connection->rpc, view->root, name);
    view->file = file.handle;
    if (file.size < options.file_bytes) {
      fill(connection->rpc, view->file, file.size / LARGE_BYTES * LARGE_BYTES);
    }
  }
}

static void make_entries(void) {
  if (entry_handles[0].data.data_val) return;
  for (int i = 0; i < ENTRIES; i++) {
    snprintf(entry_names[i], ENTRY_NAME_BYTES, "entry-%03d", i);
    nfs_fh3 directory = connections[0].views[i % view_count()].root;
    entry_handles[i] = find_or_create(connections[0].rpc, directory, entry_names[i]).handle;
  }
}

/* ---- Calls, many in flight ---- */

static void issue(struct slot *slot);

static void account(uint64_t bytes, const struct slot *slot) {
  uint64_t now = now_nanos();
  run.operations++;
  run.bytes += bytes;
  run.latencies[bucket_of((now - slot->sent_nanos) / NANOS_PER_MICRO)]++;
  if (run.timeline_bytes) {
    size_t index = (size_t)((wall_millis() - run.timeline_start_millis) / TIMELINE_MILLIS);
    if (index < run.timeline_length) run.timeline_bytes[index] += bytes;
  }
}

static void on_completed(struct rpc_context *rpc, int status, void *data, void *private_data) {
  (void)rpc;
  const char *name = operation_names[run.operation];
  check_rpc(status, data, name);
  nfsstat3 result = *(nfsstat3 *)data;
  if (result != NFS3_OK) fail("%s: status %d", name, (int)result);

  uint64_t bytes = 0, expected = 0;
  switch (run.operation) {
  case WRITE:
  case RANDOM_WRITE:
    bytes = ((WRITE3res *)data)->WRITE3res_u.resok.count;
    expected = run.operation == WRITE ? LARGE_BYTES : SMALL_BYTES;
    break;
  case READ:
  case RANDOM_READ:
    bytes = ((READ3res *)data)->READ3res_u.resok.count;
    expected = run.operation == READ ? LARGE_BYTES : SMALL_BYTES;
    break;
  default:
    break;
  }
  if (bytes != expected) {
    fail("%s: %" PRIu64 " bytes instead of %" PRIu64, name, bytes, expected);
  }
  struct slot *slot = private_data;
  account(bytes, slot);
  run.in_flight--;
  issue(slot);
}

static uint64_t sequential_offset(struct connection *connection) {
  uint64_t offset = connection->next_offset;
  connection->next_offset = (offset + LARGE_BYTES) % options.file_bytes;
  return offset;
}

static uint64_t random_offset(void) {
  return next_random() % (options.file_bytes / SMALL_BYTES) * SMALL_BYTES;
}

static struct view *next_view(struct connection *connection) {
  return &connection->views[run.operations % (uint64_t)view_count()];
}

static int send_write(struct slot *slot, uint64_t offset, u_int count) {
  WRITE3args arguments = {.file = next_view(slot->connection)->file, .offset = offset, .count = count,
                          .stable = options.stable,
                          .data = {.data_len = count, .data_val = payload}};
  return rpc_nfs3_write_async(slot->connection->rpc, on_completed, &arguments, slot);
}

static int send_read(struct slot *slot, uint64_t offset, u_int count) {
  READ3args arguments = {.file = next_view(slot->connection)->file, .offset = offset, .count = count};
  return rpc_nfs3_read_async(slot->connection->rpc, on_completed, &arguments, slot);
}

/* Sends the slot's next call, unless the time is up or nothing is left to do. */
static void issue(struct slot *slot) {
  struct connection *connection = slot->connection;
  slot->sent_nanos = now_nanos();
  if (slot->sent_nanos >= run.end_nanos) return;
  char name[ENTRY_NAME_BYTES];
  int queued = -1;
  switch (run.operation) {
  case WRITE:
    queued = send_write(slot, sequential_offset(connection), LARGE_BYTES);
    break;
  case READ:
    queued = send_read(slot, sequential_offset(connection), LARGE_BYTES);
    break;
  case RANDOM_WRITE:
    queued = send_write(slot, random_offset(), SMALL_BYTES);
    break;
  case RANDOM_READ:
    queued = send_read(slot, random_offset(), SMALL_BYTES);
    break;
  case GETATTR: {
    GETATTR3args arguments = {.object = entry_handles[run.operations % ENTRIES]};
    queued = rpc_nfs3_getattr_async(connection->rpc, on_completed, &arguments, slot);
    break;
  }
  case LOOKUP: {
    LOOKUP3args arguments = {
        .what = {.dir = next_view(connection)->root,
                 .name = entry_names[run.operations % ENTRIES]}};
    queued = rpc_nfs3_lookup_async(connection->rpc, on_completed, &arguments, slot);
    break;
  }
  case CREATE: {
    snprintf(name, sizeof name, "made-%" PRIu64, files_created++);
    CREATE3args arguments = create_arguments(next_view(connection)->root, name);
    queued = rpc_nfs3_create_async(connection->rpc, on_completed, &arguments, slot);
    break;
  }
  case UNLINK: {
    if (files_unlinked == files_created) return;
    snprintf(name, sizeof name, "made-%" PRIu64, files_unlinked++);
    REMOVE3args arguments = {.object = {.dir = next_view(connection)->root, .name = name}};
    queued = rpc_nfs3_remove_async(connection->rpc, on_completed, &arguments, slot);
    break;
  }
  }
  if (queued < 0) {
    fail("%s: %s", operation_names[run.operation], rpc_get_error(connection->rpc));
  }
  run.in_flight++;
}

/* Runs an operation until the end, and returns how long it took until the last call was answered. */
static double perform(enum operation operation, int depth, uint64_t duration_nanos) {
  uint64_t start = now_nanos();
  run.operation = operation;
  run.operations = run.bytes = 0;
  memset(run.latencies, 0, sizeof run.latencies);
  run.end_nanos = start + duration_nanos;
  for (int i = 0; i < options.connections * depth; i++) {
    slots[i].connection = &connections[i % options.connections];
    issue(&slots[i]);
  }
  while (run.in_flight > 0) service(options.connections);
  return (double)(now_nanos() - start) / (double)NANOS_PER_SECOND;
}

/* ---- Results ---- */

/* The processor time of the server so far, user and system, in microseconds. */
static uint64_t server_cpu_micros(void) {
  if (options.server_pid == 0) return 0;
  char path[64], text[4096];
  snprintf(path, sizeof path, "/proc/%d/stat", options.server_pid);
  FILE *file = fopen(path, "r");
  if (!file || !fgets(text, sizeof text, file)) fail("cannot read %s", path);
  fclose(file);
  /* The second field, the program's name, may contain anything but ends with the last ')'. */
  char *rest = strrchr(text, ')');
  uint64_t user, system;
  if (!rest || sscanf(rest + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %" SCNu64 " %" SCNu64,
                      &user, &system) != 2) {
    fail("cannot understand %s: %s", path, text);
  }
  return (user + system) * 1000000 / (uint64_t)sysconf(_SC_CLK_TCK);
}

static void start_timeline(void) {
  if (!options.timeline) return;
  run.timeline_length = (size_t)((options.seconds + 60) * 1000 / TIMELINE_MILLIS);
  run.timeline_bytes = calloc(run.timeline_length, sizeof *run.timeline_bytes);
  if (!run.timeline_bytes) fail("out of memory");
  run.timeline_start_millis = wall_millis() / TIMELINE_MILLIS * TIMELINE_MILLIS;
}

/* Writes lines of wall-clock milliseconds and the bytes answered since. */
static void write_timeline(void) {
  if (!options.timeline) return;
  FILE *file = fopen(options.timeline, "w");
  if (!file) fail("cannot write %s: %s", options.timeline, strerror(errno));
  for (size_t i = 0; i < run.timeline_length; i++) {
    fprintf(file, "%" PRIu64 " %" PRIu64 "\n", run.timeline_start_millis + i * TIMELINE_MILLIS,
            run.timeline_bytes[i]);
  }
  if (fclose(file) != 0) fail("cannot write %s: %s", options.timeline, strerror(errno));
  free(run.timeline_bytes);
  run.timeline_bytes = NULL;
}

static void measure(enum operation operation, int depth) {
  if (operation == GETATTR || operation == LOOKUP) make_entries();
  start_timeline();
  uint64_t cpu_before = server_cpu_micros();
  double seconds =
      perform(operation, depth, (uint64_t)(options.seconds * (double)NANOS_PER_SECOND));
  double cpu_micros = (double)(server_cpu_micros() - cpu_before);
  double operations = (double)run.operations;
  printf("%s:%d\t%" PRIu64 "\t%.3f\t%.1f\t%.2f\t%" PRIu64 "\t%" PRIu64 "\t%.2f\n",
         operation_names[operation], depth, run.operations, seconds, operations / seconds,
         (double)run.bytes / seconds / 1e6, percentile_micros(50), percentile_micros(99),
         run.operations ? cpu_micros / operations : 0);
  fflush(stdout);
  write_timeline();
}

/* ---- Arguments ---- */

static long number(const char *option, const char *text, long min, long max) {
  char *end;
  errno = 0;
  long value = strtol(text, &end, 10);
  if (errno || end == text || *end || value < min || value > max) {
    fail("--%s: %s is not a number from %ld to %ld", option, text, min, max);
  }
  return value;
}

static enum operation parse_mode(const char *text, int *depth) {
  const char *colon = strchr(text, ':');
  if (!colon) fail("%s: expected OPERATION:DEPTH, such as read:8", text);
  *depth = (int)number(text, colon + 1, 1, DEPTH_MAX);
  for (int i = 0; i < OPERATIONS; i++) {
    const char *name = operation_names[i];
    if (strlen(name) == (size_t)(colon - text) && !strncmp(name, text, strlen(name))) {
      return (enum operation)i;
    }
  }
  fail("%s: there is no such operation", text);
  return WRITE;
}

static void parse_options(int count, char **arguments) {
  static const struct option known[] = {
      {"address", required_argument, 0, 'a'},    {"port", required_argument, 0, 'p'},
      {"mount-port", required_argument, 0, 'm'}, {"uid", required_argument, 0, 'u'},
      {"connections", required_argument, 0, 'c'}, {"seconds", required_argument, 0, 's'},
      {"file", required_argument, 0, 'f'},       {"file-mib", required_argument, 0, 'b'},
      {"stable", no_argument, 0, 'S'},           {"timeline", required_argument, 0, 't'},
      {"server-pid", required_argument, 0, 'P'}, {"jobs", required_argument, 0, 'j'},
      {0, 0, 0, 0},
  };
  int option;
  while ((option = getopt_long(count, arguments, "", known, NULL)) != -1) {
    switch (option) {
    case 'a': options.address = optarg; break;
    case 'p': options.port = (int)number("port", optarg, 1, 65535); break;
    case 'm': options.mount_port = (int)number("mount-port", optarg, 1, 65535); break;
    case 'u': options.uid = (int)number("uid", optarg, 0, INT32_MAX); break;
    case 'c': options.connections = (int)number("connections", optarg, 1, CONNECTIONS_MAX); break;
    case 's':
      options.seconds = strtod(optarg, NULL);
      if (!(options.seconds > 0)) fail("--seconds: %s is not a positive number", optarg);
      break;
    case 'f': options.file = optarg; break;
    case 'b': options.file_bytes = (uint64_t)number("file-mib", optarg, 1, 1 << 20) << 20; break;
    case 'S': options.stable = FILE_SYNC; break;
    case 't': options.timeline = optarg; break;
    case 'P': options.server_pid = (int)number("server-pid", optarg, 1, INT32_MAX); break;
    case 'j': options.jobs = (int)number("jobs", optarg, 1, JOBS_MAX); break;
    default: exit(2);
    }
  }
  if (count - optind < 2) fail("expected EXPORT OPERATION:DEPTH...");
  options.export = arguments[optind];
}

int main(int count, char **arguments) {
  parse_options(count, arguments);
  for (size_t i = 0; i < sizeof payload; i++) payload[i] = (char)next_random();
  int depth;
  for (int i = optind + 1; i < count; i++) parse_mode(arguments[i], &depth);
  for (int i = 0; i < options.connections; i++) open_connection(i);
  for (int i = optind + 1; i < count; i++) {
    enum operation operation = parse_mode(arguments[i], &depth);
    measure(operation, depth);
  }
  /* The next run must find the directory as this one did. */
  perform(UNLINK, 1, UINT64_MAX / 2);
  return 0;
}
