/*
 * NFS version 4.1 (RFC 8881), with a session as Linux has it: one client, one session for all its
 * connections, one slot for each request that may be under way. Operations are put together as
 * Linux does it: a write asks for what changed of the file, a read asks for nothing else, and no
 * replies of either are to be kept.
 */
#include "nfs.h"

#include <inttypes.h>
#include <time.h>
#include <unistd.h>

enum {
  VERSION = 4,
  MINOR_VERSION = 1,
  COMPOUND = 1,

  OP_CLOSE = 4,
  OP_GETATTR = 9,
  OP_GETFH = 10,
  OP_LOOKUP = 15,
  OP_OPEN = 18,
  OP_PUTFH = 22,
  OP_PUTROOTFH = 24,
  OP_READ = 25,
  OP_REMOVE = 28,
  OP_WRITE = 38,
  OP_EXCHANGE_ID = 42,
  OP_CREATE_SESSION = 43,
  OP_DESTROY_SESSION = 44,
  OP_SEQUENCE = 53,
  OP_DESTROY_CLIENTID = 57,
  OP_RECLAIM_COMPLETE = 58,

  OK = 0,
  STATUS_DELAY = 10008,
  STATUS_GRACE = 10013,

  SHARE_ACCESS_BOTH = 3,
  SHARE_DENY_NONE = 0,
  OPEN_CREATE = 1,
  CREATE_UNCHECKED = 0,
  CLAIM_NULL = 0,

  SESSION_BYTES = 16,
  SLOTS_MAX = 1 << 16,
  /* What is around a transfer. */
  AROUND_BYTES = 1 << 12,
  CACHED_BYTES_MAX = 2048,
  OPERATIONS_MAX = 8,
  PATH_PARTS_MAX = 32,
  WAIT_SECONDS = 150,
};

/* What Linux wants to know of a file when it asks for its attributes, and after a write. */
static const uint32_t all_attributes[] = {0x0010011a, 0x00b0a23a};
static const uint32_t changed_attributes[] = {0x00000018, 0x00300000};
static const uint32_t size_attribute[] = {0x00000010, 0};
static const uint32_t mode_attribute[] = {0, 0x00000002};

static uint64_t client_id;
static uint8_t session[SESSION_BYTES];
static uint32_t slots;
static uint32_t sequences[SLOTS_MAX];

static void put_attributes(struct writer *out, const uint32_t attributes[2]) {
  put_u32(out, 2);
  put_u32(out, attributes[0]);
  put_u32(out, attributes[1]);
}

static void skip_bitmap(struct reader *in) {
  uint32_t words = take_u32(in);
  if (words > 64) fail("a bitmap of %u words", words);
  take(in, words * (uint32_t)sizeof(uint32_t));
}

/* ---- COMPOUNDs ---- */

static void put_compound(struct rpc *rpc, struct call *call, uint32_t operations) {
  rpc_begin(rpc, call, COMPOUND);
  put_u32(&call->out, 0); /* no tag */
  put_u32(&call->out, MINOR_VERSION);
  put_u32(&call->out, operations);
}

/* A COMPOUND in the session, of so many operations besides SEQUENCE. */
static void put_sequence(struct rpc *rpc, struct call *call, int place, bool is_to_be_kept,
                         uint32_t operations) {
  put_compound(rpc, call, operations + 1);
  put_u32(&call->out, OP_SEQUENCE);
  put_fixed(&call->out, session, SESSION_BYTES);
  put_u32(&call->out, ++sequences[place]);
  put_u32(&call->out, (uint32_t)place);
  put_u32(&call->out, slots - 1);
  put_u32(&call->out, is_to_be_kept);
}

static void put_putfh(struct writer *out, const struct handle *handle) {
  put_u32(out, OP_PUTFH);
  put_handle(out, handle);
}

/* Goes on to the results of the next operation, which must have succeeded. */
static void take_operation(struct reader *in, uint32_t operation) {
  uint32_t found = take_u32(in), status = take_u32(in);
  if (found != operation) fail("results of operation %u instead of %u", found, operation);
  if (status != OK) fail("operation %u: status %u", operation, status);
}

static uint32_t take_status(struct reader *in) {
  uint32_t status = take_u32(in);
  skip_opaque(in);
  take_u32(in); /* how many operations were done */
  return status;
}

static void take_sequence(struct reader *in) {
  take_status(in);
  take_operation(in, OP_SEQUENCE);
  take(in, SESSION_BYTES + 5 * (uint32_t)sizeof(uint32_t));
}

/* ---- The client and its session ---- */

static void exchange_id(struct rpc *rpc, uint32_t *sequence) {
  struct call call;
  struct timespec now;
  char owner[64];
  clock_gettime(CLOCK_REALTIME, &now);
  /* Each run is a client of its own. */
  snprintf(owner, sizeof owner, "nfs-client %d %" PRId64 ".%09ld", (int)getpid(),
           (int64_t)now.tv_sec, now.tv_nsec);
  put_compound(rpc, &call, 1);
  put_u32(&call.out, OP_EXCHANGE_ID);
  put_u64(&call.out, (uint64_t)now.tv_sec << 32 | (uint64_t)now.tv_nsec);
  put_text(&call.out, owner);
  put_u32(&call.out, 0); /* no flags */
  put_u32(&call.out, 0); /* no protection of state */
  put_u32(&call.out, 0); /* no name of ours */
  struct reader in = rpc_exchange(rpc, &call);
  take_status(&in);
  take_operation(&in, OP_EXCHANGE_ID);
  client_id = take_u64(&in);
  *sequence = take_u32(&in);
}

static void put_channel(struct writer *out, uint32_t message_bytes, uint32_t requests) {
  put_u32(out, 0); /* no padding of heads */
  put_u32(out, message_bytes);
  put_u32(out, message_bytes);
  put_u32(out, CACHED_BYTES_MAX);
  put_u32(out, OPERATIONS_MAX + PATH_PARTS_MAX);
  put_u32(out, requests);
  put_u32(out, 0); /* no RDMA */
}

static void create_session(struct rpc *rpc, uint32_t sequence, uint32_t message_bytes,
                           uint32_t wanted) {
  struct call call;
  put_compound(rpc, &call, 1);
  put_u32(&call.out, OP_CREATE_SESSION);
  put_u64(&call.out, client_id);
  put_u32(&call.out, sequence);
  put_u32(&call.out, 0); /* neither kept beyond a restart nor for calls back */
  put_channel(&call.out, message_bytes, wanted);
  put_channel(&call.out, message_bytes, 1);
  put_u32(&call.out, 0x40000000); /* the program of calls back, which nobody makes */
  put_u32(&call.out, 1);
  put_u32(&call.out, 0); /* AUTH_NONE for them */
  struct reader in = rpc_exchange(rpc, &call);
  take_status(&in);
  take_operation(&in, OP_CREATE_SESSION);
  memcpy(session, take(&in, SESSION_BYTES), SESSION_BYTES);
  take(&in, 2 * sizeof(uint32_t)); /* sequence and flags */
  take_u32(&in); /* padding */
  uint32_t request_bytes = take_u32(&in), reply_bytes = take_u32(&in);
  take(&in, 2 * sizeof(uint32_t));
  slots = take_u32(&in);
  if (request_bytes < message_bytes || reply_bytes < message_bytes) {
    fail("the session is for calls of %u and answers of %u bytes", request_bytes, reply_bytes);
  }
  if (slots < wanted) fail("the session has %u slots, not the %u wanted", slots, wanted);
  slots = wanted;
}

static void begin(struct rpc *rpc, int places, uint32_t transfer_bytes_max) {
  uint32_t sequence;
  struct call call;
  if (places > SLOTS_MAX) fail("more than %d calls at a time", SLOTS_MAX);
  exchange_id(rpc, &sequence);
  create_session(rpc, sequence, transfer_bytes_max + AROUND_BYTES, (uint32_t)places);
  put_sequence(rpc, &call, 0, false, 1);
  put_u32(&call.out, OP_RECLAIM_COMPLETE);
  put_u32(&call.out, 0); /* of all file systems */
  struct reader in = rpc_exchange(rpc, &call);
  take_sequence(&in);
  take_operation(&in, OP_RECLAIM_COMPLETE);
}

static void end(struct rpc *rpc) {
  struct call call;
  put_compound(rpc, &call, 1);
  put_u32(&call.out, OP_DESTROY_SESSION);
  put_fixed(&call.out, session, SESSION_BYTES);
  struct reader in = rpc_exchange(rpc, &call);
  take_status(&in);
  take_operation(&in, OP_DESTROY_SESSION);
  put_compound(rpc, &call, 1);
  put_u32(&call.out, OP_DESTROY_CLIENTID);
  put_u64(&call.out, client_id);
  in = rpc_exchange(rpc, &call);
  take_status(&in);
  take_operation(&in, OP_DESTROY_CLIENTID);
}

/* ---- Files ---- */

static struct handle mount_export(struct rpc *rpc, const struct server *server, const char *path) {
  (void)server;
  struct call call;
  struct handle root;
  char names[4096], *names_left = names;
  const char *parts[PATH_PARTS_MAX];
  uint32_t count = 0;
  snprintf(names, sizeof names, "%s", path);
  for (char *part; (part = strsep(&names_left, "/"));) {
    if (!*part) continue;
    if (count == PATH_PARTS_MAX) fail("%s: more than %d names", path, PATH_PARTS_MAX);
    parts[count++] = part;
  }
  put_sequence(rpc, &call, 0, false, count + 2);
  put_u32(&call.out, OP_PUTROOTFH);
  for (uint32_t i = 0; i < count; i++) {
    put_u32(&call.out, OP_LOOKUP);
    put_text(&call.out, parts[i]);
  }
  put_u32(&call.out, OP_GETFH);
  struct reader in = rpc_exchange(rpc, &call);
  take_sequence(&in);
  take_operation(&in, OP_PUTROOTFH);
  for (uint32_t i = 0; i < count; i++) take_operation(&in, OP_LOOKUP);
  take_operation(&in, OP_GETFH);
  take_handle(&in, &root);
  return root;
}

static void put_open(struct writer *out, const char *name) {
  put_u32(out, OP_OPEN);
  put_u32(out, 0); /* a sequence of version 4.0 */
  put_u32(out, SHARE_ACCESS_BOTH);
  put_u32(out, SHARE_DENY_NONE);
  put_u64(out, client_id);
  put_text(out, "owner");
  put_u32(out, OPEN_CREATE);
  put_u32(out, CREATE_UNCHECKED);
  put_attributes(out, mode_attribute);
  put_u32(out, sizeof(uint32_t));
  put_u32(out, 0666);
  put_u32(out, CLAIM_NULL);
  put_text(out, name);
}

static void take_open(struct reader *in, uint8_t state[STATE_BYTES]) {
  take_operation(in, OP_OPEN);
  memcpy(state, take(in, STATE_BYTES), STATE_BYTES);
  take(in, 5 * sizeof(uint32_t)); /* what became of the directory */
  take_u32(in); /* flags */
  skip_bitmap(in);
  uint32_t delegation = take_u32(in);
  if (delegation != 0) fail("a delegation of kind %u, which nobody wanted", delegation);
}

static void put_close(struct writer *out, const uint8_t state[STATE_BYTES]) {
  put_u32(out, OP_CLOSE);
  put_u32(out, 0); /* a sequence of version 4.0 */
  put_fixed(out, state, STATE_BYTES);
}

static void take_close(struct reader *in) {
  take_operation(in, OP_CLOSE);
  take(in, STATE_BYTES);
}

static void open_file(struct rpc *rpc, const struct handle *directory, const char *name,
                      struct file *file) {
  struct call call;
  struct reader in;
  /* After a start servers may wait for clients of before. */
  for (int tries = 0;; tries++) {
    put_sequence(rpc, &call, 0, true, 4);
    put_putfh(&call.out, directory);
    put_open(&call.out, name);
    put_u32(&call.out, OP_GETFH);
    put_u32(&call.out, OP_GETATTR);
    put_attributes(&call.out, size_attribute);
    in = rpc_exchange(rpc, &call);
    struct reader ahead = in;
    uint32_t status = take_status(&ahead);
    if ((status != STATUS_GRACE && status != STATUS_DELAY) || tries == WAIT_SECONDS) break;
    sleep(1);
  }
  take_sequence(&in);
  take_operation(&in, OP_PUTFH);
  take_open(&in, file->state);
  /* Jobs that share a file have one open; the number 0 means it as it is after the last of them. */
  memset(file->state, 0, sizeof(uint32_t));
  take_operation(&in, OP_GETFH);
  take_handle(&in, &file->handle);
  take_operation(&in, OP_GETATTR);
  skip_bitmap(&in);
  take_u32(&in); /* the length of the attributes, of which there is one */
  file->size = take_u64(&in);
}

static void close_file(struct rpc *rpc, const struct file *file) {
  struct call call;
  put_sequence(rpc, &call, 0, true, 2);
  put_putfh(&call.out, &file->handle);
  put_close(&call.out, file->state);
  struct reader in = rpc_exchange(rpc, &call);
  take_sequence(&in);
  take_operation(&in, OP_PUTFH);
  take_close(&in);
}

/* ---- Operations ---- */

/* The state that an operation before left behind: sequence 1, and nothing else. */
static const uint8_t current_state[STATE_BYTES] = {0, 0, 0, 1};

static void put_getattr(struct writer *out, const uint32_t attributes[2]) {
  put_u32(out, OP_GETATTR);
  put_attributes(out, attributes);
}

static void put(struct rpc *rpc, struct call *call, const struct request *request) {
  struct writer *out = &call->out;
  switch (request->operation) {
  case WRITE:
  case RANDOM_WRITE:
    put_sequence(rpc, call, request->place, false, 3);
    put_putfh(out, &request->file->handle);
    put_u32(out, OP_WRITE);
    put_fixed(out, request->file->state, STATE_BYTES);
    put_u64(out, request->offset);
    put_u32(out, request->stability);
    put_u32(out, request->count);
    rpc_carry(call, request->data, request->count);
    put_getattr(out, changed_attributes);
    break;
  case READ:
  case RANDOM_READ:
    put_sequence(rpc, call, request->place, false, 2);
    put_putfh(out, &request->file->handle);
    put_u32(out, OP_READ);
    put_fixed(out, request->file->state, STATE_BYTES);
    put_u64(out, request->offset);
    put_u32(out, request->count);
    break;
  case GETATTR:
    put_sequence(rpc, call, request->place, false, 2);
    put_putfh(out, &request->file->handle);
    put_getattr(out, all_attributes);
    break;
  case LOOKUP:
    put_sequence(rpc, call, request->place, false, 4);
    put_putfh(out, request->directory);
    put_u32(out, OP_LOOKUP);
    put_text(out, request->name);
    put_u32(out, OP_GETFH);
    put_getattr(out, all_attributes);
    break;
  case CREATE:
    put_sequence(rpc, call, request->place, true, 4);
    put_putfh(out, request->directory);
    put_open(out, request->name);
    put_u32(out, OP_GETFH);
    put_close(out, current_state);
    break;
  case UNLINK:
    put_sequence(rpc, call, request->place, true, 2);
    put_putfh(out, request->directory);
    put_u32(out, OP_REMOVE);
    put_text(out, request->name);
    break;
  }
}

static void take_getattr(struct reader *in) {
  take_operation(in, OP_GETATTR);
  skip_bitmap(in);
  skip_opaque(in);
}

static uint32_t check(struct reader *in, const struct request *request) {
  uint32_t count = 0;
  uint8_t state[STATE_BYTES];
  take_sequence(in);
  take_operation(in, OP_PUTFH);
  switch (request->operation) {
  case WRITE:
  case RANDOM_WRITE:
    take_operation(in, OP_WRITE);
    count = take_u32(in);
    take(in, sizeof(uint32_t) + sizeof(uint64_t)); /* how it was written, verifier */
    take_getattr(in);
    break;
  case READ:
  case RANDOM_READ:
    take_operation(in, OP_READ);
    take_u32(in); /* whether that is the end */
    take_opaque(in, &count);
    break;
  case GETATTR:
    take_getattr(in);
    break;
  case LOOKUP:
    take_operation(in, OP_LOOKUP);
    take_operation(in, OP_GETFH);
    skip_opaque(in);
    take_getattr(in);
    break;
  case CREATE:
    take_open(in, state);
    take_operation(in, OP_GETFH);
    skip_opaque(in);
    take_close(in);
    break;
  case UNLINK:
    take_operation(in, OP_REMOVE);
    take(in, 5 * sizeof(uint32_t)); /* what became of the directory */
    break;
  }
  return count;
}

const struct protocol nfs41 = {
    .version = VERSION,
    .begin = begin,
    .mount = mount_export,
    .open = open_file,
    .close = close_file,
    .put = put,
    .check = check,
    .end = end,
};
