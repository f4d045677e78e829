/*
 * lctl on a stand-in server: sends its arguments over the socket beside it, prints the answer. Every
 * number on the socket has four bytes, the highest first. In C, because it must start quickly: who
 * controls a server runs it several times a period, and pauses ten times as long as it took.
 */
#include <arpa/inet.h>
#include <libgen.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* Not a code with which the real one ends. */
#define BROKEN 255

static FILE *to_server, *from_server;

static void fail(const char *what)
{
  perror(what);
  exit(BROKEN);
}

static void connect_beside(const char *program)
{
  char path[PATH_MAX];
  if (realpath(program, path) == NULL) {
    fail(program);
  }
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  int length =
      snprintf(address.sun_path, sizeof address.sun_path, "%s/server.sock", dirname(path));
  if (length >= (int) sizeof address.sun_path) {
    fprintf(stderr, "%s: its path is too long for a socket beside it\n", program);
    exit(BROKEN);
  }
  int server = socket(AF_UNIX, SOCK_STREAM, 0);
  if (server < 0 || connect(server, (struct sockaddr *) &address, sizeof address) != 0) {
    fail(address.sun_path);
  }
  to_server = fdopen(server, "w");
  from_server = fdopen(dup(server), "r");
  if (to_server == NULL || from_server == NULL) {
    fail("fdopen");
  }
}

static void send_number(uint32_t number)
{
  uint32_t sent = htonl(number);
  fwrite(&sent, sizeof sent, 1, to_server);
}

static uint32_t receive_number(void)
{
  uint32_t received;
  if (fread(&received, sizeof received, 1, from_server) != 1) {
    fputs("the server did not answer\n", stderr);
    exit(BROKEN);
  }
  return ntohl(received);
}

static void pass_on(size_t bytes, FILE *to)
{
  char buffer[1 << 16];
  while (bytes > 0) {
    size_t count = fread(buffer, 1, bytes < sizeof buffer ? bytes : sizeof buffer, from_server);
    if (count == 0) {
      fputs("the server's answer ended early\n", stderr);
      exit(BROKEN);
    }
    fwrite(buffer, 1, count, to);
    bytes -= count;
  }
}

int main(int count, char **arguments)
{
  connect_beside(arguments[0]);
  send_number(count - 1);
  for (int i = 1; i < count; i++) {
    size_t length = strlen(arguments[i]);
    send_number(length);
    fwrite(arguments[i], 1, length, to_server);
  }
  if (fflush(to_server) != 0) {
    fail("the server");
  }
  int exit_code = receive_number();
  size_t printed = receive_number();
  size_t errors = receive_number();
  pass_on(printed, stdout);
  pass_on(errors, stderr);
  return exit_code;
}
