#include "agent.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "fail.h"

#define REQUEST_BYTES 65536
#define ANSWER_BYTES 65536
#define PATIENCE_SECONDS 20

struct request {
  char text[REQUEST_BYTES];
  size_t used;
};

static void add(struct request *request, const char *format, ...) {
  va_list values;
  va_start(values, format);
  size_t room = sizeof request->text - request->used;
  int length = vsnprintf(request->text + request->used, room, format, values);
  va_end(values);
  if (length < 0 || request->used + (size_t)length + 1 >= sizeof request->text) {
    fail(EXIT_BAD_INPUT, "more is given than an agent reads: expected less than %d bytes",
         REQUEST_BYTES);
  }
  request->used += (size_t)length;
}

static void add_string(struct request *request, const char *value) {
  add(request, "\"");
  for (const unsigned char *next = (const unsigned char *)value; *next != 0; next++) {
    bool escaped = *next < ' ' || *next == '"' || *next == '\\' || *next == 0x7f;
    add(request, escaped ? "\\u%04x" : "%c", *next);
  }
  add(request, "\"");
}

static int connect_to(const char *base) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  struct timeval patience = {.tv_sec = PATIENCE_SECONDS};
  int length = snprintf(address.sun_path, sizeof address.sun_path, "%s/agent.socket", base);
  if (length >= (int)sizeof address.sun_path) {
    fail(EXIT_BAD_INPUT, "--directory %s: too long for the path of a socket", base);
  }
  int connection = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  if (connect(connection, (struct sockaddr *)&address, sizeof address) != 0) {
    fail(EXIT_FAILED, "%s: no agent answers here (%s); ./sluice agent starts one", address.sun_path,
         strerror(errno));
  }
  return connection;
}

/* Sends a request and reads the line that answers it; ends the program when that says no. */
static void ask(const char *base, struct request *request) {
  static char answer[ANSWER_BYTES];
  size_t used = 0;
  int connection = connect_to(base);
  add(request, "}\n");
  for (size_t done = 0; done < request->used;) {
    ssize_t more = send(connection, request->text + done, request->used - done, MSG_NOSIGNAL);
    if (more <= 0) fail(EXIT_FAILED, "%s: the agent does not listen: %s", base, strerror(errno));
    done += (size_t)more;
  }
  while (used < sizeof answer - 1 && memchr(answer, '\n', used) == NULL) {
    ssize_t more = recv(connection, answer + used, sizeof answer - 1 - used, 0);
    if (more <= 0) fail(EXIT_FAILED, "%s: the agent does not answer", base);
    used += (size_t)more;
  }
  close(connection);
  answer[used - 1] = 0;
  if (strncmp(answer, "{\"error\":", 9) == 0) fail(EXIT_BAD_INPUT, "the agent says %s", answer + 9);
}

static void begin(struct request *request, const char *command, const char *id) {
  request->used = 0;
  add(request, "{\"command\":\"%s\",\"job\":", command);
  add_string(request, id);
}

void add_job(const char *base, const char *id, unsigned user, const char *const mounts[],
             int mount_count, const char *limits) {
  static struct request request;
  char real[PATH_MAX];
  begin(&request, "add", id);
  add(&request, ",\"user\":%u,\"limits\":", user);
  add_string(&request, limits);
  add(&request, ",\"mounts\":[");
  if (mount_count == 0) add_string(&request, "/");
  for (int i = 0; i < mount_count; i++) {
    if (mounts[i][0] != '/' || realpath(mounts[i], real) == NULL) {
      fail(EXIT_BAD_INPUT, "--mount %s: expected the absolute path of a directory that is there",
           mounts[i]);
    }
    if (i > 0) add(&request, ",");
    add_string(&request, real);
    if (strcmp(real, mounts[i]) != 0) {
      add(&request, ",");
      add_string(&request, mounts[i]);
    }
  }
  add(&request, "]");
  ask(base, &request);
}

void remove_job(const char *base, const char *id) {
  static struct request request;
  begin(&request, "remove", id);
  ask(base, &request);
}
