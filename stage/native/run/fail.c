#include "fail.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* In one write, so that lines of several programs do not mix. */
static void say(const char *format, va_list values) {
  char line[4096] = "sluice-run: ";
  size_t start = sizeof "sluice-run: " - 1;
  int length = vsnprintf(line + start, sizeof line - start - 1, format, values);
  if (length < 0) return;
  size_t end = start + (size_t)length;
  if (end > sizeof line - 2) end = sizeof line - 2;
  line[end] = '\n';
  if (write(STDERR_FILENO, line, end + 1) < 0) return; /* Nobody listens. */
}

void warn(const char *format, ...) {
  va_list values;
  va_start(values, format);
  say(format, values);
  va_end(values);
}

void fail(int code, const char *format, ...) {
  va_list values;
  va_start(values, format);
  say(format, values);
  va_end(values);
  exit(code);
}
