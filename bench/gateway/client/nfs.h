/* What the load client asks of a server, whichever version of NFS it does so in. */
#pragma once

#include "rpc.h"

enum operation { WRITE, READ, RANDOM_WRITE, RANDOM_READ, GETATTR, LOOKUP, CREATE, UNLINK };

enum { HANDLE_BYTES_MAX = 128, STATE_BYTES = 16, UNSTABLE = 0, FILE_SYNC = 2 };

struct handle {
  uint32_t length;
  uint8_t bytes[HANDLE_BYTES_MAX];
};

/* A file that is open. */
struct file {
  struct handle handle;
  uint8_t state[STATE_BYTES]; /* by what version 4 knows the open */
  uint64_t size;
};

/* One operation. */
struct request {
  enum operation operation;
  int place; /* from 0; no two requests under way have the same */
  const struct handle *directory;
  const struct file *file;
  const char *name;
  uint64_t offset;
  uint32_t count;
  const void *data;
  uint32_t stability;
};

struct server {
  const char *address;
  int port;
  int mount_port;
  uint32_t uid;
};

/* A version of NFS. What goes wrong ends the program. */
struct protocol {
  uint32_t version;
  /*
   * To be called first: so many requests at a time, at most, will be on all connections together, each
   * of which moves so many bytes at most.
   */
  void (*begin)(struct rpc *rpc, int places, uint32_t transfer_bytes_max);
  struct handle (*mount)(struct rpc *rpc, const struct server *server, const char *path);
  /* Opens a file, which is made if there is none. */
  void (*open)(struct rpc *rpc, const struct handle *directory, const char *name,
               struct file *file);
  void (*close)(struct rpc *rpc, const struct file *file);
  /* Writes a call, from its head on. */
  void (*put)(struct rpc *rpc, struct call *call, const struct request *request);
  /* Reads its results; gives how many bytes of contents were moved. */
  uint32_t (*check)(struct reader *in, const struct request *request);
  /* To be called last. */
  void (*end)(struct rpc *rpc);
};

enum { NFS_PROGRAM = 100003 };

extern const struct protocol nfs3, nfs41;

static inline void put_handle(struct writer *out, const struct handle *handle) {
  put_opaque(out, handle->bytes, handle->length);
}

static inline void take_handle(struct reader *in, struct handle *handle) {
  const uint8_t *bytes = take_opaque(in, &handle->length);
  if (handle->length > HANDLE_BYTES_MAX) fail("a handle of %u bytes", handle->length);
  memcpy(handle->bytes, bytes, handle->length);
}
