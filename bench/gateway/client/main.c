/*
 * A load client of NFS, version 3 and 4.1: keeps a fixed number of calls in flight and says what came
 * of them.
 *
 *   nfs-client [OPTION VALUE]... EXPORT OPERATION:DEPTH...
 *
 * Each operation runs for the same time with DEPTH calls in flight on each connection and gives one
 * line: operation and depth, operations, seconds, operations/s, MB/s, latency p50 and p99 in
 * microseconds, and the server's processor time per operation in microseconds (0 without
 * --server-pid).
 *
 *   write, read                  1 MiB, sequential, wrapping around at the end of the file
 *   write4m, read4m              4 MiB, where the server moves so much at a time
 *   random-write, random-read    4 KiB at random multiples of 4 KiB
 *   getattr, lookup              of 1,000 files, in turn
 *   create, unlink               of new files; unlink takes those that create made
 *
 * --nfs 3 or 4.1 says how. One operation is one call, and both versions go the same way through this
 * client, so that what differs between them is the server's doing. With 4.1 all connections are of
 * one session, which has a slot for every call.
 *
 * With --jobs N every call is another job's in turn, of the jobs 1 to N: EXPORT is mounted as
 * /@1EXPORT, /@2EXPORT and so on, and the jobs share the files.
 */
#include "nfs.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <poll.h>
#include <time.h>
#include <unistd.h>

enum {
  LARGE_BYTES = 1 << 20,
  LARGEST_BYTES = 4 << 20,
  SMALL_BYTES = 4 << 10,
  ENTRIES = 1000,
  ENTRY_NAME_BYTES = 32,
  CONNECTIONS_MAX = 256,
  JOBS_MAX = 10000,
  DEPTH_MAX = 256,
  TIMELINE_MILLIS = 50,
};

#define NANOS_PER_SECOND 1000000000ULL
#define NANOS_PER_MICRO 1000ULL

/* What is measured: an operation, and how many bytes of contents it moves. */
struct mode {
  const char *name;
  enum operation operation;
  uint32_t bytes;
};

static const struct mode modes[] = {
    {"write", WRITE, LARGE_BYTES},
    {"read", READ, LARGE_BYTES},
    {"write4m", WRITE, LARGEST_BYTES},
    {"read4m", READ, LARGEST_BYTES},
    {"random-write", RANDOM_WRITE, SMALL_BYTES},
    {"random-read", RANDOM_READ, SMALL_BYTES},
    {"getattr", GETATTR, 0},
    {"lookup", LOOKUP, 0},
    {"create", CREATE, 0},
    {"unlink", UNLINK, 0},
};
enum { MODES = sizeof modes / sizeof *modes };
static const struct mode *const unlink_mode = &modes[MODES - 1];

static struct {
  struct server server;
  const struct protocol *protocol;
  int connections;
  int jobs; /* 0: the export is mounted as it stands */
  double seconds;
  const char *file;
  uint64_t file_bytes;
  uint32_t stability;
  const char *timeline;
  int server_pid;
  const char *export;
} options = {
    .server = {.address = "127.0.0.1", .port = 2049, .mount_port = 20048},
    .protocol = &nfs3,
    .connections = 1,
    .seconds = 5,
    .file = "data",
    .file_bytes = 256 << 20,
    .stability = UNSTABLE,
    .server_pid = 0,
};

/* An export as one job sees it: the handles tell the server the job. */
struct view {
  struct handle root;
  struct file file;
};

struct connection {
  struct rpc rpc;
  struct view *views;
  uint64_t next_offset;
};

/* A place for one call in flight. */
struct slot {
  struct connection *connection;
  struct call call;
  struct request request;
  char name[ENTRY_NAME_BYTES];
  uint64_t sent_nanos;
};

static struct connection connections[CONNECTIONS_MAX];
static struct slot *slots;
static char entry_names[ENTRIES][ENTRY_NAME_BYTES];
static struct file entries[ENTRIES];
static bool has_entries;
static uint64_t files_created, files_unlinked;
static char payload[LARGEST_BYTES];
static uint64_t random_state = 0x9e3779b97f4a7c15;

/*
 * Latencies in buckets that grow with the value: exact below 64 microseconds, within 1/32 above.
 */
enum { BUCKETS_PER_DOUBLING = 32, BUCKETS = 64 + 32 * BUCKETS_PER_DOUBLING };

static struct {
  const struct mode *mode;
  uint64_t end_nanos;
  uint64_t operations;
  uint64_t bytes;
  int in_flight;
  uint64_t latencies[BUCKETS];
  uint64_t timeline_start_millis;
  uint64_t *timeline_bytes;
  size_t timeline_length;
} run;

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

/* ---- Files ---- */

/* Writes a file's contents from an offset on, one call at a time. */
static void fill(struct connection *connection, const struct file *file, uint64_t from) {
  for (uint64_t offset = from; offset < options.file_bytes; offset += LARGE_BYTES) {
    struct call call;
    struct request request = {.operation = WRITE, .file = file, .offset = offset,
                              .count = LARGE_BYTES, .data = payload, .stability = UNSTABLE};
    options.protocol->put(&connection->rpc, &call, &request);
    struct reader in = rpc_exchange(&connection->rpc, &call);
    uint32_t written = options.protocol->check(&in, &request);
    if (written != LARGE_BYTES) fail("write: %u bytes instead of %d", written, LARGE_BYTES);
  }
}

static int view_count(void) { return options.jobs > 0 ? options.jobs : 1; }

/* Makes the connection's own file as long as asked for. */
static void open_files(int index) {
  struct connection *connection = &connections[index];
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
    view->root = options.protocol->mount(&connection->rpc, &options.server, path);
    options.protocol->open(&connection->rpc, &view->root, name, &view->file);
    if (view->file.size < options.file_bytes) {
      fill(connection, &view->file, view->file.size / LARGE_BYTES * LARGE_BYTES);
    }
  }
}

static void connect_all(int depth_max, uint32_t transfer_bytes_max) {
  int places = options.connections * depth_max;
  slots = calloc((size_t)places, sizeof *slots);
  if (!slots) fail("out of memory");
  for (int i = 0; i < options.connections; i++) {
    rpc_connect(&connections[i].rpc, transfer_bytes_max, options.server.address, options.server.port, NFS_PROGRAM,
                options.protocol->version, options.server.uid);
  }
  options.protocol->begin(&connections[0].rpc, places, transfer_bytes_max);
  for (int i = 0; i < options.connections; i++) open_files(i);
}

static void disconnect_all(void) {
  for (int i = 0; i < options.connections; i++) {
    struct connection *connection = &connections[i];
    for (int j = 0; j < view_count(); j++) {
      const struct file *file = &connection->views[j].file;
      /* One owner that opens a file several times has it open once. */
      bool is_last = true;
      for (int k = j + 1; k < view_count(); k++) {
        is_last &= memcmp(file->state + 4, connection->views[k].file.state + 4, STATE_BYTES - 4) != 0;
      }
      if (is_last) options.protocol->close(&connection->rpc, file);
    }
  }
  options.protocol->end(&connections[0].rpc);
  for (int i = 0; i < options.connections; i++) {
    rpc_close(&connections[i].rpc);
    free(connections[i].views);
  }
  free(slots);
}

static void make_entries(void) {
  if (has_entries) return;
  has_entries = true;
  for (int i = 0; i < ENTRIES; i++) {
    snprintf(entry_names[i], ENTRY_NAME_BYTES, "entry-%03d", i);
    struct rpc *rpc = &connections[0].rpc;
    const struct handle *directory = &connections[0].views[i % view_count()].root;
    options.protocol->open(rpc, directory, entry_names[i], &entries[i]);
    options.protocol->close(rpc, &entries[i]);
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

static void on_answer(struct call *call, struct reader *results) {
  struct slot *slot = call->owner;
  uint32_t bytes = options.protocol->check(results, &slot->request);
  if (bytes != slot->request.count) {
    fail("%s: %u bytes instead of %u", run.mode->name, bytes, slot->request.count);
  }
  account(bytes, slot);
  run.in_flight--;
  issue(slot);
}

static uint64_t sequential_offset(struct connection *connection) {
  uint64_t bytes = run.mode->bytes, offset = connection->next_offset / bytes * bytes;
  if (offset + bytes > options.file_bytes) offset = 0;
  connection->next_offset = offset + bytes;
  return offset;
}

static uint64_t random_offset(void) {
  return next_random() % (options.file_bytes / SMALL_BYTES) * SMALL_BYTES;
}

static struct view *next_view(struct connection *connection) {
  return &connection->views[run.operations % (uint64_t)view_count()];
}

/* Queues the slot's next call, unless the time is up or nothing is left to do. */
static void issue(struct slot *slot) {
  struct connection *connection = slot->connection;
  slot->sent_nanos = now_nanos();
  if (slot->sent_nanos >= run.end_nanos) return;
  struct view *view = next_view(connection);
  struct request *request = &slot->request;
  *request = (struct request){.operation = run.mode->operation,
                              .place = (int)(slot - slots),
                              .directory = &view->root,
                              .file = &view->file,
                              .name = slot->name,
                              .count = run.mode->bytes,
                              .data = payload,
                              .stability = options.stability};
  switch (run.mode->operation) {
  case WRITE:
  case READ:
    request->offset = sequential_offset(connection);
    break;
  case RANDOM_WRITE:
  case RANDOM_READ:
    request->offset = random_offset();
    break;
  case GETATTR:
    request->file = &entries[run.operations % ENTRIES];
    break;
  case LOOKUP:
    request->name = entry_names[run.operations % ENTRIES];
    break;
  case CREATE:
    snprintf(slot->name, sizeof slot->name, "made-%" PRIu64, files_created++);
    break;
  case UNLINK:
    if (files_unlinked == files_created) return;
    snprintf(slot->name, sizeof slot->name, "made-%" PRIu64, files_unlinked++);
    break;
  }
  slot->call.owner = slot;
  options.protocol->put(&connection->rpc, &slot->call, request);
  rpc_queue(&connection->rpc, &slot->call);
  run.in_flight++;
}

/* Sends what is queued, waits, and takes in what came. */
static void service(void) {
  struct pollfd polled[CONNECTIONS_MAX];
  for (int i = 0; i < options.connections; i++) {
    bool is_sent = rpc_flush(&connections[i].rpc);
    polled[i] = (struct pollfd){.fd = connections[i].rpc.fd,
                                .events = (short)(POLLIN | (is_sent ? 0 : POLLOUT))};
  }
  int ready = poll(polled, (nfds_t)options.connections, SILENCE_MILLIS);
  if (ready == 0) fail("no answer from the server for %d s", SILENCE_MILLIS / 1000);
  if (ready < 0 && errno != EINTR) fail("poll: %s", strerror(errno));
  for (int i = 0; i < options.connections; i++) {
    if (polled[i].revents & ~POLLOUT) rpc_receive(&connections[i].rpc, on_answer);
  }
}

/* Runs an operation until the end, and returns how long it took until the last call was answered. */
static double perform(const struct mode *mode, int depth, uint64_t duration_nanos) {
  uint64_t start = now_nanos();
  run.mode = mode;
  run.operations = run.bytes = 0;
  memset(run.latencies, 0, sizeof run.latencies);
  run.end_nanos = start + duration_nanos;
  for (int i = 0; i < options.connections * depth; i++) {
    slots[i].connection = &connections[i % options.connections];
    issue(&slots[i]);
  }
  while (run.in_flight > 0) service();
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

static void measure(const struct mode *mode, int depth) {
  if (mode->operation == GETATTR || mode->operation == LOOKUP) make_entries();
  if (mode->bytes > options.file_bytes) fail("%s: the file is shorter", mode->name);
  start_timeline();
  uint64_t cpu_before = server_cpu_micros();
  double seconds =
      perform(mode, depth, (uint64_t)(options.seconds * (double)NANOS_PER_SECOND));
  double cpu_micros = (double)(server_cpu_micros() - cpu_before);
  double operations = (double)run.operations;
  printf("%s:%d\t%" PRIu64 "\t%.3f\t%.1f\t%.2f\t%" PRIu64 "\t%" PRIu64 "\t%.2f\n",
         mode->name, depth, run.operations, seconds, operations / seconds,
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

static const struct mode *parse_mode(const char *text, int *depth) {
  const char *colon = strchr(text, ':');
  if (!colon) fail("%s: expected OPERATION:DEPTH, such as read:8", text);
  *depth = (int)number(text, colon + 1, 1, DEPTH_MAX);
  for (int i = 0; i < MODES; i++) {
    const char *name = modes[i].name;
    if (strlen(name) == (size_t)(colon - text) && !strncmp(name, text, strlen(name))) {
      return &modes[i];
    }
  }
  fail("%s: there is no such operation", text);
}

static void parse_options(int count, char **arguments) {
  static const struct option known[] = {
      {"address", required_argument, 0, 'a'},    {"port", required_argument, 0, 'p'},
      {"mount-port", required_argument, 0, 'm'}, {"uid", required_argument, 0, 'u'},
      {"connections", required_argument, 0, 'c'}, {"seconds", required_argument, 0, 's'},
      {"file", required_argument, 0, 'f'},       {"file-mib", required_argument, 0, 'b'},
      {"stable", no_argument, 0, 'S'},           {"timeline", required_argument, 0, 't'},
      {"server-pid", required_argument, 0, 'P'}, {"jobs", required_argument, 0, 'j'},
      {"nfs", required_argument, 0, 'n'},
      {0, 0, 0, 0},
  };
  int option;
  while ((option = getopt_long(count, arguments, "", known, NULL)) != -1) {
    switch (option) {
    case 'a': options.server.address = optarg; break;
    case 'p': options.server.port = (int)number("port", optarg, 1, 65535); break;
    case 'm': options.server.mount_port = (int)number("mount-port", optarg, 1, 65535); break;
    case 'u': options.server.uid = (uint32_t)number("uid", optarg, 0, INT32_MAX); break;
    case 'c': options.connections = (int)number("connections", optarg, 1, CONNECTIONS_MAX); break;
    case 's':
      options.seconds = strtod(optarg, NULL);
      if (!(options.seconds > 0)) fail("--seconds: %s is not a positive number", optarg);
      break;
    case 'f': options.file = optarg; break;
    case 'b': options.file_bytes = (uint64_t)number("file-mib", optarg, 1, 1 << 20) << 20; break;
    case 'S': options.stability = FILE_SYNC; break;
    case 't': options.timeline = optarg; break;
    case 'P': options.server_pid = (int)number("server-pid", optarg, 1, INT32_MAX); break;
    case 'j': options.jobs = (int)number("jobs", optarg, 1, JOBS_MAX); break;
    case 'n':
      if (!strcmp(optarg, "3")) options.protocol = &nfs3;
      else if (!strcmp(optarg, "4.1")) options.protocol = &nfs41;
      else fail("--nfs: %s is neither 3 nor 4.1", optarg);
      break;
    default: exit(2);
    }
  }
  if (count - optind < 2) fail("expected EXPORT OPERATION:DEPTH...");
  options.export = arguments[optind];
}

int main(int count, char **arguments) {
  parse_options(count, arguments);
  for (size_t i = 0; i < sizeof payload; i++) payload[i] = (char)next_random();
  int depth, depth_max = 1;
  uint32_t transfer_bytes_max = LARGE_BYTES;
  for (int i = optind + 1; i < count; i++) {
    const struct mode *mode = parse_mode(arguments[i], &depth);
    if (depth > depth_max) depth_max = depth;
    if (mode->bytes > transfer_bytes_max) transfer_bytes_max = mode->bytes;
  }
  connect_all(depth_max, transfer_bytes_max);
  for (int i = optind + 1; i < count; i++) {
    const struct mode *mode = parse_mode(arguments[i], &depth);
    measure(mode, depth);
  }
  /* The next run must find the directory as this one did. */
  perform(unlink_mode, 1, UINT64_MAX / 2);
  disconnect_all();
  return 0;
}
