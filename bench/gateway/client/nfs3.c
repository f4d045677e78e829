/* NFS version 3 (RFC 1813). */
#include "nfs.h"

enum {
  VERSION = 3,
  MOUNT_PROGRAM = 100005,
  MOUNT_PROCEDURE = 1,

  PROCEDURE_GETATTR = 1,
  PROCEDURE_LOOKUP = 3,
  PROCEDURE_READ = 6,
  PROCEDURE_WRITE = 7,
  PROCEDURE_CREATE = 8,
  PROCEDURE_REMOVE = 12,

  OK = 0,
  NO_ENTRY = 2,
  CREATE_UNCHECKED = 0,
  ATTRIBUTES_BYTES = 84,
  ATTRIBUTES_SIZE_AT = 20,
  ATTRIBUTES_BEFORE_BYTES = 24,
};

static void begin(struct rpc *rpc, int places, uint32_t transfer_bytes_max) {
  (void)rpc;
  (void)places;
  (void)transfer_bytes_max;
}

static void end(struct rpc *rpc) { (void)rpc; }

static struct handle mount_export(struct rpc *rpc, const struct server *server, const char *path) {
  (void)rpc;
  struct rpc mount;
  struct call call;
  struct handle root;
  rpc_connect(&mount, 0, server->address, server->mount_port, MOUNT_PROGRAM, VERSION, server->uid);
  rpc_begin(&mount, &call, MOUNT_PROCEDURE);
  put_text(&call.out, path);
  struct reader in = rpc_exchange(&mount, &call);
  uint32_t status = take_u32(&in);
  if (status != OK) fail("mounting %s: refused with %u", path, status);
  take_handle(&in, &root);
  rpc_close(&mount);
  return root;
}

/* Gives the size, if it is told. */
static uint64_t take_attributes(struct reader *in) {
  if (!take_u32(in)) return 0;
  struct reader attributes = {.at = take(in, ATTRIBUTES_BYTES), .end = in->at};
  take(&attributes, ATTRIBUTES_SIZE_AT);
  return take_u64(&attributes);
}

static void skip_attributes_before_and_after(struct reader *in) {
  if (take_u32(in)) take(in, ATTRIBUTES_BEFORE_BYTES);
  take_attributes(in);
}

static void put_place(struct writer *out, const struct handle *directory, const char *name) {
  put_handle(out, directory);
  put_text(out, name);
}

static void put_create(struct writer *out, const struct handle *directory, const char *name) {
  put_place(out, directory, name);
  put_u32(out, CREATE_UNCHECKED);
  put_u32(out, 1);
  put_u32(out, 0666);
  /* User, group, size and both times are left to the server. */
  for (int i = 0; i < 5; i++) put_u32(out, 0);
}

static bool look_up(struct rpc *rpc, const struct handle *directory, const char *name,
                    struct file *file) {
  struct call call;
  rpc_begin(rpc, &call, PROCEDURE_LOOKUP);
  put_place(&call.out, directory, name);
  struct reader in = rpc_exchange(rpc, &call);
  uint32_t status = take_u32(&in);
  if (status == NO_ENTRY) return false;
  if (status != OK) fail("lookup %s: status %u", name, status);
  take_handle(&in, &file->handle);
  file->size = take_attributes(&in);
  return true;
}

static void open_file(struct rpc *rpc, const struct handle *directory, const char *name,
                      struct file *file) {
  if (look_up(rpc, directory, name, file)) return;
  struct call call;
  rpc_begin(rpc, &call, PROCEDURE_CREATE);
  put_create(&call.out, directory, name);
  struct reader in = rpc_exchange(rpc, &call);
  uint32_t status = take_u32(&in);
  if (status != OK) fail("create %s: status %u", name, status);
  if (!look_up(rpc, directory, name, file)) fail("%s was made and is not there", name);
}

static void close_file(struct rpc *rpc, const struct file *file) {
  (void)rpc;
  (void)file;
}

static const uint32_t procedures[] = {
    [WRITE] = PROCEDURE_WRITE,        [READ] = PROCEDURE_READ,
    [RANDOM_WRITE] = PROCEDURE_WRITE, [RANDOM_READ] = PROCEDURE_READ,
    [GETATTR] = PROCEDURE_GETATTR,    [LOOKUP] = PROCEDURE_LOOKUP,
    [CREATE] = PROCEDURE_CREATE,      [UNLINK] = PROCEDURE_REMOVE,
};

static void put(struct rpc *rpc, struct call *call, const struct request *request) {
  struct writer *out = &call->out;
  rpc_begin(rpc, call, procedures[request->operation]);
  switch (request->operation) {
  case WRITE:
  case RANDOM_WRITE:
    put_handle(out, &request->file->handle);
    put_u64(out, request->offset);
    put_u32(out, request->count);
    put_u32(out, request->stability);
    put_u32(out, request->count);
    rpc_carry(call, request->data, request->count);
    break;
  case READ:
  case RANDOM_READ:
    put_handle(out, &request->file->handle);
    put_u64(out, request->offset);
    put_u32(out, request->count);
    break;
  case GETATTR:
    put_handle(out, &request->file->handle);
    break;
  case LOOKUP:
  case UNLINK:
    put_place(out, request->directory, request->name);
    break;
  case CREATE:
    put_create(out, request->directory, request->name);
    break;
  }
}

static uint32_t check(struct reader *in, const struct request *request) {
  uint32_t status = take_u32(in);
  if (status != OK) fail("status %u", status);
  uint32_t count;
  switch (request->operation) {
  case WRITE:
  case RANDOM_WRITE:
    skip_attributes_before_and_after(in);
    return take_u32(in);
  case READ:
  case RANDOM_READ:
    take_attributes(in);
    take_u32(in); /* the count, which stands before the contents again */
    take_u32(in); /* whether that is the end */
    take_opaque(in, &count);
    return count;
  case GETATTR:
    take(in, ATTRIBUTES_BYTES);
    return 0;
  default:
    return 0;
  }
}

const struct protocol nfs3 = {
    .version = VERSION,
    .begin = begin,
    .mount = mount_export,
    .open = open_file,
    .close = close_file,
    .put = put,
    .check = check,
    .end = end,
};
