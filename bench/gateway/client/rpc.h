/* Calls over TCP (RFC 5531) that overlap: sent in batches, answered in any order. */
#pragma once

#include "xdr.h"

enum { CALL_BYTES_MAX = 1024, SILENCE_MILLIS = 60 * 1000 };

/* A call under way. What it carries stands between its parts and is not copied. */
struct call {
  uint8_t bytes[CALL_BYTES_MAX];
  struct writer out;
  uint32_t split; /* what is carried comes after so many bytes */
  const void *carried;
  uint32_t carried_length;
  uint32_t xid;
  void *owner;
  struct call *next;
};

struct rpc {
  int fd;
  uint32_t uid;
  uint32_t program, version;
  struct call *first_unsent, *last_unsent;
  size_t sent; /* bytes of the first that is not sent yet */
  uint8_t *in;
  size_t in_bytes; /* the room there */
  size_t in_start, in_length; /* what came and was not dealt with */
  size_t record_length;       /* so much of it is one record's, without marks */
  size_t missing;
};

/* Answers have room that carry so many bytes. */
void rpc_connect(struct rpc *rpc, uint32_t transfer_bytes_max, const char *address, int port,
                 uint32_t program, uint32_t version, uint32_t uid);
void rpc_close(struct rpc *rpc);

/* Begins a call; its arguments are written to its writer then. */
void rpc_begin(struct rpc *rpc, struct call *call, uint32_t procedure);

/* Has the call carry bytes, which are a multiple of four, behind what was written so far. */
void rpc_carry(struct call *call, const void *bytes, uint32_t length);

/* Has a call sent with the next flush. */
void rpc_queue(struct rpc *rpc, struct call *call);

/* Sends as much as the connection takes; false if something is left. */
bool rpc_flush(struct rpc *rpc);

/*
 * Takes in what came, and hands every answer to on_answer with its results; on_answer may queue
 * calls.
 */
void rpc_receive(struct rpc *rpc, void (*on_answer)(struct call *, struct reader *));

/* Makes one call, alone, and gives its results, which are good until the next. */
struct reader rpc_exchange(struct rpc *rpc, struct call *call);
