/*
 * What sockets and the file system alone take for the bytes that the load client moves: a server
 * without a protocol.
 *
 *   bare DIRECTORY PORT
 *
 * It answers the calls of NFS 3 that the client of these measurements makes to read and write, and
 * looks at nothing in them but where a number stands: no checks, no users, no handles, no attributes,
 * no scheduler, one thread for each connection. What is large goes between the page cache and the
 * socket through a pipe. Whoever is as quick as this one has nothing left to gain.
 */
#define _GNU_SOURCE
#include "../client/xdr.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
  MOUNT_PROGRAM = 100005,
  LOOKUP = 3,
  READ = 6,
  WRITE = 7,
  CREATE = 8,

  MARK_BYTES = 4,
  PROGRAM_AT = 16,
  PROCEDURE_AT = 24,
  ARGUMENTS_AT = 64,
  HANDLE_BYTES = 8, /* a length, and the number of a descriptor */
  WRITE_HEAD_BYTES = ARGUMENTS_AT + HANDLE_BYTES + 20,

  ATTRIBUTES_BYTES = 84,
  ATTRIBUTES_SIZE_AT = 20,

  PIPE_BYTES = 8 << 20, /* The network brings pieces of any size, each in a place of its own. */
  PIPED_BYTES_MIN = 128 << 10,
  IN_BYTES = 64 << 10,
  OUT_BYTES = 256 << 10,
  OK = 0,
  NO_ENTRY = 2,
};

static int directory;

struct connection {
  int fd;
  int pipe[2];
  uint8_t in[IN_BYTES];
  size_t start, end;
  uint8_t out[OUT_BYTES];
  struct writer replies;
};

static void send_all(struct connection *c, const uint8_t *bytes, size_t length, int flags) {
  while (length > 0) {
    ssize_t sent = send(c->fd, bytes, length, flags | MSG_NOSIGNAL);
    if (sent < 0) pthread_exit(NULL);
    bytes += sent;
    length -= (size_t)sent;
  }
}

static void flush(struct connection *c, int flags) {
  send_all(c, c->out, c->replies.length, flags);
  c->replies.length = 0;
}

/* Waits until so many bytes are here. */
static void need(struct connection *c, size_t bytes) {
  while (c->end - c->start < bytes) {
    if (c->start == c->end) c->start = c->end = 0;
    if (c->start + bytes > IN_BYTES) {
      memmove(c->in, c->in + c->start, c->end - c->start);
      c->end -= c->start;
      c->start = 0;
    }
    flush(c, 0);
    ssize_t received = recv(c->fd, c->in + c->end, IN_BYTES - c->end, 0);
    if (received <= 0) pthread_exit(NULL);
    c->end += (size_t)received;
  }
}

static uint32_t u32_at(const uint8_t *bytes) {
  uint32_t wire;
  memcpy(&wire, bytes, sizeof wire);
  return be32toh(wire);
}

static uint64_t u64_at(const uint8_t *bytes) {
  return (uint64_t)u32_at(bytes) << 32 | u32_at(bytes + 4);
}

/* Begins a reply whose results have so many bytes. */
static void put_head(struct connection *c, uint32_t xid, uint32_t result_bytes) {
  struct writer *out = &c->replies;
  if (out->capacity - out->length < result_bytes + 64) flush(c, 0);
  put_u32(out, 1u << 31 | (24 + result_bytes));
  put_u32(out, xid);
  put_u32(out, 1); /* a reply, accepted, without a verifier, successful */
  for (int i = 0; i < 4; i++) put_u32(out, 0);
}

static void put_number(struct writer *out, int descriptor) {
  uint32_t number = (uint32_t)descriptor;
  put_opaque(out, &number, sizeof number);
}

static int descriptor_at(const uint8_t *handle) {
  uint32_t number;
  memcpy(&number, handle + 4, sizeof number);
  return (int)number;
}

static const char *name_at(const uint8_t *text, char *name, size_t capacity) {
  snprintf(name, capacity, "%.*s", (int)u32_at(text), (const char *)text + 4);
  return name;
}

/* Descriptors stay open: the client asks for a handful of files. */
static void look_up(struct connection *c, uint32_t xid, const uint8_t *arguments) {
  char name[256];
  int file = openat(directory, name_at(arguments + HANDLE_BYTES, name, sizeof name), O_RDWR);
  struct stat status;
  if (file < 0 || fstat(file, &status) < 0) {
    put_head(c, xid, 4);
    put_u32(&c->replies, NO_ENTRY);
    return;
  }
  uint8_t attributes[ATTRIBUTES_BYTES] = {0};
  uint64_t size = htobe64((uint64_t)status.st_size);
  memcpy(attributes + ATTRIBUTES_SIZE_AT, &size, sizeof size);
  put_head(c, xid, 4 + HANDLE_BYTES + 4 + ATTRIBUTES_BYTES + 4);
  put_u32(&c->replies, OK);
  put_number(&c->replies, file);
  put_u32(&c->replies, 1);
  put_fixed(&c->replies, attributes, sizeof attributes);
  put_u32(&c->replies, 0);
}

static void create(struct connection *c, uint32_t xid, const uint8_t *arguments) {
  char name[256];
  int file =
      openat(directory, name_at(arguments + HANDLE_BYTES, name, sizeof name), O_CREAT | O_RDWR, 0666);
  if (file < 0) fail("create %s: %s", name, strerror(errno));
  close(file);
  put_head(c, xid, 4);
  put_u32(&c->replies, OK);
}

static void read_file(struct connection *c, uint32_t xid, const uint8_t *arguments) {
  int file = descriptor_at(arguments);
  off_t offset = (off_t)u64_at(arguments + HANDLE_BYTES);
  uint32_t count = u32_at(arguments + HANDLE_BYTES + 8);
  struct writer *out = &c->replies;
  put_head(c, xid, 20 + count);
  put_u32(out, OK);
  put_u32(out, 0);
  put_u32(out, count);
  put_u32(out, 0);
  put_u32(out, count);
  if (count < PIPED_BYTES_MIN) {
    if (pread(file, put_room(out, count), count, offset) != (ssize_t)count) fail("a short read");
    return;
  }
  flush(c, MSG_MORE);
  size_t left = count;
  while (left > 0) {
    ssize_t in = splice(file, &offset, c->pipe[1], NULL, left, 0);
    if (in <= 0) fail("a short read");
    left -= (size_t)in;
    while (in > 0) {
      ssize_t sent = splice(c->pipe[0], NULL, c->fd, NULL, (size_t)in, left ? SPLICE_F_MORE : 0);
      if (sent <= 0) pthread_exit(NULL);
      in -= sent;
    }
  }
}

/* Writes what is large and mostly not here yet: from the socket to the page cache with one copy. */
static void write_piped(struct connection *c, int file, off_t offset, size_t here, size_t count) {
  if (write(c->pipe[1], c->in + c->start, here) != (ssize_t)here) fail("a full pipe");
  flush(c, 0);
  size_t piped = here;
  while (piped < count) {
    ssize_t in = splice(c->fd, NULL, c->pipe[1], NULL, count - piped, 0);
    if (in <= 0) pthread_exit(NULL);
    piped += (size_t)in;
  }
  while (piped > 0) {
    ssize_t out = splice(c->pipe[0], NULL, file, &offset, piped, 0);
    if (out <= 0) fail("a short write");
    piped -= (size_t)out;
  }
}

static void write_file(struct connection *c, uint32_t xid) {
  need(c, WRITE_HEAD_BYTES);
  const uint8_t *arguments = c->in + c->start + ARGUMENTS_AT;
  int file = descriptor_at(arguments);
  off_t offset = (off_t)u64_at(arguments + HANDLE_BYTES);
  uint32_t count = u32_at(arguments + HANDLE_BYTES + 8);
  c->start += WRITE_HEAD_BYTES;
  size_t here = c->end - c->start < count ? c->end - c->start : count;
  if (count >= PIPED_BYTES_MIN) {
    write_piped(c, file, offset, here, count);
  } else {
    need(c, count);
    here = count;
    if (pwrite(file, c->in + c->start, count, offset) != (ssize_t)count) fail("a short write");
  }
  c->start += here;
  put_head(c, xid, 28);
  put_u32(&c->replies, OK);
  put_u32(&c->replies, 0);
  put_u32(&c->replies, 0);
  put_u32(&c->replies, count);
  for (int i = 0; i < 3; i++) put_u32(&c->replies, 0); /* not stable; a verifier */
}

static void serve_one(struct connection *c) {
  need(c, ARGUMENTS_AT);
  const uint8_t *call = c->in + c->start;
  size_t bytes = MARK_BYTES + (u32_at(call) & INT32_MAX);
  uint32_t xid = u32_at(call + MARK_BYTES), procedure = u32_at(call + PROCEDURE_AT);
  bool is_mount = u32_at(call + PROGRAM_AT) == MOUNT_PROGRAM;
  if (!is_mount && procedure == WRITE) {
    write_file(c, xid);
    return;
  }
  need(c, bytes);
  const uint8_t *arguments = c->in + c->start + ARGUMENTS_AT;
  if (is_mount) {
    put_head(c, xid, 4 + HANDLE_BYTES + 4);
    put_u32(&c->replies, OK);
    put_number(&c->replies, directory);
    put_u32(&c->replies, 0);
  } else if (procedure == READ) {
    read_file(c, xid, arguments);
  } else if (procedure == LOOKUP) {
    look_up(c, xid, arguments);
  } else if (procedure == CREATE) {
    create(c, xid, arguments);
  } else {
    fail("procedure %u is not for reading or writing", procedure);
  }
  c->start += bytes;
}

static void end(void *connection) {
  struct connection *c = connection;
  close(c->fd);
  close(c->pipe[0]);
  close(c->pipe[1]);
  free(c);
}

static void *serve(void *connection) {
  pthread_cleanup_push(end, connection);
  while (true) serve_one(connection);
  pthread_cleanup_pop(1);
  return NULL;
}

static void accept_one(int listener) {
  struct connection *c = calloc(1, sizeof *c);
  pthread_t thread;
  int yes = 1;
  if (!c) fail("out of memory");
  c->replies = (struct writer){.bytes = c->out, .capacity = OUT_BYTES};
  c->fd = accept(listener, NULL, NULL);
  if (c->fd < 0 || pipe(c->pipe) < 0) fail("a connection: %s", strerror(errno));
  setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  if (fcntl(c->pipe[1], F_SETPIPE_SZ, PIPE_BYTES) < 0) fail("no large pipe");
  if (pthread_create(&thread, NULL, serve, c) != 0) fail("no thread");
  pthread_detach(thread);
}

int main(int count, char **arguments) {
  if (count != 3) fail("expected DIRECTORY PORT");
  directory = open(arguments[1], O_PATH | O_DIRECTORY);
  if (directory < 0) fail("%s: %s", arguments[1], strerror(errno));
  int listener = socket(AF_INET, SOCK_STREAM, 0), yes = 1;
  struct sockaddr_in address = {.sin_family = AF_INET,
                                .sin_port = htons((uint16_t)atoi(arguments[2])),
                                .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (bind(listener, (struct sockaddr *)&address, sizeof address) < 0 || listen(listener, 64) < 0) {
    fail("port %s: %s", arguments[2], strerror(errno));
  }
  while (true) accept_one(listener);
}
