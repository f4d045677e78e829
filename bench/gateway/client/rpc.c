#define _GNU_SOURCE
#include "rpc.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum {
  RPC_VERSION = 2,
  CALL = 0,
  REPLY = 1,
  AUTH_NONE = 0,
  AUTH_SYS = 1,
  LAST_FRAGMENT_BIT = 31,
  MARK_BYTES = 4,
  AROUND_BYTES = 1 << 17,
  READ_BYTES = 1 << 16,
  BATCH_CALLS = 64,
  /* More than there are places for calls, of which there are 256 on each of 256 connections. */
  XIDS = 1 << 17,
};

static struct call *calls_by_xid[XIDS];
static uint32_t last_xid;

void rpc_connect(struct rpc *rpc, uint32_t transfer_bytes_max, const char *address, int port,
                 uint32_t program, uint32_t version, uint32_t uid) {
  *rpc = (struct rpc){.uid = uid,
                      .program = program,
                      .version = version,
                      .in_bytes = 2 * (size_t)transfer_bytes_max + AROUND_BYTES};
  rpc->fd = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in server = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
  if (inet_pton(AF_INET, address, &server.sin_addr) != 1) {
    fail("%s is not an IPv4 address", address);
  }
  if (rpc->fd < 0 || connect(rpc->fd, (struct sockaddr *)&server, sizeof server) < 0) {
    fail("connecting to %s, port %d: %s", address, port, strerror(errno));
  }
  int yes = 1;
  setsockopt(rpc->fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  rpc->in = malloc(rpc->in_bytes);
  if (!rpc->in) fail("out of memory");
  /* Servers remember the numbers of calls that they answered, perhaps of an earlier client too. */
  if (last_xid == 0) last_xid = (uint32_t)time(NULL) * 2654435761u;
}

void rpc_close(struct rpc *rpc) {
  close(rpc->fd);
  free(rpc->in);
  rpc->in = NULL;
}

/* A number that no call under way has. */
static uint32_t take_xid(struct call *call) {
  do last_xid++;
  while (calls_by_xid[last_xid % XIDS]);
  calls_by_xid[last_xid % XIDS] = call;
  return last_xid;
}

void rpc_begin(struct rpc *rpc, struct call *call, uint32_t procedure) {
  call->out = (struct writer){.bytes = call->bytes, .capacity = CALL_BYTES_MAX};
  call->carried_length = call->split = 0;
  call->xid = take_xid(call);
  call->next = NULL;
  struct writer *out = &call->out;
  put_u32(out, 0); /* the mark, when the length is known */
  put_u32(out, call->xid);
  put_u32(out, CALL);
  put_u32(out, RPC_VERSION);
  put_u32(out, rpc->program);
  put_u32(out, rpc->version);
  put_u32(out, procedure);
  put_u32(out, AUTH_SYS);
  put_u32(out, 5 * sizeof(uint32_t));
  put_u32(out, 0); /* stamp */
  put_u32(out, 0); /* no name of a machine */
  put_u32(out, rpc->uid);
  put_u32(out, rpc->uid); /* group */
  put_u32(out, 0); /* no more groups */
  put_u32(out, AUTH_NONE);
  put_u32(out, 0);
}

void rpc_carry(struct call *call, const void *bytes, uint32_t length) {
  call->carried = bytes;
  call->carried_length = length;
  call->split = call->out.length;
}

void rpc_queue(struct rpc *rpc, struct call *call) {
  if (call->carried_length == 0) call->split = call->out.length;
  uint32_t mark =
      htobe32(1u << LAST_FRAGMENT_BIT | (call->out.length + call->carried_length - MARK_BYTES));
  memcpy(call->bytes, &mark, sizeof mark);
  if (rpc->first_unsent) rpc->last_unsent->next = call;
  else rpc->first_unsent = call;
  rpc->last_unsent = call;
}

static size_t total_length(const struct call *call) {
  return (size_t)call->out.length + call->carried_length;
}

/* Adds a part to what is to be sent, except for what was sent before. */
static void add_part(struct iovec *parts, int *count, const void *bytes, size_t length,
                     size_t *sent) {
  size_t skipped = *sent < length ? *sent : length;
  *sent -= skipped;
  if (length > skipped) {
    parts[(*count)++] =
        (struct iovec){.iov_base = (uint8_t *)bytes + skipped, .iov_len = length - skipped};
  }
}

bool rpc_flush(struct rpc *rpc) {
  while (rpc->first_unsent) {
    struct iovec parts[3 * BATCH_CALLS];
    int count = 0, batch = 0;
    size_t skipped = rpc->sent;
    for (struct call *call = rpc->first_unsent; call && batch < BATCH_CALLS; call = call->next) {
      add_part(parts, &count, call->bytes, call->split, &skipped);
      add_part(parts, &count, call->carried, call->carried_length, &skipped);
      add_part(parts, &count, call->bytes + call->split, call->out.length - call->split, &skipped);
      batch++;
    }
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = (size_t)count};
    ssize_t written = sendmsg(rpc->fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (written < 0) {
      if (errno == EAGAIN) return false;
      if (errno == EINTR) continue;
      fail("sending: %s", strerror(errno));
    }
    rpc->sent += (size_t)written;
    while (rpc->first_unsent && rpc->sent >= total_length(rpc->first_unsent)) {
      rpc->sent -= total_length(rpc->first_unsent);
      rpc->first_unsent = rpc->first_unsent->next;
    }
  }
  return true;
}

/* Goes over the head of an answer; gives the call that it is for. */
static struct call *answered(struct reader *in) {
  uint32_t xid = take_u32(in);
  struct call *call = calls_by_xid[xid % XIDS];
  if (!call || call->xid != xid) fail("an answer to a call that nobody made");
  if (take_u32(in) != REPLY) fail("a call from the server");
  uint32_t denied = take_u32(in);
  if (denied) fail("the server refused a call: reason %u", take_u32(in));
  take_u32(in); /* flavor of the verifier */
  skip_opaque(in);
  uint32_t status = take_u32(in);
  if (status) fail("the server did not take a call: status %u", status);
  calls_by_xid[xid % XIDS] = NULL;
  return call;
}

/*
 * Finds the next record that is whole; the bytes of its fragments are joined where they stand.
 * Otherwise notes how many bytes are missing at least.
 */
static bool next_record(struct rpc *rpc, struct reader *record) {
  for (;;) {
    uint8_t *start = rpc->in + rpc->in_start;
    size_t rest = rpc->in_length - rpc->record_length;
    if (rest < MARK_BYTES) {
      rpc->missing = MARK_BYTES - rest;
      return false;
    }
    uint32_t mark;
    memcpy(&mark, start + rpc->record_length, sizeof mark);
    mark = be32toh(mark);
    bool is_last = mark >> LAST_FRAGMENT_BIT;
    size_t length = mark & ~(1u << LAST_FRAGMENT_BIT);
    if (rpc->record_length + length + MARK_BYTES > rpc->in_bytes - READ_BYTES) {
      fail("an answer of more than %zu bytes", rpc->in_bytes - READ_BYTES);
    }
    if (rest - MARK_BYTES < length) {
      rpc->missing = length - (rest - MARK_BYTES);
      return false;
    }
    if (rpc->record_length > 0) {
      memmove(start + MARK_BYTES, start, rpc->record_length);
    }
    rpc->in_start += MARK_BYTES;
    rpc->in_length -= MARK_BYTES;
    rpc->record_length += length;
    if (is_last) {
      record->at = rpc->in + rpc->in_start;
      record->end = record->at + rpc->record_length;
      rpc->in_start += rpc->record_length;
      rpc->in_length -= rpc->record_length;
      rpc->record_length = 0;
      return true;
    }
  }
}

void rpc_receive(struct rpc *rpc, void (*on_answer)(struct call *, struct reader *)) {
  if (rpc->in_length == 0) {
    rpc->in_start = 0;
  } else if (rpc->in_start + rpc->in_length + rpc->missing > rpc->in_bytes - READ_BYTES) {
    memmove(rpc->in, rpc->in + rpc->in_start, rpc->in_length);
    rpc->in_start = 0;
  }
  /* No more than the end of a long record, so that only the beginnings of short ones are moved. */
  size_t wanted = rpc->missing > READ_BYTES ? rpc->missing : READ_BYTES;
  ssize_t got = recv(rpc->fd, rpc->in + rpc->in_start + rpc->in_length, wanted, MSG_DONTWAIT);
  if (got == 0) fail("the server ended the connection");
  if (got < 0 && errno != EAGAIN && errno != EINTR) fail("receiving: %s", strerror(errno));
  if (got > 0) rpc->in_length += (size_t)got;
  struct reader record;
  while (next_record(rpc, &record)) {
    struct call *call = answered(&record);
    on_answer(call, &record);
  }
}

static struct reader exchanged;
static bool is_exchanged;

static void on_exchanged(struct call *call, struct reader *results) {
  (void)call;
  exchanged = *results;
  is_exchanged = true;
}

struct reader rpc_exchange(struct rpc *rpc, struct call *call) {
  is_exchanged = false;
  rpc_queue(rpc, call);
  while (!is_exchanged) {
    bool is_sent = rpc_flush(rpc);
    struct pollfd polled = {.fd = rpc->fd, .events = (short)(POLLIN | (is_sent ? 0 : POLLOUT))};
    int ready = poll(&polled, 1, SILENCE_MILLIS);
    if (ready == 0) fail("no answer from the server for %d s", SILENCE_MILLIS / 1000);
    if (polled.revents & ~POLLOUT) rpc_receive(rpc, on_exchanged);
  }
  return exchanged;
}
